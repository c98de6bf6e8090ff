#include "app/trace/player.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

namespace satdof::trace {

namespace {

constexpr unsigned kLanes = 32;

void add(Tally& tally, const Step& step, const Buffer& buffer) {
  switch (step.what) {
    case What::lanes:
      ++tally.laneExchanges;
      return;
    case What::barrier:
      ++tally.barriers;
      return;
    case What::atomic:
      ++tally.atomics;
      break;
    default:
      break;
  }
  tally.lanes += step.laneCount;
  if (buffer.space == Space::shared) {
    ++tally.sharedAccesses;
    tally.sharedPasses += step.passes;
  } else {
    ++tally.globalAccesses;
    tally.globalSectors += step.sectors;
  }
}

std::string counted(std::uint64_t count, const char* one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

}  // namespace

Player::Player(Trace trace)
    : trace_(std::move(trace)), launches_(std::max<std::size_t>(1, trace_.counts.launches.size())) {
  std::vector<std::vector<bool>> used(launches_.size(), std::vector<bool>(trace_.buffers.size()));
  unsigned barriers = 0;
  for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
    const Step& step = trace_.steps[i];
    const bool begins = i == 0 || step.launch != trace_.steps[i - 1].launch;
    if (begins) launchStarts_.push_back(i);
    if (begins || step.block != trace_.steps[i - 1].block) barriers = 0;
    LaunchOf& launch = launches_[step.launch];
    if (step.what == What::barrier) {
      barriers_.push_back(i + 1);
      launch.mostBarriers = std::max(launch.mostBarriers, ++barriers);
    } else if (step.what != What::lanes && !used[step.launch][step.buffer]) {
      used[step.launch][step.buffer] = true;
      launch.buffers.push_back(step.buffer);
    }
  }
  for (LaunchOf& launch : launches_)
    std::ranges::sort(launch.buffers, {},
                      [&](std::uint32_t buffer) { return std::pair(trace_.buffers[buffer].space, buffer); });
  for (const Buffer& buffer : trace_.buffers) {
    const std::size_t count = buffer.bytes / buffer.elementBytes;
    memory_.push_back({std::vector<std::uint8_t>(buffer.bytes), std::vector<bool>(count),
                       std::vector<std::uint32_t>(count, kNobody)});
  }
  seek(0);
}

std::span<const Lane> Player::lanes(const Step& step) const {
  return std::span(trace_.lanes).subspan(step.firstLane, step.laneCount);
}

std::uint32_t Player::launch() const { return launch_.value_or(0); }

unsigned Player::warps() const {
  if (trace_.counts.launches.empty()) return 0;
  const Extent3& block = trace_.counts.launches[launch()].block;
  return (block.x * block.y * block.z + kLanes - 1) / kLanes;
}

void Player::enterLaunch(std::uint32_t launch) {
  launch_ = launch;
  const auto& contents = trace_.counts.launches[launch].contents;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    if (trace_.buffers[i].space == Space::shared || i >= contents.size()) continue;
    Memory& memory = memory_[i];
    if (contents[i].size() != memory.bytes.size()) continue;
    memory.bytes = contents[i];
    std::fill(memory.known.begin(), memory.known.end(), true);
    std::ranges::fill(memory.writers, kNobody);
  }
  block_ = 0;
  enterBlock();
}

void Player::enterBlock() {
  stretch_ = 0;
  blockEdges_.clear();
  reads_.assign(std::size_t{warps()} * kLanes, {});
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    if (trace_.buffers[i].space != Space::shared) continue;
    std::fill(memory_[i].known.begin(), memory_[i].known.end(), false);
    std::ranges::fill(memory_[i].writers, kNobody);
  }
}

void Player::seek(std::size_t position) {
  position = std::min(position, end());
  if (position < position_ || position == 0) {
    position_ = 0;
    tally_ = {};
    launchEdges_.clear();
    for (Memory& memory : memory_) std::fill(memory.known.begin(), memory.known.end(), false);
    if (!trace_.counts.launches.empty()) enterLaunch(0);
  }
  while (position_ < position) apply(position_++);
}

unsigned Player::rows() const {
  return byBarriers() ? launches_[launch()].mostBarriers + 1
                      : static_cast<unsigned>(trace_.counts.launches.size());
}

std::size_t Player::after(Unit unit) const {
  if (position_ == end()) return end();
  std::size_t next = position_ + 1;
  if (unit == Unit::instruction) return next;
  const auto& steps = trace_.steps;
  const std::uint32_t launch = steps[position_].launch;
  while (next < end() && steps[next].launch == launch &&
         (unit == Unit::launch ||
          (steps[next - 1].what != What::barrier && steps[next].block == steps[next - 1].block)))
    ++next;
  return next;
}

std::size_t Player::before(Unit unit) const {
  if (position_ == 0) return 0;
  std::size_t next = position_ - 1;
  if (unit == Unit::instruction) return next;
  const auto& steps = trace_.steps;
  const std::uint32_t launch = steps[next].launch;
  while (next > 0 && steps[next - 1].launch == launch &&
         (unit == Unit::launch ||
          (steps[next - 1].what != What::barrier && steps[next].block == steps[next - 1].block)))
    --next;
  return next;
}

