#include "app/filter/mask.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "app/core/field_json.h"
#include "app/core/files/files.h"
#include "app/core/text/foreign_text.h"
#include "app/core/usage_error.h"

namespace satdof {

namespace {

using json::Json;

constexpr std::size_t kMaxBytes = 1 << 20, kMaxKeys = 100;
constexpr double kMaxNumber = 65504.0;  // of weights and offset: the largest half float

std::size_t areaOf(const FilterMask& mask) {
  return static_cast<std::size_t>(mask.width) * static_cast<std::size_t>(mask.height);
}

// Weights of a Gaussian of standard deviation radiusPx / 2, from -radiusPx to radiusPx; they sum to 1.
std::vector<float> gaussian(int radiusPx) {
  const double deviation = 0.5 * radiusPx;
  std::vector<double> values;
  double sum = 0;
  for (int i = -radiusPx; i <= radiusPx; ++i) {
    values.push_back(std::exp(-0.5 * i * i / (deviation * deviation)));
    sum += values.back();
  }
  std::vector<float> weights;
  weights.reserve(values.size());
  for (const double value : values) weights.push_back(static_cast<float>(value / sum));
  return weights;
}

FilterMask productOf(std::vector<float> x, std::vector<float> y) {
  FilterMask mask{.width = static_cast<int>(x.size()), .height = static_cast<int>(y.size()), .weights = {}};
  for (const float v : y)
    for (const float u : x) mask.weights.push_back(u * v);
  mask.x = std::move(x);
  mask.y = std::move(y);
  return mask;
}

FilterMask blur(int radiusPx) { return productOf(gaussian(radiusPx), gaussian(radiusPx)); }

FilterMask sharpen(int radiusPx) {
  FilterMask mask = blur(radiusPx);
  for (float& weight : mask.weights) weight = -weight;
  mask.weights[mask.weights.size() / 2] += 2.0f;
  separate(mask);
  return mask;
}

FilterMask square(std::array<float, 9> weights) {
  FilterMask mask{.width = 3, .height = 3, .weights = {weights.begin(), weights.end()}};
  separate(mask);
  return mask;
}

// A row for each name of filterMasks(). Weights begin with the bottom row.
struct BuiltIn {
  const char* name;
  FilterMask (*make)(int radiusPx);
  bool hasRadius = false;
};
constexpr std::array kBuiltIn = {
    BuiltIn{"none", [](int) { return FilterMask{}; }},
    BuiltIn{"blur", blur, true},
    BuiltIn{"sharpen", sharpen, true},
    BuiltIn{"edges",
            [](int) {
              return square({-1, -1, -1, -1, 8, -1, -1, -1, -1});
            }},
    BuiltIn{"emboss",
            [](int) {
              return square({0, -1, -2, 1, 1, -1, 2, 1, 0});
            }},
};

const BuiltIn* builtIn(const MaskName& mask) {
  const auto* const found = std::ranges::find(kBuiltIn, mask.text, &BuiltIn::name);
  return found == kBuiltIn.end() ? nullptr : found;
}

// Reads the values of one file. Every error names the file and the key.
class Reader {
 public:
  Reader(std::string_view text, const std::string& origin)
      : source_{"the mask", origin, kMaxKeys}, json_(json::parseObject(text, source_)) {}

  [[noreturn]] void refuse(const std::string& why) const { throw json::cannotRead(source_, why); }

  void requireKnownKeys() const {
    for (const auto& item : json_.items())
      if (std::ranges::find(kKeys, item.key()) == kKeys.end())
        refuse("unknown key " + inQuotes(item.key()) + "; use width, height, weights, x, y, scale and offset");
  }

  bool has(const char* key) const { return json_.contains(key); }

  int side(const char* key) const {
    if (!has(key)) refuse(inQuotes(key) + " is missing");
    const Json& value = json_[key];
    if (!value.is_number_integer() || value < 1 || value > kMaxMaskSide || value.get<int>() % 2 == 0)
      refuse(inQuotes(key) + " must be an odd whole number from 1 to 63, not " + json::shown(value));
    return value.get<int>();
  }

  float number(const char* key, float otherwise) const {
    return has(key) ? finite(json_[key], inQuotes(key)) : otherwise;
  }

  std::vector<float> numbers(const char* key, std::size_t count) const {
    if (!has(key)) refuse(inQuotes(key) + " is missing");
    const Json& list = json_[key];
    if (!list.is_array()) refuse(inQuotes(key) + " must be a list of numbers");
    if (list.size() != count)
      refuse(inQuotes(key) + " must have " + std::to_string(count) + " numbers, not " + std::to_string(list.size()));
    std::vector<float> values;
    for (const Json& value : list)
      values.push_back(finite(value, inQuotes(key) + " number " + std::to_string(values.size() + 1)));
    return values;
  }

  float finite(const Json& value, const std::string& where) const {
    if (!value.is_number() || !(std::abs(value.get<double>()) <= kMaxNumber))
      refuse(where + " must be a number from -65504 to 65504, not " + json::shown(value));
    return value.get<float>();
  }

