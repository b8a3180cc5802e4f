// What a bridge makes of its pins, without touching any: levels and the time go in, what happened comes out.
// C++11, no heap; the times are milliseconds and may wrap.
#ifndef SENSORS_H
#define SENSORS_H

#include <stdint.h>

namespace sensors {

// A push button: a change counts when the level has stayed for `settle` ms; kHold once when it was down for `hold` ms.
class PushButton {
 public:
  enum Act { kNone, kPress, kHold, kRelease };

  explicit PushButton(uint16_t settle = 20, uint16_t hold = 1500)
      : settle_(settle), hold_(hold), level_(false), down_(false), held_(false), changed_(0), pressed_(0) {}

  Act update(bool level, uint32_t now) {
    if (level != level_) {
      level_ = level;
      changed_ = now;
    }
    if (level_ != down_ && now - changed_ >= settle_) {
      down_ = level_;
      held_ = false;
      pressed_ = now;
      return down_ ? kPress : kRelease;
    }
    if (down_ && !held_ && now - pressed_ >= hold_) {
      held_ = true;
      return kHold;
    }
    return kNone;
  }

 private:
  uint16_t settle_, hold_;
  bool level_, down_, held_;
  uint32_t changed_, pressed_;
};

// A light barrier that something passes: counts what covers it for `least` to `most` ms. `quiet` ms after the last one
// the count is complete: update() is true once, and count() is what passed since the time before.
class PassCounter {
 public:
  PassCounter(uint16_t least, uint16_t most, uint16_t quiet)
      : least_(least), most_(most), quiet_(quiet), covered_(false), counting_(false), since_(0), last_(0), count_(0),
        result_(0) {}

  bool update(bool covered, uint32_t now) {
    if (covered && !covered_) since_ = now;
    if (!covered && covered_ && now - since_ >= least_ && now - since_ <= most_) {
      ++count_;
      counting_ = true;
      last_ = now;
    }
    covered_ = covered;
    if (counting_ && !covered_ && now - last_ >= quiet_) {
      counting_ = false;
      result_ = count_;
      count_ = 0;
      return true;
    }
    return false;
  }
  uint16_t count() const { return result_; }
  bool busy() const { return counting_; }

 private:
  uint16_t least_, most_, quiet_;
  bool covered_, counting_;
  uint32_t since_, last_;
  uint16_t count_, result_;
};

// One electronic die, read at the leads of its lamps through opto-couplers: the middle one, the two diagonal pairs, and
// the pair beside the middle. 0: no face of a die (it is rolling, or dark).
inline uint8_t die(bool middle, bool diagonal, bool other_diagonal, bool sides) {
  const uint8_t pattern =
      static_cast<uint8_t>((middle ? 1 : 0) | (diagonal ? 2 : 0) | (other_diagonal ? 4 : 0) | (sides ? 8 : 0));
  switch (pattern) {
    case 1: return 1;
    case 2: case 4: return 2;
    case 3: case 5: return 3;
    case 6: return 4;
    case 7: return 5;
    case 14: return 6;
    default: return 0;
  }
}

// Dice that roll and come to rest: true once, when the same faces have shown for `still` ms after having rolled.
class Dice {
 public:
  static const uint8_t kMost = 4;

  explicit Dice(uint8_t count, uint16_t still = 400)
      : count_(count < kMost ? count : kMost), still_(still), rolled_(false), since_(0) {
    for (uint8_t i = 0; i < kMost; ++i) shown_[i] = 0;
  }

  bool update(const uint8_t *faces, uint32_t now) {
    bool whole = true;
    for (uint8_t i = 0; i < count_; ++i) {
      whole = whole && faces[i] >= 1 && faces[i] <= 6;
      if (faces[i] != shown_[i]) {
        shown_[i] = faces[i];
        since_ = now;
        rolled_ = true;
      }
    }
    if (!rolled_ || !whole || now - since_ < still_) return false;
    rolled_ = false;
    return true;
  }
  const uint8_t *faces() const { return shown_; }
  uint8_t count() const { return count_; }

 private:
  uint8_t count_;
  uint16_t still_;
  bool rolled_;
  uint32_t since_;
  uint8_t shown_[kMost];
};

// Tiles in the wall, told by a row of proximity sensors or by counting: reports a level only when it has stayed the
// same for `still` ms and is not the one reported last.
class Level {
 public:
  explicit Level(uint16_t still = 300) : still_(still), seen_(0), told_(0), since_(0) {}

  // How many fewer (or, negative, more) there are than when last asked; 0 while unsteady or unchanged.
  int16_t taken(uint16_t level, uint32_t now) {
    if (level != seen_) {
      seen_ = level;
      since_ = now;
    }
    if (seen_ == told_ || now - since_ < still_) return 0;
    const int16_t gone = static_cast<int16_t>(told_ - seen_);
    told_ = seen_;
    return gone;
  }
  void reset(uint16_t level, uint32_t now) {
    seen_ = told_ = level;
    since_ = now;
  }

 private:
  uint16_t still_, seen_, told_;
  uint32_t since_;
};

}  // namespace sensors

#endif
