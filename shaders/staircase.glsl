// The staircase disc: a union of axis-aligned rectangles that approximates a disc, so that a summed-area table can
// average over it, or a reversed one spread over it. With K steps a_0 > ... > a_{K-1} (half-widths of a unit disc) it is
//   sum_i rect(a_i, a_{K-1-i}) - sum_{i < K-1} rect(a_{i+1}, a_{K-1-i}),
// 2K - 1 rectangles of four corners each. Step sizes minimise the L2 distance to a disc. Also compiled as C++.
// A real radius R lies between the integer discs n = floor(R - 1/2) and n + 1, where disc n has the half-widths
// floor(a (n + 1/2)), that is 2 floor(a (n + 1/2)) + 1 pixels: interpolating their means is continuous in R.

float stair(int steps, int i) {
  if (steps == 1) return 0.886;
  if (steps == 2) return i == 0 ? 0.957 : 0.626;
  if (steps == 3) return i == 0 ? 0.973 : i == 1 ? 0.775 : 0.502;
  return i == 0 ? 0.983 : i == 1 ? 0.873 : i == 2 ? 0.746 : i == 3 ? 0.593 : 0.366;
}

int stairRectangles(int steps) { return 2 * steps - 1; }

// Half-width of rectangle `i` of 2K - 1, along one axis; the first K are added, the others taken away.
// `stretch` scales the axis (anamorphic lenses).
int stairHalfWidthX(int steps, int i, int n, float stretch) {
  int a = i < steps ? i : i - steps + 1;
  return int(stair(steps, a) * (float(n) + 0.5) * stretch);
}
int stairHalfWidthY(int steps, int i, int n) {
  int a = i < steps ? steps - 1 - i : 2 * steps - 1 - i;
  return int(stair(steps, a) * (float(n) + 0.5));
}
int stairSign(int steps, int i) { return i < steps ? 1 : -1; }

// The smaller of the two integer discs that enclose radius R, and the weight of the larger one.
int discIndex(float radius) { return max(int(radius - 0.5), 0); }
float discBlend(float radius) { return min(max(radius - 0.5 - float(discIndex(radius)), 0.0), 1.0); }
