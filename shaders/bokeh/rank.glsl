// Ranks in a work group of THREADS invocations.
shared uint takenBits[THREADS / 32];

// Returns how many invocations before this one set `taken`; `all`: how many do. All invocations call it.
uint rankOf(bool taken, out uint all) {
  uint thread = gl_LocalInvocationIndex, word = thread / 32u, bit = 1u << (thread % 32u);
  if (thread < THREADS / 32) takenBits[thread] = 0u;
  barrier();
  if (taken) atomicOr(takenBits[word], bit);
  barrier();
  uint before = bitCount(takenBits[word] & (bit - 1u));
  all = 0u;
  for (uint i = 0u; i < THREADS / 32; ++i) {
    uint count = uint(bitCount(takenBits[i]));
    if (i < word) before += count;
    all += count;
  }
  barrier();
  return before;
}
