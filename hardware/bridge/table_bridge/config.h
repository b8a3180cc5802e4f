// The wiring and the table: change these lines, nothing else. The pins are for an Arduino Mega 2560.
#ifndef CONFIG_H
#define CONFIG_H

#include <stdint.h>

#define TABLE_VENDOR "open"
#define TABLE_MODEL "bridge"
#define TABLE_FIRMWARE "1.0"
#define TABLE_SERIAL "0001"
#define TABLE_TILES 136
#define TABLE_HAND 13        // tiles a player holds: how many are dealt
#define TABLE_SEATS 4

// What is wired. A capability that is not named counts as unknown, never as zero: name only what is there.
#define TABLE_CAPS "dice:2;wall.count;wall.head;wall.tail;handin;btn:4+1;score:4x6;light;beep;keep;test"

// Lamps of the two dice through opto-couplers, low when lit: middle, diagonal, other diagonal, sides.
static const uint8_t kDicePins[2][4] = {{22, 23, 24, 25}, {26, 27, 28, 29}};

// Buttons to ground: each seat's, then the centre's; what they are called in BTN (section 6).
static const uint8_t kButtonPins[5] = {30, 31, 32, 33, 34};
static const char *const kButtonNames[5] = {"win", "win", "win", "win", "raise"};

// Light barriers, high when covered: where the wall is used up (head and tail), and in the hatch tiles fall through.
static const uint8_t kHeadPin = 35, kTailPin = 36, kDropPin = 37;
static const uint16_t kTileLeast = 8, kTileMost = 400, kDropQuiet = 4000;

// One reflective sensor under each stack place of each side would be 68 pins; the lift's own position switches, one a
// side, pulse once a stack as the wall comes up.
static const uint8_t kStackPins[4] = {38, 39, 40, 41};
static const uint16_t kStackQuiet = 1500;

// Lamps: red, green, blue of each seat and of the centre. Buzzer. Score displays: four MAX7219 in a chain.
static const uint8_t kLightPins[5][3] = {{2, 3, 4}, {5, 6, 7}, {8, 9, 10}, {11, 12, 13}, {44, 45, 46}};
static const uint8_t kBuzzerPin = 47;
static const uint8_t kDisplayData = 51, kDisplayClock = 52, kDisplaySelect = 53;

#endif
