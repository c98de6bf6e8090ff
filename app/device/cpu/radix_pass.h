#pragma once
#include <cstdint>
#include <numeric>
#include <span>

#include "app/device/cpu/pieces.h"

namespace satdof {

// A stable pass of a radix sort by digits of eight bits, on all threads: each thread counts the digits of a piece, a
// scan over digits and pieces turns counts into places, and each thread moves its piece.
inline constexpr std::size_t kRadixDigits = 256;

// Adds to counts[b] the number of elements i of [begin, end) with bin(i) == b, for b < kBins. Few bins get four sets of
// counters: increments of neighbours with the same bin do not wait for each other.
template <std::size_t kBins, class Bin>
void addHistogram(std::size_t begin, std::size_t end, const Bin& bin, std::uint32_t* counts) {
  constexpr std::size_t kLanes = kBins <= 256 ? 4 : 1, kMore = (kLanes - 1) * kBins;
  std::uint32_t more[kMore + 1] = {};
  std::uint32_t* lanes[kLanes] = {counts};
  for (std::size_t lane = 1; lane < kLanes; ++lane) lanes[lane] = more + (lane - 1) * kBins;
  std::size_t i = begin;
  for (; i + kLanes <= end; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) ++lanes[lane][bin(i + lane)];
  for (; i < end; ++i) ++counts[bin(i)];
  for (std::size_t k = 0; k < kMore; ++k) counts[k % kBins] += more[k];
}

// Writes to places[digit * pieces.pieces + piece] the place of the piece's first record with this digit. `places` has
// kRadixDigits * pieces.pieces elements. digitOf(i): the digit of record i. Cost: 1 read of the keys.
template <class Digit>
void findPlaces(ThreadPool& pool, const Pieces& pieces, const Digit& digitOf, std::span<std::uint32_t> places) {
  pieces.forEach(pool, [&](std::size_t piece, std::size_t begin, std::size_t end) {
    std::uint32_t counts[kRadixDigits] = {};
    addHistogram<kRadixDigits>(begin, end, Digit(digitOf), counts);
    for (std::size_t digit = 0; digit < kRadixDigits; ++digit) places[digit * pieces.pieces + piece] = counts[digit];
  });
  std::exclusive_scan(places.begin(), places.end(), places.begin(), 0u);
}

// Calls move(i, place) for every record i, with the places of findPlaces(). Cost: 1 read of the keys, and the moves.
template <class Digit, class Move>
void moveToPlaces(ThreadPool& pool, const Pieces& pieces, const Digit& digitOf, std::span<const std::uint32_t> places,
                  const Move& move) {
  pieces.forEach(pool, [&](std::size_t piece, std::size_t begin, std::size_t end) {
    const Digit digit = digitOf;
    const Move moved = move;
    std::uint32_t next[kRadixDigits];
    for (std::size_t k = 0; k < kRadixDigits; ++k) next[k] = places[k * pieces.pieces + piece];
    for (std::size_t i = begin; i < end; ++i) moved(i, next[digit(i)]++);
  });
}

}  // namespace satdof
