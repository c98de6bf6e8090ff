#include "app/io/codec.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "app/core/files/files.h"
#include "app/core/text/count_text.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/letters.h"
#include "app/core/usage_error.h"
#include "app/io/codecs/rows.h"

namespace satdof {

namespace {

std::vector<Codec>& rows() {
  using namespace formats;
  static std::vector<Codec> all{png(),  jpeg(), exr(), hdr(), pfm(), pnm(), heif(),
                                webp(), tiff(), bmp(), gif(), psd(), pic(), tga()};
  return all;
}

template <class Word>
std::string listOf(bool (*has)(const Codec&), const char* last, const Word& word) {
  std::vector<std::string> words;
  for (const Codec& codec : rows())
    if (has(codec)) words.push_back(word(codec));
  return listText(words, last);
}

}  // namespace

std::span<const Codec> codecs() { return rows(); }

Content Codec::contentOf(int bits) const {
  const auto found = std::ranges::find(choices, bits, &CaptureChoice::bits);
  return found == choices.end() ? content : found->content.value_or(content);
}

std::string Codec::bitDepths() const {
  std::vector<std::string> words;
  for (const CaptureChoice& choice : choices) words.push_back(std::to_string(choice.bits));
  return listText(words, "or");
}

const Codec* codecByContent(std::string_view head) {
  for (const Codec& codec : rows())
    if (codec.begins != nullptr && codec.begins(head)) return &codec;
  return nullptr;
}

const Codec* codecByExtension(const std::filesystem::path& path) {
  const std::string extension = lowerCase(path.extension().string());
  for (const Codec& codec : rows())
    if (std::ranges::find(codec.extensions, extension) != codec.extensions.end()) return &codec;
  return nullptr;
}

std::string readHead(const std::filesystem::path& path, std::size_t most) {
  std::string bytes = readFileHead(path, most);
  const Codec* const codec = codecByContent(bytes);
  const bool cut = bytes.size() == most && codec != nullptr && codec->needsWholeFile;
  return cut ? readWholeFile(path, FileLimits().bytes) : bytes;
}

const Codec& readerOf(std::string_view bytes) {
  if (bytes.empty()) throw std::runtime_error("it is empty");
  const Codec* const known = codecByContent(bytes);
  return known != nullptr ? *known : *std::ranges::find(rows(), nullptr, &Codec::begins);
}

const Codec& writerOf(const std::filesystem::path& path) {
  const Codec* const codec = codecByExtension(path);
  if (codec != nullptr && codec->isWritten()) return *codec;
  throw UsageError("cannot write " + pathText(path) + ": expected a name ending in " +
                   codecExtensions([](const Codec& each) { return each.isWritten(); }, "or"));
}

std::vector<CodecChoice> captureChoices() {
  std::vector<CodecChoice> all;
  for (const Codec& codec : rows())
    for (const CaptureChoice& choice : codec.choices) all.push_back({&codec, &choice});
  return all;
}

CodecChoice captureChoice(std::string_view name) {
  const auto all = captureChoices();
  const auto found = std::ranges::find_if(all, [&](const CodecChoice& each) { return name == each.choice->name; });
  return found != all.end() ? *found : all.front();
}

std::string codecNames(bool (*has)(const Codec&), const char* last) {
  return listOf(has, last, [](const Codec& codec) { return std::string(codec.name); });
}

std::vector<std::string> extensionsOf(bool (*has)(const Codec&)) {
  std::vector<std::string> all;
  for (const Codec& codec : rows())
    if (has(codec)) all.insert(all.end(), codec.extensions.begin(), codec.extensions.end());
  return all;
}

std::string codecExtensions(bool (*has)(const Codec&), const char* last) {
  return listOf(has, last, [](const Codec& codec) { return codec.extensions.front(); });
}

AddedCodec::AddedCodec(Codec codec) { rows().push_back(std::move(codec)); }
AddedCodec::~AddedCodec() { rows().pop_back(); }

}  // namespace satdof
