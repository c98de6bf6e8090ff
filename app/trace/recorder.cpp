#include "app/trace/recorder.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "app/core/text/number.h"

namespace satdof::trace {

namespace {

constexpr unsigned kBankBytes = 4, kSectorBytes = 32;
constexpr unsigned kTileWordBytes = 8;  // TileWord of cuda/scan/lookback.cuh

StepKind kindOf(emulator::Kind kind) {
  switch (kind) {
    case emulator::Kind::read:
    case emulator::Kind::relaxedRead:
      return StepKind::read;
    case emulator::Kind::write:
    case emulator::Kind::relaxedWrite:
      return StepKind::write;
    case emulator::Kind::atomic:
      break;
  }
  return StepKind::atomic;
}

// Returns the turns that the banks of shared memory take for an access. A bank serves one word a turn, to all lanes
// that read this word; atomics on one word take a turn each. Lanes are served in groups whose words all banks together
// hold.
unsigned passesOf(StepKind kind, unsigned bytes, std::span<const Lane> lanes, unsigned banks) {
  const unsigned group = std::min(kWarpSize, std::max(1u, banks * kBankBytes / std::max(bytes, kBankBytes)));
  unsigned all = 0;
  for (unsigned first = 0; first < kWarpSize; first += group) {
    std::array<std::vector<std::uint32_t>, kWarpSize> words;  // by bank
    for (const Lane& lane : lanes) {
      if (lane.lane < first || lane.lane >= first + group) continue;
      for (std::uint32_t word = lane.offset / kBankBytes; word * kBankBytes < lane.offset + bytes; ++word) {
        auto& bankWords = words[word % banks];
        if (kind == StepKind::atomic || std::ranges::find(bankWords, word) == bankWords.end())
          bankWords.push_back(word);
      }
    }
    std::size_t most = 0;
    for (const auto& bankWords : words) most = std::max(most, bankWords.size());
    all += static_cast<unsigned>(most);
  }
  return all;
}

// Sectors of global memory that an access touches, and the least that its bytes would fill without gaps.
struct Sectors {
  unsigned touched, least;
};

Sectors sectorsOf(unsigned bytes, std::span<const Lane> lanes) {
  std::vector<std::uint32_t> begins, sectors;
  for (const Lane& lane : lanes) begins.push_back(lane.offset);
  std::ranges::sort(begins);
  unsigned distinct = 0;
  std::uint32_t end = 0;
  for (const std::uint32_t begin : begins) {
    distinct += begin + bytes - std::min(std::max(begin, end), begin + bytes);
    end = std::max(end, begin + bytes);
    for (std::uint32_t sector = begin / kSectorBytes; sector * kSectorBytes < begin + bytes; ++sector)
      if (sectors.empty() || sectors.back() < sector) sectors.push_back(sector);
  }
  return {static_cast<unsigned>(sectors.size()), (distinct + kSectorBytes - 1) / kSectorBytes};
}

Extent3 extentOf(const dim3& size) { return {size.x, size.y, size.z}; }

}  // namespace

Recorder::Recorder(bool keepsSteps, const std::vector<NamedMemory>& names, unsigned banks)
    : keepsSteps_(keepsSteps), banks_(banks), names_(names) {}

void Recorder::began(const emulator::Launch& launch) {
  LaunchInfo info;
  info.kernel = emulator::nameOf(launch.kernel);
  info.grid = extentOf(launch.grid);
  info.block = extentOf(launch.block);
  info.sharedBytes = launch.sharedBytes;
  std::erase_if(regions_, [&](const auto& each) {
    return trace_.buffers[each.second.buffer].space == Space::shared;  // their sizes may change
  });
  lastRegion_ = {};
  trace_.counts.launches.push_back(std::move(info));
  for (const auto& [begin, region] : regions_) keepContents(region.buffer, begin, region.end - begin);
  const unsigned threads = launch.block.x * launch.block.y * launch.block.z;
  for (Block& block : blocks_) block.warps.resize((threads + kWarpSize - 1) / kWarpSize);
  turns_.clear();
}

void Recorder::beganBlock(const emulator::Place& block) { blocks_[block.slot].place = block; }

void Recorder::endedBlock(const emulator::Place& block) {
  flushBlock(block);
  LaunchInfo& launch = trace_.counts.launches.back();
  launch.depth = std::max(launch.depth, std::exchange(blocks_[block.slot].depth, 0));
  blocks_[block.slot].place.reset();
}

// A fault ends a launch while blocks still run.
void Recorder::ended() {
  for (const Block& block : blocks_)
    if (block.place) endedBlock(emulator::Place(*block.place));
  sortByTurns();
}

void Recorder::sortByTurns() {
  if (std::ranges::is_sorted(turns_)) return;
  std::vector<std::size_t> order(turns_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return turns_[i]; });
  const auto from = trace_.steps.end() - static_cast<std::ptrdiff_t>(order.size());
  const std::vector<Step> steps(from, trace_.steps.end());
  std::ranges::transform(order, from, [&](std::size_t i) { return steps[i]; });
}

