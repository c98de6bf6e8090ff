// Communication between tiles. An item is the sum of one channel over a line of a tile or over the whole tile. Every
// CARRY_EVERY-th tile along an axis is a carry tile: its items include all tiles before it along that axis. So the sum
// over all tiles before a tile takes at most CARRY_EVERY items, always the same ones, in the same order.
//
// An item is two words. The low half of a word is the number of the build, the high half is half of the value, so each
// word is valid or not on its own. Words need neither an order in memory nor clearing between builds. An item has one
// value in a build, whichever work group publishes it, so it may be published twice.
#include "shaders/sat/tile.glsl"

layout(std430, binding = 0) coherent volatile buffer Words {
  uint tickets;  // taken in all builds
  uint unused[7];
  uvec2 words[];
};
uniform uint build;  // 16 bits, not 0
uniform uint firstTicket;

shared uint ticket;
// Work groups take tiles in the order in which they start, so the work groups of all earlier tiles have started.
int takeTicket() {
  if (thread == 0) ticket = atomicAdd(tickets, 1u) - firstTicket;
  barrier();
  return int(ticket);
}

// The items of a tile: its lines, channel by channel, then its totals.
const int kLineItems = 4 * kLines;
const int kItems = kLineItems + 4;

uvec2 wordsOf(Scalar value) {
  uint bits = toBits(value);
  return uvec2(bits << 16, bits & 0xffff0000u) | build;
}
Scalar valueOf(uvec2 pair) { return fromBits(pair.x >> 16 | pair.y & 0xffff0000u); }
bool isValid(uvec2 pair) { return (pair.x & 0xffffu) == build && (pair.y & 0xffffu) == build; }

#if STALL_EVERY > 0
// For tests: one work group in STALL_EVERY publishes no item of its own tile until another one has published the items,
// or until
// STALL_POLLS polls have passed.
int stallPollsLeft = STALL_POLLS;
shared bool silent;
void stall(int tileIndex, bool isOwn) {
  if (thread == 0) {
    silent = isOwn && tileIndex % STALL_EVERY == STALL_EVERY - 1;
    for (; silent && stallPollsLeft > 0; --stallPollsLeft) silent = !isValid(words[tileIndex * kItems + kLineItems]);
  }
}
#define MAY_PUBLISH !silent
#else
void stall(int tileIndex, bool isOwn) {}
#define MAY_PUBLISH true
#endif

void publish(int tileIndex, int item, Scalar value) {
  if (MAY_PUBLISH) words[tileIndex * kItems + item] = wordsOf(value);
}

bool isCarryTile(int t) { return t % CARRY_EVERY == CARRY_EVERY - 1; }
// Tiles firstBefore(t) to t - 1 hold the sum over all tiles before t.
int firstBefore(int t) { return max(t / CARRY_EVERY * CARRY_EVERY - 1, 0); }

shared uint awaited;  // 1 + index of a tile whose item is missing, or 0

// Sums an item over `count` tiles, `stride` apart. Returns true if all words arrived within POLLS polls; else sets
// `awaited`.
bool sumOverTiles(int firstTile, int stride, int count, int item, out Scalar sum) {
  uvec2 found[CARRY_EVERY];
  for (int i = 0; i < CARRY_EVERY; ++i) found[i] = uvec2(0);
  bool complete = count == 0;
  for (int poll = 0; poll < POLLS && !complete; ++poll) {
    for (int i = 0; i < CARRY_EVERY; ++i)
      if (i < count && !isValid(found[i])) found[i] = words[(firstTile + i * stride) * kItems + item];
    complete = true;
    for (int i = 0; i < CARRY_EVERY; ++i)
      if (i < count && !isValid(found[i])) complete = false;
  }
  sum = Scalar(0);
  for (int i = 0; i < CARRY_EVERY; ++i)
    if (i < count) {
      if (!isValid(found[i])) atomicMax(awaited, uint(firstTile + i * stride) + 1u);
      sum += valueOf(found[i]);
    }
  return complete;
}