unsigned Player::elements(std::uint32_t buffer) const {
  return static_cast<unsigned>(memory_[buffer].writers.size());
}

std::uint32_t Player::elementOf(const Step& step, const Lane& lane) const {
  return lane.offset / trace_.buffers[step.buffer].elementBytes;
}

std::optional<std::uint64_t> Player::value(std::uint32_t buffer, std::uint32_t element) const {
  const Memory& memory = memory_[buffer];
  if (element >= memory.known.size() || !memory.known[element]) return {};
  const unsigned bytes = trace_.buffers[buffer].elementBytes;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &memory.bytes[std::size_t{element} * bytes], std::min<std::size_t>(bytes, sizeof bits));
  return bits;
}

std::uint32_t Player::writer(std::uint32_t buffer, std::uint32_t element) const {
  const auto& writers = memory_[buffer].writers;
  return element < writers.size() ? writers[element] : kNobody;
}

void Player::apply(std::size_t index) {
  const Step& step = trace_.steps[index];
  if (step.launch != launch_) enterLaunch(step.launch);
  if (step.block != block_) {
    block_ = step.block;
    enterBlock();
  }
  add(tally_, step, trace_.buffers[step.buffer]);
  if (step.what == What::barrier) ++stretch_;
  if (step.what == What::barrier || step.what == What::lanes) return;
  Memory& memory = memory_[step.buffer];
  const unsigned elementBytes = trace_.buffers[step.buffer].elementBytes;
  for (const Lane& lane : lanes(step)) {
    const std::size_t end = std::min<std::size_t>(lane.offset + step.bytes, memory.bytes.size());
    if (lane.offset >= end) continue;
    auto& reads = reads_[std::size_t{step.warp} * kLanes + lane.lane];
    const std::uint32_t first = elementOf(step, lane);
    const auto last = static_cast<std::uint32_t>((end - 1) / elementBytes);
    std::memcpy(&memory.bytes[lane.offset], lane.words, end - lane.offset);
    for (std::uint32_t element = first; element <= last; ++element) {
      memory.known[element] = true;
      if (step.what != What::write) {
        if (std::exchange(reads.used, false)) reads.from.clear();
        reads.from.push_back({step.buffer, element});
      }
      if (step.what == What::read) continue;
      memory.writers[element] = static_cast<std::uint32_t>(index);
    }
    if (step.what == What::read) continue;
    for (const Element& from : reads.from)
      if (from.buffer == step.buffer && (from.element != first || reads.from.size() == 1))
        (byBarriers() ? blockEdges_ : launchEdges_).push_back({step.buffer, from.element, first, row()});
    reads.used = true;
  }
}

std::string valueText(std::uint64_t bits, unsigned bytes) {
  constexpr std::uint64_t kLargestCount = 1u << 24;
  if (bytes == 4 && bits > kLargestCount) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", static_cast<double>(value));
    if (std::isfinite(value) && std::abs(value) > 1e-9f && std::abs(value) < 1e9f) return text;
    std::snprintf(text, sizeof text, "0x%x", static_cast<unsigned>(bits));
    return text;
  }
  return std::to_string(bits);
}

std::string stepText(const Trace& trace, const Step& step) {
  std::string text = "Block " + std::to_string(step.block);
  if (step.what == What::barrier) return text + ": barrier, all threads have arrived";
  text += ", warp " + std::to_string(step.warp);
  if (step.what == What::lanes) return text + ": the lanes exchange registers";
  const Buffer& buffer = trace.buffers[step.buffer];
  const char* const verb = step.what == What::read    ? " reads "
                           : step.what == What::write ? " writes "
                                                      : " changes atomically ";
  text += verb + buffer.name + ": " + counted(step.laneCount, "lane");
  if (buffer.space == Space::shared)
    return text + ", " + (step.passes == 1 ? "1 pass" : std::to_string(step.passes) + " passes");
  return text + ", " + counted(step.sectors, "sector");
}

std::string elementText(const Player& player, std::uint32_t buffer, std::uint32_t element) {
  const Buffer& of = player.trace().buffers[buffer];
  const auto value = player.value(buffer, element);
  std::string text = of.name + "[" + std::to_string(element) + "]";
  text += value ? " = " + valueText(*value, of.elementBytes) : ": not written yet";
  if (of.space == Space::shared) text += "\nbank " + std::to_string(element * of.elementBytes / 4 % kLanes);
  const std::uint32_t writer = player.writer(buffer, element);
  if (writer == kNobody) return text + (value && of.space == Space::global ? "\nas before the launch" : "");
  const Step& step = player.trace().steps[writer];
  for (const Lane& lane : player.lanes(step)) {
    const std::uint32_t begin = element * of.elementBytes;
    if (begin + of.elementBytes <= lane.offset || begin >= lane.offset + step.bytes) continue;
    text += "\nwritten by thread " + std::to_string(step.warp * kLanes + lane.lane) + " of block " +
            std::to_string(step.block) + ", step " + std::to_string(writer + 1);
    break;
  }
  const Source& source = player.trace().sources[step.source];
  return text + "\n" + source.file + ":" + std::to_string(source.line);
}

}  // namespace satdof::trace
