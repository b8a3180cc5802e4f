#include "table_line.h"

#include <string.h>

namespace table_line {

namespace {

const uint32_t kMagic = 0x4D4A544Cu;  // "MJTL"
const char *const kSnapNames[kSnapKeys] = {"state", "dice", "wall", "left", "count"};
const char *const kColours[] = {"off", "red", "green", "blue", "white", "amber"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

int8_t hex_value(char c) {
  if (is_digit(c)) return static_cast<int8_t>(c - '0');
  if (c >= 'A' && c <= 'F') return static_cast<int8_t>(c - 'A' + 10);
  if (c >= 'a' && c <= 'f') return static_cast<int8_t>(c - 'a' + 10);
  return -1;
}

char hex_digit(uint8_t value) { return static_cast<char>(value < 10 ? '0' + value : 'A' + value - 10); }

bool parse_number(const char *s, size_t size, uint32_t *out) {
  if (size == 0 || size > 10) return false;
  uint64_t value = 0;
  for (size_t i = 0; i < size; ++i) {
    if (!is_digit(s[i])) return false;
    value = value * 10 + static_cast<uint8_t>(s[i] - '0');
  }
  if (value > 0xFFFFFFFFu) return false;
  *out = static_cast<uint32_t>(value);
  return true;
}

bool parse_boot(const char *s, size_t size, uint32_t *out) {
  if (size != 8) return false;
  uint32_t value = 0;
  for (size_t i = 0; i < 8; ++i) {
    int8_t digit = hex_value(s[i]);
    if (digit < 0 || is_lower(s[i])) return false;
    value = value << 4 | static_cast<uint32_t>(digit);
  }
  *out = value;
  return true;
}

// %XX resolved into `out`, as much as fits; the length it would have.
size_t unescape(const char *s, size_t size, char *out, size_t room) {
  size_t n = 0;
  for (size_t i = 0; i < size; ++i, ++n) {
    char c = s[i];
    if (c == '%' && i + 2 < size && hex_value(s[i + 1]) >= 0 && hex_value(s[i + 2]) >= 0) {
      c = static_cast<char>(hex_value(s[i + 1]) << 4 | hex_value(s[i + 2]));
      i += 2;
    }
    if (n < room) out[n] = c;
  }
  return n;
}

uint16_t check_of(const void *data, size_t size) {
  const char *bytes = static_cast<const char *>(data);
  uint16_t crc = 0xFFFF;
  while (size--) crc = crc16(crc, *bytes++);
  return crc;
}

}  // namespace

uint16_t crc16(uint16_t crc, char byte) {
  crc = static_cast<uint16_t>(crc ^ static_cast<uint8_t>(byte));
  for (uint8_t bit = 0; bit < 8; ++bit) {
    crc = static_cast<uint16_t>(crc & 1 ? crc >> 1 ^ 0xA001 : crc >> 1);
  }
  return crc;
}

// Events being put together -------------------------------------------------------------------------------------------

Event::Event(const char *type) : size_(0), ok_(true) {
  body_[0] = 0;
  while (*type) add(*type++);
}

void Event::add(char c) {
  if (size_ + 1 >= TABLE_LINE_BODY) {
    ok_ = false;
    return;
  }
  body_[size_++] = c;
  body_[size_] = 0;
}

void Event::key(const char *key) {
  add(',');
  while (*key) add(*key++);
  add('=');
}

void Event::digits(int32_t value) {
  uint32_t size = value < 0 ? 0u - static_cast<uint32_t>(value) : static_cast<uint32_t>(value);
  if (value < 0) add('-');
  char reversed[10];
  uint8_t n = 0;
  do {
    reversed[n++] = static_cast<char>('0' + size % 10);
    size /= 10;
  } while (size);
  while (n) add(reversed[--n]);
}

Event &Event::number(const char *name, int32_t value) {
  key(name);
  digits(value);
  return *this;
}

Event &Event::numbers(const char *name, const uint8_t *values, uint8_t count) {
  key(name);
  for (uint8_t i = 0; i < count; ++i) {
    if (i) add(';');
    digits(values[i]);
  }
  return *this;
}

Event &Event::word(const char *name, const char *text) {
  key(name);
  for (; *text; ++text) {
    if (*text < 0x20 || *text > 0x7E || strchr("$*,=;%", *text)) {
      add('%');
      add(hex_digit(static_cast<uint8_t>(*text) >> 4));
      add(hex_digit(static_cast<uint8_t>(*text) & 15));
    } else {
      add(*text);
    }
  }
  return *this;
}

// The table -----------------------------------------------------------------------------------------------------------

Table::Table(const Identity &identity, Memory &memory, Device &device, Write write, void *context)
    : identity_(identity), memory_(memory), device_(device), write_(write), context_(context),
      subscribed_(false), greeted_(false), inside_(false), greeted_at_(0), executed_(0), host_(0), host_known_(false),
      size_(0), type_(nullptr), fields_(nullptr), end_(nullptr), seq_(0), filled_(0), crc_(0) {}

void Table::begin(uint32_t boot) {
  subscribed_ = greeted_ = inside_ = host_known_ = false;
  executed_ = 0;
  if (!can("keep") || !intact()) {
    clear();
  } else {
    // What the host has confirmed goes; the rest is numbered from 1 again and remembers what it was.
    uint32_t first = first_kept();
    while (memory_.count && first <= memory_.got) {
      memory_.oldest = static_cast<uint16_t>((memory_.oldest + 1) % TABLE_LINE_EVENTS);
      --memory_.count;
      ++first;
    }
    for (uint16_t i = 0; i < memory_.count; ++i) {
      Slot &kept = memory_.slots[(memory_.oldest + i) % TABLE_LINE_EVENTS];
      if (kept.was_seq == 0) {
        kept.was_boot = memory_.boot;
        kept.was_seq = first + i;
        kept.check = check_of(&kept, offsetof(Slot, check));
      }
    }
    memory_.last -= memory_.got;  // those there was no room for leave a gap that SUB will tell of
  }
  memory_.magic = kMagic;
  memory_.boot = boot;
  memory_.got = 0;
  seal();
}

void Table::clear() {
  memset(&memory_, 0, sizeof memory_);
}

void Table::seal() { memory_.check = check_of(&memory_, offsetof(Memory, check)); }

bool Table::intact() {
  if (memory_.magic != kMagic || memory_.check != check_of(&memory_, offsetof(Memory, check))) return false;
  if (memory_.count > TABLE_LINE_EVENTS || memory_.oldest >= TABLE_LINE_EVENTS) return false;
  for (uint16_t i = 0; i < memory_.count; ++i) {
    const Slot &kept = memory_.slots[(memory_.oldest + i) % TABLE_LINE_EVENTS];
    if (kept.check != check_of(&kept, offsetof(Slot, check)) || kept.body[TABLE_LINE_BODY - 1]) return false;
  }
  return true;
}

Slot &Table::slot(uint32_t seq) { return memory_.slots[(memory_.oldest + (seq - first_kept())) % TABLE_LINE_EVENTS]; }

uint32_t Table::emit(const Event &event, uint32_t ms) { return event.ok() ? emit_body(event.body(), ms) : 0; }

uint32_t Table::emit_body(const char *body, uint32_t ms) {
  size_t size = strlen(body);
  if (size >= TABLE_LINE_BODY) return 0;
  if (memory_.count == TABLE_LINE_EVENTS) {
    memory_.oldest = static_cast<uint16_t>((memory_.oldest + 1) % TABLE_LINE_EVENTS);
  } else {
    ++memory_.count;
  }
  ++memory_.last;
  Slot &made = slot(memory_.last);
  memset(&made, 0, sizeof made);
  made.ms = ms;
  memcpy(made.body, body, size + 1);
  made.check = check_of(&made, offsetof(Slot, check));
  remember(body);
  seal();
  if (subscribed_) event_line(made, memory_.last);
  return memory_.last;
}

void Table::remember(const char *body) {
  static const struct {
    const char *type, *key;
    uint8_t snap;
  } kKept[] = {{"STATE", "s", 0}, {"DICE", "v", 1}, {"WALL", "n", 2},
               {"WALL", "left", 3}, {"DRAW", "left", 3}, {"HANDIN", "count", 4}};
  const char *rest = strchr(body, ',');
  size_t type_size = rest ? static_cast<size_t>(rest - body) : strlen(body);
  for (const auto &kept : kKept) {
    if (strlen(kept.type) != type_size || memcmp(kept.type, body, type_size)) continue;
    for (const char *at = rest; at; at = strchr(at + 1, ',')) {
      size_t key_size = strlen(kept.key);
      if (strncmp(at + 1, kept.key, key_size) || at[1 + key_size] != '=') continue;
      const char *found = at + 2 + key_size;
      const char *stop = strchr(found, ',');
      size_t size = stop ? static_cast<size_t>(stop - found) : strlen(found);
      if (kept.snap == 0 && size == 9 && !memcmp(found, "shuffling", 9)) memset(memory_.snap, 0, sizeof memory_.snap);
      if (size < kSnapValue) {
        memcpy(memory_.snap[kept.snap], found, size);
        memory_.snap[kept.snap][size] = 0;
      }
      break;
    }
  }
}

void Table::tick(uint32_t ms) {
  if (subscribed_ || (greeted_ && ms - greeted_at_ < kHelloEvery)) return;
  greeted_ = true;
  greeted_at_ = ms;
  hello(0, ms);
}

// Reading -------------------------------------------------------------------------------------------------------------

void Table::received(const char *data, size_t size, uint32_t ms) {
  for (; size; --size, ++data) {
    char c = *data;
    if (c == '$') {
      inside_ = true;
      size_ = 0;
    } else if (c == '\r' || c == '\n') {
      if (inside_) finish(ms);
      inside_ = false;
    } else if (inside_) {
      // One byte of the buffer stays free for the zero that ends the last value.
      if (c < 0x20 || c > 0x7E || size_ >= sizeof line_ - 1) {
        inside_ = false;
      } else {
        line_[size_++] = c;
      }
    }
  }
}

void Table::finish(uint32_t ms) {
  if (size_ < 5 || line_[size_ - 5] != '*') return;
  uint16_t crc = 0xFFFF, claimed = 0;
  for (uint8_t i = 0; i + 5 < size_; ++i) {
    if (line_[i] == '*') return;
    crc = crc16(crc, line_[i]);
  }
  for (uint8_t i = static_cast<uint8_t>(size_ - 4); i < size_; ++i) {
    int8_t digit = hex_value(line_[i]);
    if (digit < 0) return;
    claimed = static_cast<uint16_t>(claimed << 4 | digit);
  }
  if (crc != claimed) return;
  end_ = line_ + size_ - 5;
  line_[size_ - 5] = 0;
  if (split()) answer(ms);
}

// Checks TYPE,seq,ms[,key=value...] and finds its parts.
bool Table::split() {
  char *at = line_;
  if (!is_upper(*at)) return false;
  while (is_upper(*at) || is_digit(*at)) ++at;
  if (at - line_ > 12) return false;
  if (*at == '?') ++at;
  if (*at != ',') return false;
  type_ = line_;
  *at++ = 0;
  uint32_t ignored;
  uint32_t *const numbers[] = {&seq_, &ignored};
  for (uint32_t *number : numbers) {
    const char *from = at;
    while (is_digit(*at)) ++at;
    if (!parse_number(from, static_cast<size_t>(at - from), number)) return false;
    if (*at != ',' && at != end_) return false;
    if (number == &seq_) {
      if (at == end_) return false;
      ++at;
    }
  }
  fields_ = at;
  while (at != end_) {
    const char *key = ++at;
    if (!is_lower(*at)) return false;
    while (is_lower(*at) || is_digit(*at)) ++at;
    if (*at != '=' || at - key > 16) return false;
    ++at;
    while (at != end_ && *at != ',') {
      if (*at == '=') return false;
      ++at;
    }
  }
  return true;
}

Table::Value Table::value(const char *key) const {
  size_t key_size = strlen(key);
  for (const char *at = fields_; at != end_;) {
    const char *name = at + 1;
    const char *text = static_cast<const char *>(memchr(name, '=', static_cast<size_t>(end_ - name))) + 1;
    const char *stop = static_cast<const char *>(memchr(text, ',', static_cast<size_t>(end_ - text)));
    if (!stop) stop = end_;
    if (static_cast<size_t>(text - 1 - name) == key_size && !memcmp(name, key, key_size)) {
      return Value{text, static_cast<uint8_t>(stop - text)};
    }
    at = stop;
  }
  return Value{nullptr, 0};
}

bool Table::number(const char *key, bool needed, uint32_t *out) const {
  Value found = value(key);
  return found.given() ? parse_number(found.text, found.size, out) : !needed;
}

bool Table::seat(const char *key, bool needed, int8_t *out) const {
  Value found = value(key);
  if (!found.given()) return !needed;
  if (found.size != 1 || *found.text < '0' || *found.text > '3') return false;
  *out = static_cast<int8_t>(*found.text - '0');
  return true;
}

bool Table::can(const char *capability) const {
  size_t size = strlen(capability);
  for (const char *at = identity_.caps; at; at = strchr(at, ';')) {
    if (*at == ';') ++at;
    if (!strncmp(at, capability, size) && (!at[size] || at[size] == ';' || at[size] == ':')) return true;
  }
  return false;
}

// Answering -----------------------------------------------------------------------------------------------------------

void Table::answer(uint32_t ms) {
  if (!strcmp(type_, "HELLO")) {
    hello_asked(ms);
  } else if (!strcmp(type_, "PING")) {
    ping(ms);
  } else if (!strcmp(type_, "SUB")) {
    subscribe(ms);
  } else if (!strcmp(type_, "SNAP?")) {
    snapshot(ms);
  } else if (!strcmp(type_, "REPLAY")) {
    replay(ms);
  } else {
    command(ms);
  }
}

void Table::hello_asked(uint32_t ms) {
  Value proto = value("proto"), boot = value("boot");
  uint32_t host;
  if (!proto.given() || !proto.size || !boot.given() || !parse_boot(boot.text, boot.size, &host)) {
    nak("value", ms);
    return;
  }
  char spoken[2] = {0, 0};
  size_t size = unescape(proto.text, proto.size, spoken, 2);
  if (spoken[0] != '1' || (size > 1 && spoken[1] != '.')) {
    nak("proto", ms);
    return;
  }
  if (!host_known_ || host != host_) {
    host_known_ = true;
    host_ = host;
    subscribed_ = false;
    executed_ = 0;
  }
  hello(seq_, ms);
}

void Table::ping(uint32_t ms) {
  uint32_t got = 0;
  if (!number("got", false, &got)) {
    nak("value", ms);
    return;
  }
  if (subscribed_ && got > memory_.got && got <= memory_.last) {
    memory_.got = got;
    seal();
  }
  open("PONG", memory_.last, ms);
  key("id");
  digits(seq_);
  key("boot");
  hex(memory_.boot, 8);
  close();
}

void Table::subscribe(uint32_t ms) {
  Value boot = value("boot");
  uint32_t wanted = 0, first = 0;
  if (!boot.given() || !parse_boot(boot.text, boot.size, &wanted) || !number("from", true, &first)) {
    nak("value", ms);
  } else if (wanted != memory_.boot) {
    nak("boot", ms);
  } else if (first < 1 || first - 1 > memory_.last) {
    nak("range", ms);
  } else if (first < first_kept()) {
    nak("gone", ms, first_kept());
  } else {
    subscribed_ = true;
    if (first - 1 > memory_.got) {
      memory_.got = first - 1;
      seal();
    }
    ack(ms);
    again(first, memory_.last);
  }
}

void Table::replay(uint32_t ms) {
  uint32_t first = 0, last = 0;
  if (!number("from", true, &first) || !number("to", true, &last)) {
    nak("value", ms);
  } else if (!subscribed_) {
    nak("unsub", ms);
  } else if (first < 1 || first > last || first > memory_.last) {
    nak("range", ms);
  } else if (first < first_kept()) {
    nak("gone", ms, first_kept());
  } else {
    ack(ms);
    again(first, last);
  }
}

void Table::again(uint32_t first, uint32_t last) {
  if (last > memory_.last) last = memory_.last;
  for (uint32_t seq = first; seq <= last && seq; ++seq) event_line(slot(seq), seq);
}

void Table::snapshot(uint32_t ms) {
  open("SNAP", memory_.last, ms);
  key("id");
  digits(seq_);
  for (uint8_t i = 0; i < kSnapKeys; ++i) {
    if (!memory_.snap[i][0]) continue;
    key(kSnapNames[i]);
    text(memory_.snap[i]);
  }
  close();
  open("SNAPEND", memory_.last, ms);
  key("id");
  digits(seq_);
  key("n");
  put('1');
  close();
}

void Table::command(uint32_t ms) {
  uint8_t probes = 0;
  const char *code = carry_out(ms, &probes);
  if (!code) {
    ack(ms);
  } else if (*code) {
    nak(code, ms);
  }
  for (uint8_t i = 1; i <= probes; ++i) emit(Event("PROBE").number("i", i), ms);
}

// nullptr: done, or done before; "": to be passed over in silence; else the code of a NAK.
const char *Table::carry_out(uint32_t ms, uint8_t *probes) {
  (void)ms;
  const char *needs;
  int8_t at = -1;
  uint32_t first = 0, second = 0;
  bool negative = false, fits = true;
  char colour[8] = {0};
  size_t colour_size = 0;
  if (!strcmp(type_, "DISP")) {
    needs = "score";
    Value shown = value("value");
    negative = shown.given() && shown.size && *shown.text == '-';
    fits = seat("seat", true, &at) && shown.given() &&
           parse_number(shown.text + negative, static_cast<size_t>(shown.size - negative), &first) &&
           first <= 0x7FFFFFFFu;
  } else if (!strcmp(type_, "LIGHT")) {
    needs = "light";
    Value name = value("c");
    fits = name.given() && name.size && seat("seat", false, &at) && number("blink", false, &first);
    if (fits) colour_size = unescape(name.text, name.size, colour, sizeof colour - 1);
  } else if (!strcmp(type_, "BEEP")) {
    needs = "beep";
    fits = number("ms", true, &first) && number("hz", false, &second);
  } else if (!strcmp(type_, "SHUFFLE")) {
    needs = "shuffle";
  } else if (!strcmp(type_, "TEST")) {
    needs = "test";
    fits = number("n", true, &first);
  } else {
    return "unknown";
  }
  if (!fits) return "value";
  if (seq_ < executed_) return "";
  if (seq_ == executed_) return nullptr;
  if (!can(needs)) return "off";

  const char *code = nullptr;
  if (*type_ == 'D') {
    int32_t shown = static_cast<int32_t>(first);
    code = device_.display(static_cast<uint8_t>(at), negative ? -shown : shown);
  } else if (*type_ == 'L') {
    bool known = false;
    for (const char *name : kColours) known = known || (strlen(name) == colour_size && !strcmp(name, colour));
    code = known ? device_.light(at, colour, first) : "value";
  } else if (*type_ == 'B') {
    code = device_.beep(first, second);
  } else if (*type_ == 'S') {
    code = device_.shuffle();
  } else if (first < 1 || first > kMostProbes) {
    code = "value";
  } else {
    *probes = static_cast<uint8_t>(first);
  }
  if (!code) executed_ = seq_;
  return code;
}

// Writing -------------------------------------------------------------------------------------------------------------

void Table::hello(uint32_t id, uint32_t ms) {
  open("HELLO", memory_.last, ms);
  key("id");
  digits(id);
  key("proto");
  text("1.0");
  key("boot");
  hex(memory_.boot, 8);
  key("vendor");
  text(identity_.vendor);
  key("model");
  text(identity_.model);
  key("fw");
  text(identity_.firmware);
  key("sn");
  text(identity_.serial);
  key("tiles");
  digits(identity_.tiles);
  key("caps");
  text(identity_.caps);
  close();
}

void Table::ack(uint32_t ms) {
  open("ACK", memory_.last, ms);
  key("id");
  digits(seq_);
  close();
}

void Table::nak(const char *code, uint32_t ms, uint32_t first) {
  open("NAK", memory_.last, ms);
  key("id");
  digits(seq_);
  key("code");
  text(code);
  if (first) {
    key("first");
    digits(first);
  }
  close();
}

void Table::event_line(const Slot &slot, uint32_t seq) {
  const char *rest = strchr(slot.body, ',');
  if (!rest) rest = slot.body + strlen(slot.body);
  crc_ = 0xFFFF;
  filled_ = 0;
  out_[filled_++] = '$';
  for (const char *at = slot.body; at != rest; ++at) put(*at);
  put(',');
  digits(seq);
  put(',');
  digits(slot.ms);
  text(rest);
  if (slot.was_seq) {
    key("was");
    hex(slot.was_boot, 8);
    put(';');
    digits(slot.was_seq);
  }
  close();
}

void Table::open(const char *type, uint32_t seq, uint32_t ms) {
  crc_ = 0xFFFF;
  filled_ = 0;
  out_[filled_++] = '$';
  text(type);
  put(',');
  digits(seq);
  put(',');
  digits(ms);
}

void Table::put(char c) {
  crc_ = crc16(crc_, c);
  out_[filled_++] = c;
  if (filled_ == sizeof out_) flush();
}

void Table::text(const char *s) {
  while (*s) put(*s++);
}

void Table::digits(uint32_t value) {
  char reversed[10];
  uint8_t n = 0;
  do {
    reversed[n++] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value);
  while (n) put(reversed[--n]);
}

void Table::hex(uint32_t value, uint8_t count) {
  while (count--) put(hex_digit(value >> (4 * count) & 15));
}

void Table::key(const char *key) {
  put(',');
  text(key);
  put('=');
}

void Table::close() {
  uint16_t crc = crc_;
  put('*');
  hex(crc, 4);
  put('\r');
  put('\n');
  flush();
}

void Table::flush() {
  if (filled_) write_(context_, out_, filled_);
  filled_ = 0;
}

}  // namespace table_line
