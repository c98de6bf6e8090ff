// Fixed point for exact tables. Also compiled as C++ (app/sat/fixed_point.h).

// v * scale is exact (scale is a power of two), so every backend rounds alike: half up.
uint quantise(float v, float scale, float ceiling_) { return uint(min(max(v, 0.0), ceiling_) * scale + 0.5); }