std::uint32_t Recorder::bufferOf(const emulator::Access& access) {
  const std::uintptr_t address = access.address;
  if (address >= lastRegion_.begin && address < lastRegion_.end) return lastRegion_.buffer;
  if (auto after = regions_.upper_bound(address); after != regions_.begin()) {
    --after;
    if (address < after->second.end) return (lastRegion_ = after->second).buffer;
  }
  emulator::Memory memory = emulator::memoryAt(address);
  if (memory.begin == 0) memory = {address, access.bytes, "shared variable"};
  const auto known = std::ranges::find(addresses_, memory.begin);
  const auto number = static_cast<std::uint32_t>(known - addresses_.begin());
  lastRegion_ = {memory.begin, memory.begin + memory.bytes, number};
  regions_[memory.begin] = lastRegion_;
  if (known != addresses_.end()) {
    trace_.buffers[number].bytes = std::max(trace_.buffers[number].bytes, memory.bytes);
    return number;
  }
  Buffer buffer;
  buffer.bytes = memory.bytes;
  buffer.elementBytes = access.bytes;
  const bool relaxed = access.kind == emulator::Kind::relaxedRead || access.kind == emulator::Kind::relaxedWrite;
  buffer.holdsTileWords = relaxed && access.bytes >= kTileWordBytes;
  if (buffer.holdsTileWords) buffer.elementBytes = kTileWordBytes;
  if (access.space == emulator::Space::shared) {
    buffer.space = Space::shared;
    buffer.name = memory.name.empty() ? "shared" : memory.name;
  } else {
    const auto named = std::ranges::find(
        names_, memory.begin, [](const NamedMemory& each) { return reinterpret_cast<std::uintptr_t>(each.data); });
    buffer.name = named != names_.end() ? named->name : "scratch " + std::to_string(++scratchBuffers_);
    if (named != names_.end()) buffer.elementBytes = named->elementBytes;
  }
  addresses_.push_back(memory.begin);
  trace_.buffers.push_back(std::move(buffer));
  if (access.space == emulator::Space::global) keepContents(number, memory.begin, memory.bytes);
  return number;
}

void Recorder::keepContents(std::uint32_t buffer, std::uintptr_t begin, std::size_t bytes) {
  if (!keepsSteps_) return;
  auto& contents = trace_.counts.launches.back().contents;
  contents.resize(trace_.buffers.size());
  const auto* const from = reinterpret_cast<const std::uint8_t*>(begin);
  contents[buffer].assign(from, from + bytes);
}

