// A reference bridge: an Arduino Mega inside or beside an automatic table, which reads what the table shows and tells
// it over USB in the open table line (docs/table-line.md). Wiring: config.h. It does not drive the motor.
#include <Arduino.h>

#include "config.h"
#include "sensors.h"
#include "table_line.h"

using sensors::PassCounter;
using sensors::PushButton;
using table_line::Event;

namespace {

const int8_t kCentre = 4;

// The section is not cleared at a reset, so events survive one (not the loss of power; FRAM would survive that too).
#if defined(__AVR__)
table_line::Memory memory __attribute__((section(".noinit")));
#else
table_line::Memory memory;
#endif

const table_line::Identity kIdentity = {TABLE_VENDOR, TABLE_MODEL, TABLE_FIRMWARE,
                                        TABLE_SERIAL, TABLE_TILES, TABLE_CAPS};

// Output --------------------------------------------------------------------------------------------------------------

void max7219(uint8_t which, uint8_t address, uint8_t data) {
  digitalWrite(kDisplaySelect, LOW);
  for (int8_t at = 3; at >= 0; --at) {  // the first in the chain is shifted in last; address 0 leaves one as it is
    shiftOut(kDisplayData, kDisplayClock, MSBFIRST, at == which ? address : 0);
    shiftOut(kDisplayData, kDisplayClock, MSBFIRST, at == which ? data : 0);
  }
  digitalWrite(kDisplaySelect, HIGH);
}

class Outputs : public table_line::Device {
 public:
  void begin() {
    pinMode(kDisplayData, OUTPUT);
    pinMode(kDisplayClock, OUTPUT);
    pinMode(kDisplaySelect, OUTPUT);
    pinMode(kBuzzerPin, OUTPUT);
    for (uint8_t which = 0; which < 5; ++which) {
      for (uint8_t i = 0; i < 3; ++i) pinMode(kLightPins[which][i], OUTPUT);
    }
    for (uint8_t seat = 0; seat < 4; ++seat) {
      max7219(seat, 0x0F, 0);     // no display test
      max7219(seat, 0x0B, 5);     // six digits
      max7219(seat, 0x09, 0x3F);  // decoded
      max7219(seat, 0x0A, 4);     // half bright
      max7219(seat, 0x0C, 1);     // on
      for (uint8_t place = 1; place <= 6; ++place) max7219(seat, place, 0x0F);
    }
  }

  const char *display(uint8_t seat, int32_t value) override {
    const bool negative = value < 0;
    uint32_t rest = negative ? 0u - static_cast<uint32_t>(value) : static_cast<uint32_t>(value);
    if (rest > (negative ? 99999u : 999999u)) return "value";
    bool sign = negative;
    for (uint8_t place = 1; place <= 6; ++place) {
      uint8_t code = 0x0F;  // blank
      if (rest || place == 1) {
        code = static_cast<uint8_t>(rest % 10);
      } else if (sign) {
        code = 0x0A;  // minus
        sign = false;
      }
      rest /= 10;
      max7219(seat, place, code);
    }
    return nullptr;
  }

  const char *light(int8_t seat, const char *colour, uint32_t blink_ms) override {
    const uint8_t which = static_cast<uint8_t>(seat < 0 ? kCentre : seat);
    lamps_[which].mix = mix(colour[0]);
    lamps_[which].period = blink_ms;
    show(which, true);
    return nullptr;
  }

  const char *beep(uint32_t ms, uint32_t hz) override {
    tone(kBuzzerPin, static_cast<unsigned>(hz ? hz : 2000), ms);
    return nullptr;
  }

  const char *shuffle() override { return "off"; }

  void update(uint32_t now) {
    for (uint8_t which = 0; which < 5; ++which) {
      const Lamp &lamp = lamps_[which];
      if (lamp.period) show(which, now % lamp.period < lamp.period / 2);
    }
  }

 private:
  struct Lamp {
    uint8_t mix = 0;  // red 1, green 2, blue 4
    uint32_t period = 0;
  };

  static uint8_t mix(char first) {
    switch (first) {
      case 'r': return 1;
      case 'g': return 2;
      case 'b': return 4;
      case 'w': return 7;
      case 'a': return 3;
      default: return 0;
    }
  }

  void show(uint8_t which, bool on) {
    for (uint8_t i = 0; i < 3; ++i) {
      digitalWrite(kLightPins[which][i], on && (lamps_[which].mix & (1 << i)) ? HIGH : LOW);
    }
  }

