#include "app/io/embedded_depth.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "app/core/text/foreign_text.h"
#include "app/core/text/formatted.h"
#include "app/core/text/number.h"
#include "app/io/base64.h"
#include "app/io/formats/jpeg.h"

#if SATDOF_HAS_PUGIXML
#include <pugixml.hpp>
#endif

namespace satdof {

#if SATDOF_HAS_PUGIXML

namespace {

constexpr std::string_view kGDepth = "http://ns.google.com/photos/1.0/depthmap/";
constexpr std::string_view kGImage = "http://ns.google.com/photos/1.0/image/";
constexpr std::string_view kApplePixels = "http://ns.apple.com/pixeldatainfo/1.0/";
constexpr std::string_view kDynamicDepth = "http://ns.google.com/photos/dd/1.0/depthmap/";
// Namespaces of container items, in two versions of the format.
constexpr std::array<std::string_view, 2> kItems = {"http://ns.google.com/photos/1.0/container/item/",
                                                    "http://ns.google.com/photos/dd/1.0/item/"};
constexpr int kMaxNodes = 10000;

// The properties of XMP packets: attributes, or elements with text.
class Xmp {
 public:
  explicit Xmp(const JpegMetadata& metadata) {
    for (const std::string* packet : {&metadata.xmp, &metadata.extendedXmp}) {
      if (packet->empty()) continue;
      auto& document = documents_.emplace_back(std::make_unique<pugi::xml_document>());
      if (!document->load_buffer(packet->data(), packet->size(), pugi::parse_minimal | pugi::parse_escapes))
        throw std::runtime_error("its XMP is no XML");
      list(*document);
    }
  }

  // Returns the first value of a property; nothing if it is missing.
  std::optional<std::string_view> value(std::string_view space, std::string_view name) const {
    for (const auto& node : nodes_)
      if (const auto found = valueOf(node, space, name)) return found;
    return std::nullopt;
  }

  std::optional<double> number(std::string_view space, std::string_view name) const {
    const auto text = value(space, name);
    const auto found = leadingNumber<double>(text.value_or(""));
    return found && std::isfinite(*found) ? found : std::nullopt;
  }

  struct Item {
    std::string_view semantic, uri, mime;
    std::size_t length = 0;
  };
  // Returns the files of a container, in order.
  std::vector<Item> items() const {
    std::vector<Item> found;
    for (const auto space : kItems)
      for (const auto& node : nodes_) {
        const auto mime = valueOf(node, space, "Mime");
        if (!mime) continue;
        Item item{valueOf(node, space, "Semantic").value_or(""), valueOf(node, space, "DataURI").value_or(""), *mime};
        item.length = leadingNumber<std::size_t>(valueOf(node, space, "Length").value_or("")).value_or(0);
        found.push_back(item);
      }
    return found;
  }

 private:
  // Collects all elements and namespace prefixes, without recursion.
  void list(const pugi::xml_node& root) {
    for (pugi::xml_node node = root; node;) {
      if (node.type() == pugi::node_element) {
        nodes_.push_back(node);
        if (nodes_.size() > kMaxNodes) throw std::runtime_error("its XMP has too many elements");
        for (const auto& attribute : node.attributes()) {
          const std::string_view name = attribute.name();
          if (name.starts_with("xmlns:")) prefixes_.emplace_back(name.substr(6), attribute.value());
        }
      }
      if (node.first_child()) {
        node = node.first_child();
        continue;
      }
      while (node && node != root && !node.next_sibling()) node = node.parent();
      if (!node || node == root) break;
      node = node.next_sibling();
    }
  }

  bool is(std::string_view qualified, std::string_view space, std::string_view name) const {
    const auto colon = qualified.find(':');
    if (colon == qualified.npos || qualified.substr(colon + 1) != name) return false;
    for (const auto& [prefix, uri] : prefixes_)
      if (prefix == qualified.substr(0, colon) && uri == space) return true;
    return false;
  }

