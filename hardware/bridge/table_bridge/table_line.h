// The table's end of the table line (docs/table-line.md), for microcontrollers and for the host.
//
// C++11, no heap, no exceptions, nothing of the C++ library. Bytes go in with received(), the time in milliseconds with
// every call, bytes come out through a function of yours. It does the same as hardware/table.py, byte for byte.
#ifndef TABLE_LINE_H
#define TABLE_LINE_H

#include <stddef.h>
#include <stdint.h>

// Events kept for being sent again, and the longest event ("DICE,v=3;5") in bytes, its final zero included.
#ifndef TABLE_LINE_EVENTS
#define TABLE_LINE_EVENTS 32
#endif
#ifndef TABLE_LINE_BODY
#define TABLE_LINE_BODY 48
#endif

namespace table_line {

const size_t kMaxLine = 240;     // from '$' to the line feed
const uint16_t kHelloEvery = 1000;
const uint8_t kMostProbes = 16;
const uint8_t kSnapKeys = 5;     // state, dice, wall, left, count
const size_t kSnapValue = 24;

uint16_t crc16(uint16_t crc, char byte);  // CRC-16/MODBUS, to be begun with 0xFFFF

// Who the table is; strings already escaped. `caps`: "dice:2;wall.count;..." (section 5).
struct Identity {
  const char *vendor, *model, *firmware, *serial;
  uint16_t tiles;
  const char *caps;
};

// What the host may have the table do. Return nullptr when done, else the code of a NAK ("busy").
class Device {
 public:
  virtual const char *display(uint8_t seat, int32_t value) = 0;
  virtual const char *light(int8_t seat, const char *colour, uint32_t blink_ms) = 0;  // seat -1: centre; blink 0: steady
  virtual const char *beep(uint32_t ms, uint32_t hz) = 0;                             // hz 0: as it likes
  virtual const char *shuffle() = 0;

 protected:
  ~Device() {}
};

// An event being put together: Event("DRAW").word("end", "tail").number("n", 1). Too long: it is not sent, and ok() false.
class Event {
 public:
  explicit Event(const char *type);
  Event &number(const char *key, int32_t value);
  Event &numbers(const char *key, const uint8_t *values, uint8_t count);  // 3;5
  Event &word(const char *key, const char *text);                         // escaped here
  bool ok() const { return ok_; }
  const char *body() const { return body_; }

 private:
  void add(char c);
  void key(const char *key);
  void digits(int32_t value);
  char body_[TABLE_LINE_BODY];
  uint8_t size_;
  bool ok_;
};

// What has to survive a restart for the capability "keep": put it where a reset leaves it alone (section .noinit, FRAM).
// What is found there is believed only where its checks fit; else it is begun afresh.
struct Slot {
  uint32_t ms, was_boot, was_seq;  // was_seq 0: made since the last restart
  char body[TABLE_LINE_BODY];
  uint16_t check;
};

struct Memory {
  uint32_t magic, boot, last, got;
  uint16_t oldest, count;  // slots in use, a ring
  char snap[kSnapKeys][kSnapValue];
  uint16_t check;
  Slot slots[TABLE_LINE_EVENTS];
};

class Table {
 public:
  typedef void (*Write)(void *context, const char *data, size_t size);

  Table(const Identity &identity, Memory &memory, Device &device, Write write, void *context);

  void begin(uint32_t boot);                                    // at every start, with a number drawn at random
  uint32_t emit(const Event &event, uint32_t ms);               // the event's number; 0: too long
  uint32_t emit_body(const char *body, uint32_t ms);            // the same for "DICE,v=3;5", escaped already
  void received(const char *data, size_t size, uint32_t ms);
  void tick(uint32_t ms);                                       // from the main loop
  bool subscribed() const { return subscribed_; }
  uint32_t last() const { return memory_.last; }

 private:
  struct Value {
    const char *text;
    uint8_t size;
    bool given() const { return text != nullptr; }
  };

  void finish(uint32_t ms);
  bool split();
  Value value(const char *key) const;
  bool number(const char *key, bool needed, uint32_t *out) const;
  bool seat(const char *key, bool needed, int8_t *out) const;
  bool can(const char *capability) const;

  void answer(uint32_t ms);
  void hello_asked(uint32_t ms);
  void subscribe(uint32_t ms);
  void replay(uint32_t ms);
  void ping(uint32_t ms);
  void snapshot(uint32_t ms);
  void command(uint32_t ms);
  const char *carry_out(uint32_t ms, uint8_t *probes);

  void hello(uint32_t id, uint32_t ms);
  void ack(uint32_t ms);
  void nak(const char *code, uint32_t ms, uint32_t first = 0);
  void again(uint32_t first, uint32_t last);
  void event_line(const Slot &slot, uint32_t seq);

  uint32_t first_kept() const { return memory_.last + 1 - memory_.count; }
  Slot &slot(uint32_t seq);
  void remember(const char *body);
  void seal();
  bool intact();
  void clear();

  void open(const char *type, uint32_t seq, uint32_t ms);
  void put(char c);
  void text(const char *s);
  void digits(uint32_t value);
  void hex(uint32_t value, uint8_t count);
  void key(const char *key);
  void close();
  void flush();

  const Identity &identity_;
  Memory &memory_;
  Device &device_;
  Write write_;
  void *context_;

  bool subscribed_, greeted_, inside_;
  uint32_t greeted_at_, executed_, host_;
  bool host_known_;

  char line_[kMaxLine - 2];  // what follows '$', ends replaced by zeros
  uint8_t size_;
  const char *type_, *fields_, *end_;
  uint32_t seq_;

  char out_[32];
  uint8_t filled_;
  uint16_t crc_;
};

}  // namespace table_line

#endif
