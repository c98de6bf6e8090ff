// Fixed point for exact tables. Also compiled as C++ (app/device/quantisation.h).

// v * scale is exact (scale is a power of two), so every device rounds alike: to nearest, half to even.
uint quantise(float v, float scale, float ceiling_) {
  return uint(roundEven(min(max(v, 0.0), ceiling_) * scale));
}
