#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

// What compactions, sorts and convolutions give, by plain loops.
namespace satdof::test {

using Words = std::vector<std::uint32_t>;

inline Words randomWords(std::size_t count, std::uint32_t below, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::uint32_t> pick(0, below - 1);
  Words words(count);
  for (auto& word : words) word = pick(random);
  return words;
}

// Every i with flags[i] == 1.
inline Words keptIndices(const Words& flags) {
  Words all(flags.size()), kept;
  std::iota(all.begin(), all.end(), 0u);
  std::ranges::copy_if(all, std::back_inserter(kept), [&](std::uint32_t i) { return flags[i] == 1; });
  return kept;
}

struct Sorted {
  Words keys, values;
};

inline Sorted stableSorted(const Words& keys, const Words& values) {
  Words order(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return keys[i]; });
  Sorted sorted;
  for (const std::uint32_t i : order) {
    sorted.keys.push_back(keys[i]);
    sorted.values.push_back(values[i]);
  }
  return sorted;
}

// Integers from -100 to 100, or floats from -1 to 1.
template <class T>
std::vector<T> randomElements(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> elements(count);
  for (T& element : elements)
    if constexpr (std::is_integral_v<T>)
      element = std::uniform_int_distribution<T>(-100, 100)(random);
    else
      element = std::uniform_real_distribution<T>(-1, 1)(random);
  return elements;
}

// Exact for integers: int64_t. For floats double, with the sum of the magnitudes of the products.
template <class T>
struct Convolved {
  using Wide = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;
  std::vector<Wide> sums;
  std::vector<double> magnitudes;
};

// `mask`: width, height and weights.
template <class T, class Mask>
Convolved<T> convolved(int width, int height, int channels, const std::vector<T>& image, const Mask& mask) {
  using Wide = typename Convolved<T>::Wide;
  Convolved<T> found;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c) {
        Wide sum{};
        double magnitude = 0;
        for (int j = 0; j < mask.height; ++j)
          for (int i = 0; i < mask.width; ++i) {
            const int column = std::clamp(x + i - mask.width / 2, 0, width - 1);
            const int row = std::clamp(y + j - mask.height / 2, 0, height - 1);
            const Wide product =
                static_cast<Wide>(mask.weights[static_cast<std::size_t>(j * mask.width + i)]) *
                static_cast<Wide>(image[static_cast<std::size_t>((row * width + column) * channels + c)]);
            sum += product;
            magnitude += std::abs(static_cast<double>(product));
          }
        found.sums.push_back(sum);
        found.magnitudes.push_back(magnitude);
      }
  return found;
}

}  // namespace satdof::test
