#pragma once
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

// Numbers in text, independent of the locale. Nothing where there is no number, or one outside the range of T.
namespace satdof {

// Removes the number that the text starts with.
template <class T>
std::optional<T> takeNumber(std::string_view& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

// Returns the number that the text starts with.
template <class T>
std::optional<T> leadingNumber(std::string_view text) {
  return takeNumber<T>(text);
}

// Returns the number that is the whole text.
template <class T>
std::optional<T> numberInText(std::string_view text) {
  const std::optional<T> value = takeNumber<T>(text);
  return text.empty() ? value : std::nullopt;
}

}  // namespace satdof
