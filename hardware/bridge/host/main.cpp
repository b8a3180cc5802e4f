// The bridge's protocol part as a program of the host.
//
//   bridge --pty       a table on a pseudo-terminal: prints its name, answers until standard input ends; every line of
//                      standard input ("DICE,v=3;5") becomes an event
//   bridge --script    for tests: reads commands, a line each, and prints after each one what was sent, in hex, and how
//                      many commands were carried out:
//                        T 1234          the clock is 1234 ms      B A1B2C3D4   starts, with this boot id
//                        R 24504900      bytes come in             K            the main loop comes by
//                        E DICE,v=3;5    an event happens
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "table_line.h"

namespace {

const table_line::Identity kIdentity = {
    "open", "bridge", "1.0", "0001", 136,
    "dice:2;wall.count;wall.head;wall.tail;handin;btn:4+1;score:4x6;light;beep;keep;test"};

table_line::Memory memory;

class Counting : public table_line::Device {
 public:
  const char *display(uint8_t, int32_t) override { return done(); }
  const char *light(int8_t, const char *, uint32_t) override { return done(); }
  const char *beep(uint32_t, uint32_t) override { return done(); }
  const char *shuffle() override { return "off"; }
  int count = 0;

 private:
  const char *done() {
    ++count;
    return nullptr;
  }
};

int script() {
  Counting device;
  table_line::Table table(kIdentity, memory, device,
                          [](void *, const char *data, size_t size) {
                            for (size_t i = 0; i < size; ++i) printf("%02x", static_cast<unsigned char>(data[i]));
                          },
                          nullptr);
  static char line[1 << 16];
  static char bytes[1 << 15];
  uint32_t now = 0;
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    const char *rest = line + (line[1] == ' ' ? 2 : 1);
    switch (line[0]) {
      case 'T': now = static_cast<uint32_t>(strtoul(rest, nullptr, 10)); break;
      case 'B': table.begin(static_cast<uint32_t>(strtoul(rest, nullptr, 16))); break;
      case 'K': table.tick(now); break;
      case 'E': table.emit_body(rest, now); break;
      case 'R': {
        size_t size = 0;
        for (unsigned value; sscanf(rest, "%2x", &value) == 1; rest += 2) bytes[size++] = static_cast<char>(value);
        table.received(bytes, size, now);
        break;
      }
      default: fprintf(stderr, "bridge: unknown command %c\n", line[0]); return 2;
    }
    printf(" %d\n", device.count);
    fflush(stdout);
  }
  return 0;
}

uint32_t clock_ms() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint32_t>(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

int pseudo_terminal() {
  const int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (master < 0 || grantpt(master) || unlockpt(master)) {
    perror("bridge: no pseudo-terminal");
    return 2;
  }
  const int slave = open(ptsname(master), O_RDWR | O_NOCTTY);  // kept open, so that a host may come and go
  termios raw;
  tcgetattr(slave, &raw);
  cfmakeraw(&raw);
  tcsetattr(slave, TCSANOW, &raw);
  printf("%s\n", ptsname(master));
  fflush(stdout);

  Counting device;
  int port = master;
  table_line::Table table(kIdentity, memory, device,
                          [](void *to, const char *data, size_t size) {
                            if (write(*static_cast<int *>(to), data, size) < 0) return;  // nobody reads: as on a wire
                          },
                          &port);
  table.begin(clock_ms() * 2654435761u ^ static_cast<uint32_t>(getpid()));
  pollfd waiting[2] = {{master, POLLIN, 0}, {0, POLLIN, 0}};
  for (;;) {
    poll(waiting, 2, 20);
    char data[256];
    if (waiting[0].revents & POLLIN) {
      const ssize_t size = read(master, data, sizeof data);
      if (size > 0) table.received(data, static_cast<size_t>(size), clock_ms());
    }
    if (waiting[1].revents) {
      if (!fgets(data, sizeof data, stdin)) return 0;
      data[strcspn(data, "\n")] = 0;
      table.emit_body(data, clock_ms());
    }
    table.tick(clock_ms());
  }
}

}  // namespace

int main(int count, char **words) {
  setvbuf(stdin, nullptr, _IONBF, 0);
  if (count == 2 && !strcmp(words[1], "--script")) return script();
  if (count == 2 && !strcmp(words[1], "--pty")) return pseudo_terminal();
  fprintf(stderr, "usage: bridge --pty | --script\n");
  return 2;
}