std::uint32_t Recorder::sourceOf(const void* code) {
  const auto [known, isNew] = sourceOfCode_.try_emplace(code, 0);
  if (!isNew) return known->second;
  const std::string text = emulator::sourceOf(code);
  Source source{text, 0};
  if (const auto colon = text.rfind(':'); colon != text.npos) {
    source.file = text.substr(0, colon);
    source.line = leadingNumber<int>(std::string_view(text).substr(colon + 1)).value_or(0);
  }
  auto& all = trace_.sources;
  const auto same = std::ranges::find(all, source);
  known->second = static_cast<std::uint32_t>(same - all.begin());
  if (same == all.end()) {
    all.push_back(source);
    trace_.counts.lines.push_back({source, {}});
  }
  return known->second;
}

bool Recorder::pollsAgain(const Warp& warp, unsigned lane, const emulator::Access& access) const {
  const int at = warp.positions[lane].at;
  if (at == kNone) return false;
  const Node& node = warp.nodes[static_cast<std::size_t>(at)];
  const auto offset = static_cast<std::uint32_t>(access.address - addresses_[node.buffer]);
  return node.code == access.code && node.lanes.back().lane == lane && node.lanes.back().offset == offset;
}

int Recorder::nodeOf(Warp& warp, unsigned lane, const emulator::Access& access, std::uint32_t buffer) {
  LanePosition& position = warp.positions[lane];
  const auto known = std::ranges::find(position.repetitions, access.code, [](const auto& each) { return each.first; });
  const unsigned repetition = known == position.repetitions.end() ? 0 : ++known->second;
  if (known == position.repetitions.end()) position.repetitions.emplace_back(access.code, 0);
  const int next = position.at == kNone ? warp.first : warp.nodes[static_cast<std::size_t>(position.at)].next;
  for (int i = next; i != kNone; i = warp.nodes[static_cast<std::size_t>(i)].next) {
    const Node& node = warp.nodes[static_cast<std::size_t>(i)];
    if (node.code == access.code && node.repetition == repetition) return i;
  }
  const auto made = static_cast<int>(warp.used++);
  if (warp.used > warp.nodes.size()) warp.nodes.emplace_back();
  Node& node = warp.nodes[static_cast<std::size_t>(made)];
  node.code = access.code;
  node.repetition = repetition;
  node.kind = kindOf(access.kind);
  node.bytes = access.bytes;
  node.buffer = buffer;
  node.next = next;
  node.turn = 0;
  node.lanes.clear();
  (position.at == kNone ? warp.first : warp.nodes[static_cast<std::size_t>(position.at)].next) = made;
  return made;
}

void Recorder::accessed(const emulator::Access& access) {
  if (full_) emulator::fault("the trace is full", access.code);
  storePendingValue();
  const std::uint32_t buffer = bufferOf(access);
  const unsigned lane = access.place->index % kWarpSize;
  Warp& warp = warpOf(*access.place);
  const bool polls = access.kind == emulator::Kind::relaxedRead && pollsAgain(warp, lane, access);
  const int at = polls ? warp.positions[lane].at : nodeOf(warp, lane, access, buffer);
  warp.positions[lane].at = at;
  Node& node = warp.nodes[static_cast<std::size_t>(at)];
  node.turn = emulator::turn();
  if (!polls)
    node.lanes.push_back({.lane = static_cast<std::uint8_t>(lane),
                          .offset = static_cast<std::uint32_t>(access.address - addresses_[buffer])});
  if (!keepsSteps_) return;
  pending_ = PendingValue{access.address, access.bytes, &warp, at, node.lanes.size() - 1};
  if (kindOf(access.kind) == StepKind::read) storePendingValue();
}

void Recorder::storePendingValue() {
  if (!pending_) return;
  Lane& lane = pending_->warp->nodes[static_cast<std::size_t>(pending_->node)].lanes[pending_->lane];
  std::memcpy(lane.words, reinterpret_cast<const void*>(pending_->address),
              std::min<std::size_t>(pending_->bytes, sizeof lane.words));
  pending_.reset();
}

Recorder::Warp& Recorder::warpOf(const emulator::Place& place) {
  return blocks_[place.slot].warps[place.index / kWarpSize];
}