 private:
  static constexpr std::array<std::string_view, 7> kKeys = {"width", "height", "weights", "x", "y", "scale", "offset"};

  const json::Source source_;
  const Json json_;
};

FilterMask readMask(const std::filesystem::path& path) {
  std::string text;
  try {
    text = readWholeFile(path, kMaxBytes);
  } catch (const std::runtime_error& error) {
    throw UsageError(std::string(error.what()) + "; give a JSON file with width, height and weights");
  }
  return parseMask(text, path.string());
}

}  // namespace

FilterMask maskOf(const FilterSettings& filter) {
  if (filter.mask.isFile()) return readMask(filter.mask.text);
  const BuiltIn* const found = builtIn(filter.mask);
  if (found == nullptr) throw UsageError("unknown filter " + pathText(filter.mask.text) + "; --list shows the filters");
  return found->make(filter.radiusPx);
}

int maskReachPx(const FilterSettings& filter) {
  if (filter.mask.isFile()) return kMaxMaskSide / 2;
  const FilterMask mask = maskOf(filter);
  return std::max(mask.width, mask.height) / 2;
}

bool hasRadius(const MaskName& mask) {
  const BuiltIn* const found = builtIn(mask);
  return found != nullptr && found->hasRadius;
}

FilterSettings atScale(FilterSettings filter, float scale) {
  if (scale == 1.0f) return filter;
  const auto radiusPx = static_cast<int>(std::lround(scale * static_cast<float>(filter.radiusPx)));
  if (hasRadius(filter.mask) && radiusPx > 0)
    filter.radiusPx = radiusPx;
  else
    filter.mask = {};
  return filter;
}

FilterMask parseMask(std::string_view text, const std::string& origin) {
  const Reader reader(text, origin);
  reader.requireKnownKeys();
  FilterMask mask{.width = reader.side("width"), .height = reader.side("height"), .weights = {}};
  const bool factors = reader.has("x") || reader.has("y");
  if (factors && reader.has("weights")) reader.refuse("give either weights, or x and y");
  const float scale = reader.number("scale", 1.0f);
  if (factors) {
    std::vector<float> x = reader.numbers("x", static_cast<std::size_t>(mask.width));
    std::vector<float> y = reader.numbers("y", static_cast<std::size_t>(mask.height));
    std::ranges::reverse(y);
    for (float& weight : x) weight *= scale;
    mask = productOf(std::move(x), std::move(y));
  } else {
    const std::vector<float> fromTop = reader.numbers("weights", areaOf(mask));
    for (int row = mask.height - 1; row >= 0; --row) {
      const auto begin = fromTop.begin() + static_cast<std::ptrdiff_t>(row) * mask.width;
      std::transform(begin, begin + mask.width, std::back_inserter(mask.weights),
                     [&](float weight) { return weight * scale; });
    }
    separate(mask);
  }
  if (!std::ranges::all_of(mask.weights, [](float weight) { return std::isfinite(weight); }))
    reader.refuse("a weight times the scale is too large");
  mask.offset = reader.number("offset", 0.0f);
  return mask;
}

void separate(FilterMask& mask) {
  const auto magnitude = [](float weight) { return std::abs(weight); };
  const auto pivot = std::ranges::max_element(mask.weights, {}, magnitude) - mask.weights.begin();
  const auto width = static_cast<std::ptrdiff_t>(mask.width);
  const auto weight = [&](std::ptrdiff_t i, std::ptrdiff_t j) {
    return static_cast<double>(mask.weights[static_cast<std::size_t>(j * width + i)]);
  };
  const std::ptrdiff_t column = pivot % width, row = pivot / width;
  const double largest = weight(column, row);
  mask.x.clear();
  mask.y.clear();
  if (largest == 0.0) return;
  std::vector<float> x, y;
  for (std::ptrdiff_t i = 0; i < width; ++i) x.push_back(static_cast<float>(weight(i, row) / largest));
  for (std::ptrdiff_t j = 0; j < mask.height; ++j) y.push_back(static_cast<float>(weight(column, j)));
  for (std::ptrdiff_t j = 0; j < mask.height; ++j)
    for (std::ptrdiff_t i = 0; i < width; ++i) {
      const double product =
          static_cast<double>(x[static_cast<std::size_t>(i)]) * static_cast<double>(y[static_cast<std::size_t>(j)]);
      if (!(std::abs(product - weight(i, j)) <= kSeparableTolerance * std::abs(largest))) return;
    }
  mask.x = std::move(x);
  mask.y = std::move(y);
}

FilterPlan filterPlan(const FilterMask& mask, FilterForm form) {
  if (form == FilterForm::separable && !mask.separable())
    throw std::runtime_error(
        "the mask of the filter is not separable: it is not the product of a row and a column; choose "
        "--filter-form auto");
  if (form == FilterForm::automatic)
    form = mask.separable() && mask.width > 1 && mask.height > 1 ? FilterForm::separable : FilterForm::direct;
  if (form == FilterForm::direct) return {{{mask.width, mask.height, mask.weights}}, mask.offset};
  return {{{mask.width, 1, mask.x}, {1, mask.height, mask.y}}, mask.offset};
}

}  // namespace satdof
