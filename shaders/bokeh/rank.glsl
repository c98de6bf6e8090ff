// Ranks in a work group of THREADS invocations.
shared uint takenBits[THREADS / 32];

// Returns the number of invocations before this one that set `taken`. `all`: the number of all that do. All invocations
// must call it.
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