Step Recorder::stepOf(StepKind kind, const emulator::Place& place, const void* code) {
  return {.kind = kind,
          .launch = static_cast<std::uint32_t>(trace_.counts.launches.size() - 1),
          .block = place.blockIndex,
          .warp = place.index / kWarpSize,
          .source = sourceOf(code)};
}

void Recorder::count(const Step& step, std::uint64_t leastSectors) {
  Tally tally = tallyOf(step, trace_.buffers);
  tally.leastSectors = leastSectors;
  trace_.counts.launches.back().tally += tally;
  trace_.counts.lines[step.source].tally += tally;
  trace_.counts.total += tally;
}

void Recorder::keep(const KeptStep& kept) {
  if (!keepsSteps_ || full_) return;
  full_ = trace_.lanes.size() + kept.lanes.size() > kMaxLanes;
  if (full_) return;
  Step step = kept.step;
  step.firstLane = static_cast<std::uint32_t>(trace_.lanes.size());
  trace_.lanes.insert(trace_.lanes.end(), kept.lanes.begin(), kept.lanes.end());
  trace_.steps.push_back(step);
  turns_.push_back(kept.turn);
}

void Recorder::flushWarp(Warp& warp, const emulator::Place& block, std::uint32_t number) {
  std::uint64_t turn = 0;
  for (int i = warp.first; i != kNone; i = warp.nodes[static_cast<std::size_t>(i)].next) {
    Node& node = warp.nodes[static_cast<std::size_t>(i)];
    Step step = stepOf(node.kind, block, node.code);
    step.bytes = node.bytes;
    step.warp = number;
    step.buffer = node.buffer;
    step.laneCount = static_cast<std::uint32_t>(node.lanes.size());
    std::uint64_t least = 0;
    if (trace_.buffers[node.buffer].space == Space::shared) {
      step.passes = static_cast<std::uint8_t>(passesOf(node.kind, node.bytes, node.lanes, banks_));
    } else {
      const Sectors sectors = sectorsOf(node.bytes, node.lanes);
      step.sectors = static_cast<std::uint8_t>(sectors.touched);
      least = sectors.least;
    }
    count(step, least);
    ++warp.length;
    turn = std::max(turn, node.turn);
    if (keepsSteps_) warp.steps.push_back({step, turn, std::move(node.lanes)});
  }
  warp.first = kNone;
  warp.used = 0;
  for (LanePosition& position : warp.positions) {
    position.at = kNone;
    position.repetitions.clear();
  }
}

void Recorder::passedWarp(const emulator::Place& last, const void* code) {
  storePendingValue();
  Warp& warp = warpOf(last);
  flushWarp(warp, last, last.index / kWarpSize);
  const Step step = stepOf(StepKind::lanes, last, code);
  count(step, 0);
  ++warp.length;
  if (keepsSteps_) warp.steps.push_back({step, emulator::turn(), {}});
}

void Recorder::flushBlock(const emulator::Place& block) {
  storePendingValue();
  auto& warps = blocks_[block.slot].warps;
  std::uint64_t longest = 0;
  std::size_t most = 0;
  for (std::uint32_t number = 0; number < warps.size(); ++number) {
    flushWarp(warps[number], block, number);
    longest = std::max(longest, std::exchange(warps[number].length, 0));
    most = std::max(most, warps[number].steps.size());
  }
  blocks_[block.slot].depth += longest;
  for (std::size_t i = 0; i < most; ++i)
    for (const Warp& warp : warps)
      if (i < warp.steps.size()) keep(warp.steps[i]);
  for (Warp& warp : warps) warp.steps.clear();
}

void Recorder::passedBarrier(const emulator::Place& block, const void* code) {
  flushBlock(block);
  ++blocks_[block.slot].depth;
  const Step step = stepOf(StepKind::barrier, block, code);
  count(step, 0);
  keep({step, emulator::turn(), {}});
}

Trace Recorder::finish() {
  for (const LaunchInfo& launch : trace_.counts.launches) trace_.counts.depth += launch.depth;
  return std::move(trace_);
}

}  // namespace satdof::trace
