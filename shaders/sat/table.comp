#version 450 core
// The whole table in one pass: decoupled look-back (Merrill and Garland 2016) in two dimensions, with a fallback
// (Smith, Levien and Owens 2025). With v(x, y) the element at (x, y) and the tile's first pixel at the origin,
//   T(x, y) = sum over x' <= x of (top(x') + sum over y' <= y of v(x', y')) + sum over y' <= y of left(y') + corner
// where top(x) is the sum of column x below the tile, left(y) the sum of row y left of the tile, and corner the sum of
// all pixels below and left of the tile. Reads each pixel once and writes it once.
//
// A work group that waits too long for a tile computes and publishes the items of that tile itself, so the dispatch
// ends even if no other work group makes progress.
#include "shaders/sat/look_back.glsl"

#if TABLE_UINT
layout(binding = 0, rgba32ui) writeonly restrict uniform uimage2D table;
#else
layout(binding = 0, rgba32f) writeonly restrict uniform image2D table;
#endif

const ivec2 kTileSize = ivec2(TILE_WIDTH, TILE_HEIGHT);
const int kSegment = 8;  // lines
const int kMaxSegments = max(TILE_WIDTH, TILE_HEIGHT) / kSegment;

ivec2 tiles = (size + kTileSize - 1) / kTileSize;
int indexOf(ivec2 tile) { return tile.y * tiles.x + tile.x; }

shared Scalar lineSums[4][kLines], total[4];          // of the tile
shared Scalar before[4][kLines];                      // top of columns, left of rows
shared Scalar cornerColumns[4][CARRY_EVERY];          // of the tiles below and left, by tile column
shared Scalar scannedBefore[4][kLines], corner[4];    // inclusive sums of segments of `before`
shared Elements carried[kLines];                      // what each column and each row adds to the table

// Place `place` on the diagonals (0, 0); (1, 0), (0, 1); (2, 0), ...
ivec2 onRisingDiagonal(int place) {
  int diagonal = int(sqrt(float(2 * place)));
  while (diagonal * (diagonal + 1) / 2 > place) --diagonal;
  int along = place - diagonal * (diagonal + 1) / 2;
  return ivec2(diagonal - along, along);
}

// The tile of each ticket, along diagonals: when a tile starts, the tiles left of it and below it have most likely
// published. With s tiles on the shorter side, diagonal d < s begins at ticket d (d + 1) / 2; the middle diagonals have
// s tiles each; the last s mirror the first s.
ivec2 tileAt(int place) {
  int shorter = min(tiles.x, tiles.y);
  int rising = shorter * (shorter + 1) / 2;
  int backward = tiles.x * tiles.y - 1 - place;
  if (place < rising) return onRisingDiagonal(place);
  if (backward < rising) return tiles - 1 - onRisingDiagonal(backward);
  int diagonal = shorter + (place - rising) / shorter, along = (place - rising) % shorter;
  return tiles.x < tiles.y ? ivec2(along, diagonal - along) : ivec2(diagonal - along, along);
}

bool isCarryTile(ivec2 tile, int line) { return isCarryTile(line < TILE_WIDTH ? tile.y : tile.x); }

// Fills lineSums. Publishes the lines that need no look-back. Call after readTile() and barrier().
void sumLines(ivec2 tile) {
  for (int item = thread; item < kLineItems; item += THREADS) {
    int c = item / kLines, line = item % kLines;
    Scalar sum = sumOfLine(c, line);
    lineSums[c][line] = sum;
    if (!isCarryTile(tile, line)) publish(indexOf(tile), item, sum);
  }
}

// Fills total. Publishes it if it needs no look-back. Call after sumLines() and barrier().
void sumTotal(ivec2 tile) {
  int c = thread;
  if (c >= 4) return;
  Scalar sum = Scalar(0);
  for (int y = 0; y < TILE_HEIGHT; ++y) sum += lineSums[c][TILE_WIDTH + y];
  total[c] = sum;
  if (!isCarryTile(tile.x) && !isCarryTile(tile.y)) publish(indexOf(tile), kLineItems + c, sum);
}

