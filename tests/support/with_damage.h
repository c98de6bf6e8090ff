#pragma once
#include <random>
#include <string>

namespace satdof::test {

// The bytes after this many changes of a random byte.
inline std::string withDamage(std::string bytes, std::mt19937& random, int changes) {
  for (; changes > 0; --changes) bytes[random() % bytes.size()] = static_cast<char>(random());
  return bytes;
}

// The bytes after one to four changes.
inline std::string withDamage(const std::string& bytes, std::mt19937& random) {
  return withDamage(bytes, random, 1 + static_cast<int>(random() % 4));
}

}  // namespace satdof::test
