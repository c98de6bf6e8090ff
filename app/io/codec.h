#pragma once
#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/io/about.h"
#include "app/io/depth_image.h"
#include "app/io/file_limits.h"
#include "app/io/layer_file.h"
#include "app/io/metadata/exif.h"
#include "app/io/metadata/image_text.h"
#include "app/io/photograph.h"
#include "app/io/picture.h"

// The table of image file formats: one row a format. Opening, dropping, capturing and listing files use only this
// table.
namespace satdof {

// The quantity that the pixels of a written file hold.
enum class Content {
  displayed,  // the image on the screen: exposed, tone-mapped, sRGB
  light,      // linear light before exposure
  channels,   // linear light R, G, B and A; Z in metres; coc.Y; with the layered lens near.Y
};

// The pixels of a file to write, bottom row first.
struct Pixels {
  glm::ivec2 size{0};
  std::vector<std::uint8_t> rgb8;            // Content::displayed: 8 bits a channel,
  std::vector<std::uint16_t> rgb16;          // or 16 bits
  std::vector<float> light;                  // Content::light: RGB
  std::vector<float> alpha;                  // Content::displayed, whose colours are not premultiplied; empty: opaque
  std::vector<std::vector<float>> channels;  // Content::channels
  std::vector<LayerImage> layers;            // written to separate files
};

// Metadata of a written file.
struct Metadata {
  std::vector<ImageText> texts;
  std::string exif;  // EXIF of the photograph as a TIFF structure; empty: none
};

struct WriteOptions {
  int bits = 0;      // bits a channel, as in CaptureChoice
  int quality = 92;  // of a lossy format, 1 to 100
};

// A variant of a format in the Capture panel.
struct CaptureChoice {
  const char* name;
  const char* help;
  int bits = 0;                      // bits a channel, for --bit-depth; 0: the format has a single depth
  std::optional<Content> content{};  // if it differs from Codec::content
};

// A format. A null function means that the format lacks the feature. Functions throw std::runtime_error with only the
// reason, without the name of the file.
struct Codec {
  const char* name;                     // "PNG", after "a" in messages
  std::vector<std::string> extensions;  // lower case, ".png"; captures use the first
  // Tests the magic number. Null: the format is tried after all others.
  bool (*begins)(std::string_view bytes) = nullptr;
  FormatSupport about;

  // Reading. `bytes`: the whole file; `head`: the beginning of the file is enough.
  Picture (*picture)(std::string_view bytes, const FileLimits& limits);
  glm::ivec2 (*size)(std::string_view head, const FileLimits& limits);  // after the orientation
  DepthImage (*depth)(std::string_view bytes,
                      const FileLimits& limits) = nullptr;  // of a depth file
  const char* noDepth = nullptr;                            // why the format cannot hold depth
  Photograph (*photograph)(std::string_view bytes,
                           const FileLimits& limits) = nullptr;  // with embedded depth
  bool (*oneChannel)(std::string_view head) = nullptr;           // whether a file looks like depth
  bool needsWholeFile = false;  // `head` must be the whole file: the size may be stored at its end
  bool isLight = false;         // high dynamic range: linear and unbounded, usable as an environment
  std::string (*exif)(std::string_view head) = nullptr;  // a TIFF structure; empty: none
  std::optional<std::string> (*text)(std::string_view head, std::string_view keyword) = nullptr;
  // Returns the optional library that reads the format, with its version; empty: not built in.
  std::string (*library)() = nullptr;

  // Writing. Without choices, the format is read-only. write() may move values out of `pixels`.
  std::vector<CaptureChoice> choices{};
  Content content = Content::displayed;
  bool lossy = false;         // WriteOptions::quality applies
  bool showsUi = false;       // can contain the panels (--with-ui)
  bool alpha = false;         // can contain transparency
  bool hasChecksums = false;  // reading finds every changed byte
  std::string (*write)(Pixels& pixels, const Metadata& metadata, const WriteOptions& options) = nullptr;
  // Encodes a file with one layer. colourLayerOnly: the format supports Layer::colour alone.
  std::string (*layer)(Layer layer, const LayerImage& image, const std::vector<ImageText>& texts) = nullptr;
  bool colourLayerOnly = false;

  bool isWritten() const { return write != nullptr; }
  Content contentOf(int bits) const;  // content of the choice with `bits`; 0: Codec::content
  std::string bitDepths() const;      // bit depths of the choices: "8 or 16"
  bool holds(Layer each) const { return layer != nullptr && (!colourLayerOnly || each == Layer::colour); }
};

// All formats, in the order of the Capture panel.
std::span<const Codec> codecs();

// Returns the format whose magic number `head` begins with; null if none matches.
const Codec* codecByContent(std::string_view head);
// Returns the format of the extension, case-insensitive; null if it is unknown.
const Codec* codecByExtension(const std::filesystem::path& path);
// Returns the first `most` bytes of a file, or the whole file if its format needs that.
std::string readHead(const std::filesystem::path& path, std::size_t most);
// Returns the format that reads the bytes: codecByContent(), else the format without a magic number. Throws
// std::runtime_error if there are none.
const Codec& readerOf(std::string_view bytes);
// Returns the format of a capture to `path`. Throws UsageError that lists the extensions.
const Codec& writerOf(const std::filesystem::path& path);

// A choice with its format.
struct CodecChoice {
  const Codec* codec;
  const CaptureChoice* choice;
};
// The choices of all formats.
std::vector<CodecChoice> captureChoices();
// Returns the choice with the name; the first choice if the name is unknown.
CodecChoice captureChoice(std::string_view name);

// Returns the names of the formats with has(codec): "PNG, JPEG and EXR". `last`: "and" or "or".
std::string codecNames(bool (*has)(const Codec&), const char* last);
// Returns all extensions of the formats with has(codec).
std::vector<std::string> extensionsOf(bool (*has)(const Codec&));
// Returns the first extension of each format with has(codec): ".png, .jpg or .exr".
std::string codecExtensions(bool (*has)(const Codec&), const char* last);

// For tests: adds a format to the table while the object lives.
class AddedCodec {
 public:
  explicit AddedCodec(Codec codec);
  ~AddedCodec();
  AddedCodec(const AddedCodec&) = delete;
  AddedCodec& operator=(const AddedCodec&) = delete;
};

}  // namespace satdof
