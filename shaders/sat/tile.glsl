// A tile of TILE_WIDTH x TILE_HEIGHT pixels, for one work group of THREADS threads.
#include "shaders/sat/element.glsl"

#if TABLE_UINT
#define toBits(v) (v)
#define fromBits(v) (v)
#define Pair uvec2
#else
#define toBits(v) floatBitsToUint(v)
#define fromBits(v) uintBitsToFloat(v)
#define Pair vec2
#endif

layout(local_size_x = THREADS) in;
int thread = int(gl_LocalInvocationIndex);

const int kPixels = TILE_WIDTH * TILE_HEIGHT / THREADS;  // of a thread

// Image memory is fastest when 32 neighbouring threads access 16 x 2 pixels. While threads access images, 16 x 2
// threads share a strip of 16 columns and 2 kPixels rows. Each thread holds one pixel of every second row.
const int kStripsAcross = TILE_WIDTH / 16;
const int kStripsUp = TILE_HEIGHT / (2 * kPixels);
int column = thread / 32 % kStripsAcross * 16 + thread % 16;
int strip = thread / 32 / kStripsAcross;
int parity = thread / 16 % 2;
int rowOf(int k) { return (strip * kPixels + k) * 2 + parity; }

// While threads sum rows, each thread holds a run of kPixels neighbours in a row.
const int kRuns = TILE_WIDTH / kPixels;
int row = thread % TILE_HEIGHT;
int run = thread / TILE_HEIGHT;
int columnOf(int k) { return run * kPixels + k; }

// Pixels, 8 bytes each, on their way from strips to runs. With the odd pitch, accesses along rows and columns use every
// bank once.
shared uvec2 exchanged[TILE_HEIGHT][TILE_WIDTH + 1];
shared Scalar columnParts[2 * kStripsUp][4][TILE_WIDTH];  // sums of every second row of a strip
shared Scalar rowParts[kRuns][4][TILE_HEIGHT];            // sums of runs

Elements columnPart(int part, int x) {
  return Elements(columnParts[part][0][x], columnParts[part][1][x], columnParts[part][2][x], columnParts[part][3][x]);
}
Elements rowPart(int part, int y) {
  return Elements(rowParts[part][0][y], rowParts[part][1][y], rowParts[part][2][y], rowParts[part][3][y]);
}

// Reads the tile at `origin`. Returns the inclusive sums within this thread's run, and fills columnParts and rowParts;
// call barrier() before reading them. Beyond the image, its last row and column repeat: those
// pixels only reach sums that are not used.
void readTile(ivec2 origin, out Elements runs[kPixels]) {
  Texel texels[kPixels];
  for (int k = 0; k < kPixels; ++k)
    texels[k] = texelFetch(image, min(origin + ivec2(column, rowOf(k)), size - 1), 0);
  Elements sum = Elements(0);
  for (int k = 0; k < kPixels; ++k) sum += elementOf(texels[k]);
  for (int c = 0; c < 4; ++c) columnParts[2 * strip + parity][c][column] = sum[c];
#if FROM_TABLE
  for (int k = 0; k < kPixels; ++k) exchanged[rowOf(k)][column] = toBits(texels[k].xy);
  barrier();
  for (int k = 0; k < kPixels; ++k) runs[k].xy = fromBits(exchanged[row][columnOf(k)]);
  barrier();
  for (int k = 0; k < kPixels; ++k) exchanged[rowOf(k)][column] = toBits(texels[k].zw);
  barrier();
  for (int k = 0; k < kPixels; ++k) runs[k].zw = fromBits(exchanged[row][columnOf(k)]);
#else
  for (int k = 0; k < kPixels; ++k)
    exchanged[rowOf(k)][column] = uvec2(packHalf2x16(texels[k].xy), packHalf2x16(texels[k].zw));
  barrier();
  for (int k = 0; k < kPixels; ++k) {
    uvec2 halves = exchanged[row][columnOf(k)];
    runs[k] = elementOf(vec4(unpackHalf2x16(halves.x), unpackHalf2x16(halves.y)));
  }
#endif
  for (int k = 1; k < kPixels; ++k) runs[k] += runs[k - 1];
  for (int c = 0; c < 4; ++c) rowParts[run][c][row] = runs[kPixels - 1][c];
}

// A line is a column or a row of the tile; first come the columns, then the rows.
const int kLines = TILE_WIDTH + TILE_HEIGHT;

// The sum of channel c over a line of the tile.
Scalar sumOfLine(int c, int line) {
  Scalar sum = Scalar(0);
  if (line < TILE_WIDTH)
    for (int part = 0; part < 2 * kStripsUp; ++part) sum += columnParts[part][c][line];
  else
    for (int part = 0; part < kRuns; ++part) sum += rowParts[part][c][line - TILE_WIDTH];
  return sum;
}

// Computes two channels of the table of this thread's strip. `above` becomes the sum over the whole strip up to this
// column.
#define SCAN_STRIP(channels)                                                                            \
  {                                                                                                     \
    for (int k = 0; k < kPixels; ++k) exchanged[row][columnOf(k)] = toBits((left + runs[k]).channels);  \
    barrier();                                                                                          \
    Pair sum = Pair(0);                                                                                 \
    for (int k = 0; k < kPixels; ++k) {                                                                 \
      int y = (strip * kPixels + k) * 2;                                                                \
      Pair even = sum + fromBits(exchanged[y][column]);                                                 \
      sum = even + fromBits(exchanged[y + 1][column]);                                                  \
      table_[k].channels = parity == 0 ? even : sum;                                                    \
    }                                                                                                   \
    above.channels = sum;                                                                               \
    barrier();                                                                                          \
  }

// Returns the tables of the strips at this thread's pixels. Call after readTile() and barrier(). columnParts then
// begins with a row for each strip: the sums over the whole strip up to each column; call barrier() before reading it.
void scanStrips(Elements runs[kPixels], out Elements table_[kPixels]) {
  Elements left = Elements(0), above;
  for (int part = 0; part < kRuns; ++part)
    if (part < run) left += rowPart(part, row);
  SCAN_STRIP(xy)
  SCAN_STRIP(zw)
  if (parity == 0)
    for (int c = 0; c < 4; ++c) columnParts[strip][c][column] = above[c];
}
