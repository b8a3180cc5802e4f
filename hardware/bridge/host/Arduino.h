// As much of Arduino as the sketch uses, so that it can be compiled and driven on the host (sketch.cpp).
#ifndef ARDUINO_H
#define ARDUINO_H

#include <stddef.h>
#include <stdint.h>

enum { LOW, HIGH, INPUT, OUTPUT, INPUT_PULLUP, MSBFIRST, A0 = 54 };

struct HostSerial {
  void begin(unsigned long baud);
  int available();
  int read();
  size_t write(const char *data, size_t size);
};
extern HostSerial Serial;

void pinMode(uint8_t pin, uint8_t mode);
int digitalRead(uint8_t pin);
void digitalWrite(uint8_t pin, uint8_t level);
int analogRead(uint8_t pin);
void shiftOut(uint8_t data, uint8_t clock, uint8_t order, uint8_t value);
void tone(uint8_t pin, unsigned hz, unsigned long ms);
uint32_t millis();
uint32_t micros();

#endif