// Fills `before` and cornerColumns: all of them if the tile is written, else those that its items need. Publishes the
// lines of a carry tile. Call after sumLines().
void lookBack(ivec2 tile, bool isWritten) {
  ivec2 first = ivec2(firstBefore(tile.x), firstBefore(tile.y));
  ivec2 count = tile - first;
  for (int item = thread; item < kLineItems; item += THREADS) {
    int c = item / kLines, line = item % kLines;
    bool isColumn = line < TILE_WIDTH, carries = isCarryTile(tile, line);
    Scalar sum;
    int tilesBefore = !isWritten && !carries ? 0 : isColumn ? count.y : count.x;
    bool complete = sumOverTiles(indexOf(isColumn ? ivec2(tile.x, first.y) : ivec2(first.x, tile.y)),
                                 isColumn ? tiles.x : 1, tilesBefore, item, sum);
    before[c][line] = sum;
    if (complete && carries) publish(indexOf(tile), item, sum + lineSums[c][line]);
  }
  bool needsCorner = isWritten || isCarryTile(tile.x) && isCarryTile(tile.y);
  for (int item = THREADS - 1 - thread; item < 4 * CARRY_EVERY; item += THREADS) {
    int c = item / CARRY_EVERY, i = item % CARRY_EVERY;
    Scalar sum;
    sumOverTiles(indexOf(first) + i, tiles.x, needsCorner && i < count.x ? count.y : 0, kLineItems + c, sum);
    cornerColumns[c][i] = sum;
  }
}

// The sum of `before` over segments from..to - 1.
Scalar sumOfSegments(int c, int from, int to) {
  Scalar sum = Scalar(0);
  for (int i = 0; i < kMaxSegments; ++i)
    if (from + i < to) sum += scannedBefore[c][(from + i) * kSegment + kSegment - 1];
  return sum;
}

// Fills carried. Publishes the total of a carry tile. Call after lookBack() and barrier().
void scanCarries(ivec2 tile) {
  for (int item = thread; item < kLineItems; item += THREADS) {
    int c = item / kLines, line = item % kLines;
    Scalar sum = Scalar(0);
    for (int i = 0; i < kSegment; ++i)
      if (i <= line % kSegment) sum += before[c][line - line % kSegment + i];
    scannedBefore[c][line] = sum;
  }
  int last = THREADS - 1 - thread;
  if (last < 4) {
    Scalar sum = Scalar(0);
    for (int i = 0; i < CARRY_EVERY; ++i) sum += cornerColumns[last][i];
    corner[last] = sum;
  }
  barrier();
  for (int line = thread; line < kLines; line += THREADS) {
    bool isColumn = line < TILE_WIDTH;
    Elements sum;
    for (int c = 0; c < 4; ++c)
      sum[c] = sumOfSegments(c, isColumn ? 0 : TILE_WIDTH / kSegment, line / kSegment) + scannedBefore[c][line] +
               (isColumn ? corner[c] : Scalar(0));
    carried[line] = sum;
  }
  bvec2 carries = bvec2(isCarryTile(tile.x), isCarryTile(tile.y));
  if (last < 4 && any(carries)) {
    Scalar sum = total[last];
    if (carries.x) sum += sumOfSegments(last, TILE_WIDTH / kSegment, kLines / kSegment);
    if (carries.y) sum += sumOfSegments(last, 0, TILE_WIDTH / kSegment);
    if (all(carries)) sum += corner[last];
    publish(indexOf(tile), kLineItems + last, sum);
  }
  barrier();
}

void main() {
  ivec2 own = tileAt(takeTicket());
  Elements table_[kPixels];
  for (ivec2 tile = own;;) {
    if (thread == 0) awaited = 0u;
    stall(indexOf(tile), tile == own);
    Elements runs[kPixels];
    readTile(tile * kTileSize, runs);
    barrier();
    sumLines(tile);
    scanStrips(runs, table_);
    sumTotal(tile);
    lookBack(tile, tile == own);
    barrier();
    int missing = int(awaited) - 1;
    if (missing < 0) {
      scanCarries(tile);
      if (tile == own) break;
      tile = own;
    } else {
      tile = ivec2(missing % tiles.x, missing / tiles.x);
    }
    memoryBarrierBuffer();  // makes published items visible to all threads of this work group
    barrier();
  }

  Elements base = carried[column];
  for (int i = 0; i < kStripsUp; ++i)
    if (i < strip) base += columnPart(i, column);
  for (int k = 0; k < kPixels; ++k) {
    int y = rowOf(k);
    imageStore(table, own * kTileSize + ivec2(column, y), table_[k] + (base + carried[TILE_WIDTH + y]));
  }
}