  std::optional<std::string_view> valueOf(const pugi::xml_node& node, std::string_view space,
                                          std::string_view name) const {
    for (const auto& attribute : node.attributes())
      if (is(attribute.name(), space, name)) return attribute.value();
    for (const auto& child : node.children())
      if (is(child.name(), space, name)) return child.child_value();
    return std::nullopt;
  }

  std::vector<std::unique_ptr<pugi::xml_document>> documents_;
  std::vector<pugi::xml_node> nodes_;
  std::vector<std::pair<std::string_view, std::string_view>> prefixes_;  // prefix, URI
};

std::string fileOf(std::string_view base64, const char* what) {
  auto bytes = decodeBase64(base64);
  if (!bytes || bytes->empty()) throw std::runtime_error(std::string(what) + " in its XMP is no base64");
  return *bytes;
}

// Converts the numbers by Near, Far and Format of the namespace `space`; see embeddedDepth().
void applyRange(DepthImage& depth, const Xmp& xmp, std::string_view space, const char* name) {
  const double unit = xmp.value(space, "Units").value_or("m") == "mm" ? 1e-3 : 1.0;
  const auto nearest = xmp.number(space, "Near"), farthest = xmp.number(space, "Far");
  const auto format = xmp.value(space, "Format");
  const bool linear = format == "RangeLinear";
  if (format && !linear && format != "RangeInverse")
    throw std::runtime_error("the format of its depth is unknown: " + excerpt(*format, 40));
  if (xmp.value(space, "MeasureType") == "OpticRay")
    addNote(depth.notes,
            std::string("its ") + name + " has lengths of rays (OpticRay): lengths along the axis assumed");
  const char* const shown = linear ? "RangeLinear" : format ? "RangeInverse" : "RangeInverse assumed";
  if (!nearest || !farthest || *nearest <= 0 || *farthest <= *nearest) {
    depth.meaning = DepthMeaning::relative;
    const float largest = depth.largest;
    for (float& v : depth.values) v = largest - v;  // 0 is near
    depth.origin = formatted("%s, which gives no range (%s)", name, shown);
    addNote(depth.notes, std::string("its ") + name + " has no range: relative depth assumed");
    return;
  }
  const double low = *nearest * unit, high = *farthest * unit;
  for (float& v : depth.values) {
    const double n = static_cast<double>(v / depth.largest);
    v = static_cast<float>(linear ? low + n * (high - low) : 1.0 / (1.0 / low + n * (1.0 / high - 1.0 / low)));
  }
  depth.largest = 0.0f;
  depth.meaning = DepthMeaning::metres;
  depth.origin = formatted("%s, %s from %g to %g m", name, shown, low, high);
  if (!format) addNote(depth.notes, std::string("its ") + name + " has no format: RangeInverse assumed");
}

// Returns the file of item `index` that is appended to the JPEG. The files of all items end at the end of the JPEG.
std::string_view appended(std::string_view jpeg, const std::vector<Xmp::Item>& items, std::size_t index) {
  std::size_t tailBytes = 0;
  for (std::size_t i = index; i < items.size(); ++i) {
    if (items[i].length > jpeg.size() - tailBytes) throw std::runtime_error("a file appended to it exceeds the file");
    tailBytes += items[i].length;
  }
  return jpeg.substr(jpeg.size() - tailBytes, items[index].length);
}

std::optional<EmbeddedDepth> googleDepth(std::string_view jpeg, const JpegMetadata& metadata,
                                         const FileLimits& limits) {
  if (metadata.xmp.empty()) return std::nullopt;
  const Xmp xmp(metadata);
  EmbeddedDepth found;
  if (const auto data = xmp.value(kGDepth, "Data")) {
    found.depth = decodeDepth(fileOf(*data, "the depth"), limits);
    if (found.depth.largest == 0.0f) throw std::runtime_error("the depth in its XMP has no integers");
    applyRange(found.depth, xmp, kGDepth, "GDepth");
    if (const auto original = xmp.value(kGImage, "Data")) found.original = fileOf(*original, "the image");
    return found;
  }
  const auto items = xmp.items();
  const auto uri = xmp.value(kDynamicDepth, "DepthURI");
  for (std::size_t i = 1; i < items.size(); ++i) {
    if (items[i].length == 0) continue;
    if (uri ? items[i].uri != *uri : items[i].semantic.find("epth") == std::string_view::npos) continue;
    found.depth = decodeDepth(appended(jpeg, items, i), limits);
    if (found.depth.largest == 0.0f) throw std::runtime_error("the depth appended to it has no integers");
    applyRange(found.depth, xmp, kDynamicDepth, "Dynamic Depth");
    return found;
  }
  return std::nullopt;
}

// Returns the depth in an auxiliary image of an iPhone; nothing if the image is something else, such as a gain map.
std::optional<DepthImage> appleDepth(std::string_view image, const FileLimits& limits) {
  if (!isJpeg(image)) return std::nullopt;
  const JpegMetadata metadata = jpegMetadata(image);
  if (metadata.xmp.empty()) return std::nullopt;
  const Xmp xmp(metadata);
  constexpr std::string_view kDisparity = "disparity", kDepth = "depth";  // of XMP
  const auto kind = xmp.value(kApplePixels, "AuxiliaryImageType");
  const bool disparity = kind == kDisparity;
  if (!disparity && kind != kDepth) return std::nullopt;
  DepthImage depth = decodeDepth(image, limits);
  const auto low = xmp.number(kApplePixels, "FloatMinValue"), high = xmp.number(kApplePixels, "FloatMaxValue");
  if (depth.largest == 0.0f || !low || !high || *low < 0.0 || *high <= *low) {
    depth.meaning = DepthMeaning::relative;
    if (!disparity)
      for (float& v : depth.values) v = -v;  // relative depth: large numbers are near
    if (!disparity) depth.largest = 0.0f;
    depth.origin = "Apple's depth, which gives no range";
    addNote(depth.notes, "its depth has no range: relative depth assumed");
    return depth;
  }
  for (float& v : depth.values) v = static_cast<float>(*low + static_cast<double>(v / depth.largest) * (*high - *low));
  depth.largest = 0.0f;
  depth.meaning = disparity ? DepthMeaning::inverseMetres : DepthMeaning::metres;
  depth.scale = disparity ? 1.0 : 0.0;
  depth.origin =
      formatted("Apple's %s from %g to %g %s", disparity ? "disparity" : "depth", *low, *high, disparity ? "1/m" : "m");
  return depth;
}

}  // namespace

std::optional<EmbeddedDepth> embeddedDepth(std::string_view jpeg, const FileLimits& limits) {
  if (!isJpeg(jpeg)) return std::nullopt;
  const JpegMetadata metadata = jpegMetadata(jpeg);
  if (auto found = googleDepth(jpeg, metadata, limits)) return found;
  for (const std::string_view image : multiPictureImages(jpeg, metadata))
    if (auto depth = appleDepth(image, limits)) return EmbeddedDepth{*std::move(depth), {}};
  return std::nullopt;
}
#else

std::optional<EmbeddedDepth> embeddedDepth(std::string_view jpeg, const FileLimits&) {
  if (!isJpeg(jpeg)) return std::nullopt;
  const JpegMetadata metadata = jpegMetadata(jpeg);
  for (const std::string* packet : {&metadata.xmp, &metadata.extendedXmp})
    if (packet->find("ns.google.com/photos/") != packet->npos)
      throw std::runtime_error("its depth cannot be read: this program was built without pugixml");
  for (const std::string_view image : multiPictureImages(jpeg, metadata))
    if (image.substr(0, 65536).find("ns.apple.com/depthData/") != image.npos)
      throw std::runtime_error("its depth cannot be read: this program was built without pugixml");
  return std::nullopt;
}

#endif

}  // namespace satdof