  Lamp lamps_[5];
};

// The table ------------------------------------------------------------------------------------------------------------

void to_host(void *, const char *data, size_t size) { Serial.write(data, size); }

Outputs outputs;
table_line::Table table(kIdentity, memory, outputs, to_host, nullptr);

PushButton buttons[5];
sensors::Dice dice(2);
PassCounter head(kTileLeast, kTileMost, 250), tail(kTileLeast, kTileMost, 250);
PassCounter drop(kTileLeast, kTileMost, kDropQuiet);
PassCounter stacks[4] = {PassCounter(5, 1000, kStackQuiet), PassCounter(5, 1000, kStackQuiet),
                         PassCounter(5, 1000, kStackQuiet), PassCounter(5, 1000, kStackQuiet)};
uint8_t built[4];
uint8_t sides_built = 0;
uint16_t left = 0;  // tiles in the wall
bool left_known = false;
bool dropping = false;

void state(const char *name, uint32_t now) { table.emit(Event("STATE").word("s", name), now); }

void read_buttons(uint32_t now) {
  static const char *const kActs[] = {"", "press", "hold", "release"};
  for (uint8_t i = 0; i < 5; ++i) {
    const PushButton::Act act = buttons[i].update(digitalRead(kButtonPins[i]) == LOW, now);
    if (act == PushButton::kNone) continue;
    Event event("BTN");
    event.word("id", kButtonNames[i]).word("act", kActs[act]);
    if (i != kCentre) event.number("seat", i);
    table.emit(event, now);
    if (i == kCentre && act == PushButton::kPress) state("raised", now);
  }
}

void read_dice(uint32_t now) {
  uint8_t faces[2];
  for (uint8_t i = 0; i < 2; ++i) {
    bool lit[4];
    for (uint8_t lamp = 0; lamp < 4; ++lamp) lit[lamp] = digitalRead(kDicePins[i][lamp]) == LOW;
    faces[i] = sensors::die(lit[0], lit[1], lit[2], lit[3]);
  }
  if (dice.update(faces, now)) table.emit(Event("DICE").numbers("v", dice.faces(), dice.count()), now);
}

void read_walls(uint32_t now) {
  for (uint8_t side = 0; side < 4; ++side) {
    if (!stacks[side].update(digitalRead(kStackPins[side]) == HIGH, now)) continue;
    built[side] = static_cast<uint8_t>(stacks[side].count());
    sides_built |= static_cast<uint8_t>(1 << side);
  }
  if (sides_built == 0x0F) {
    sides_built = 0;
    left = 0;
    left_known = true;
    for (uint8_t side = 0; side < 4; ++side) left = static_cast<uint16_t>(left + 2 * built[side]);
    table.emit(Event("WALL").numbers("n", built, 4).number("left", left), now);
    state("ready", now);
  }
}

void read_end(PassCounter &counter, uint8_t pin, const char *name, uint32_t now) {
  if (!counter.update(digitalRead(pin) == HIGH, now)) return;
  const uint16_t gone = counter.count();
  Event event("DRAW");
  event.word("end", name).number("n", gone);
  if (left_known) {
    left = static_cast<uint16_t>(left > gone ? left - gone : 0);
    event.number("left", left);
  }
  table.emit(event, now);
  if (left_known && TABLE_TILES - left == TABLE_SEATS * TABLE_HAND + 1) state("playing", now);
}

void read_drop(uint32_t now) {
  const bool complete = drop.update(digitalRead(kDropPin) == HIGH, now);
  if (drop.busy() && !dropping) state("handin", now);
  dropping = drop.busy();
  if (complete) table.emit(Event("HANDIN").number("count", drop.count()), now);
}

// A number that no two starts share but by chance: noise of an open analogue input, stirred.
uint32_t random_boot() {
  uint32_t value = micros();
  for (uint8_t i = 0; i < 32; ++i) {
    value = (value << 5 | value >> 27) ^ static_cast<uint32_t>(analogRead(A0)) ^ micros();
  }
  return value;
}

}  // namespace

void setup() {
  Serial.begin(115200);
  for (uint8_t i = 0; i < 5; ++i) pinMode(kButtonPins[i], INPUT_PULLUP);
  for (uint8_t i = 0; i < 2; ++i) {
    for (uint8_t lamp = 0; lamp < 4; ++lamp) pinMode(kDicePins[i][lamp], INPUT_PULLUP);
  }
  for (uint8_t side = 0; side < 4; ++side) pinMode(kStackPins[side], INPUT);
  pinMode(kHeadPin, INPUT);
  pinMode(kTailPin, INPUT);
  pinMode(kDropPin, INPUT);
  outputs.begin();
  table.begin(random_boot());
}

void loop() {
  const uint32_t now = millis();
  while (Serial.available() > 0) {
    const char c = static_cast<char>(Serial.read());
    table.received(&c, 1, now);
  }
  table.tick(now);
  read_buttons(now);
  read_dice(now);
  read_walls(now);
  read_end(head, kHeadPin, "head", now);
  read_end(tail, kTailPin, "tail", now);
  read_drop(now);
  outputs.update(now);
}
