// The whole sketch on the host, its pins driven from standard input, for tests. A line each:
//
//   P 22 0     pin 22 goes low            R 2450...   bytes come in over the line
//   T 1234     the clock moves on to 1234 ms, the main loop running every millisecond
//
// What the sketch sends goes to standard output; after each line comes one that is empty but for a full stop.
#include "Arduino.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace {
uint32_t now_ms = 0;
int levels[64];
char incoming[4096];
size_t taken = 0, filled = 0;
}  // namespace

HostSerial Serial;
void HostSerial::begin(unsigned long) {}
int HostSerial::available() { return static_cast<int>(filled - taken); }
int HostSerial::read() { return taken < filled ? static_cast<unsigned char>(incoming[taken++]) : -1; }
size_t HostSerial::write(const char *data, size_t size) { return fwrite(data, 1, size, stdout); }

void pinMode(uint8_t pin, uint8_t mode) {
  if (mode == INPUT_PULLUP) levels[pin] = HIGH;
}
int digitalRead(uint8_t pin) { return levels[pin]; }
void digitalWrite(uint8_t pin, uint8_t level) { levels[pin] = level; }
int analogRead(uint8_t) { return 512; }
void shiftOut(uint8_t, uint8_t, uint8_t, uint8_t) {}
void tone(uint8_t, unsigned, unsigned long) {}
uint32_t millis() { return now_ms; }
uint32_t micros() { return now_ms * 1000; }

#include "table_bridge.ino"

int main() {
  setup();
  char line[8192];
  while (fgets(line, sizeof line, stdin)) {
    char *rest = line + 2;
    if (line[0] == 'P') {
      const long pin = strtol(rest, &rest, 10);
      levels[pin & 63] = strtol(rest, nullptr, 10) ? HIGH : LOW;
    } else if (line[0] == 'R') {
      taken = filled = 0;
      for (unsigned value; filled < sizeof incoming && sscanf(rest, "%2x", &value) == 1; rest += 2) {
        incoming[filled++] = static_cast<char>(value);
      }
      loop();
    } else {
      for (const uint32_t until = static_cast<uint32_t>(strtoul(rest, nullptr, 10)); now_ms < until; ++now_ms) loop();
    }
    puts(".");
    fflush(stdout);
  }
  return 0;
}
