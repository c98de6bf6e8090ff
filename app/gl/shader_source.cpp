#include "app/gl/shader_source.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "app/core/text/letters.h"

namespace satdof::gl {

namespace {

constexpr std::size_t kMaxFiles = 100, kMaxBytes = std::size_t{4} << 20;

// Removes `prefix` and the blanks after it from the front of `text`, if it is there.
bool skip(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text = trimmed(text.substr(prefix.size()));
  return true;
}

// Returns the file below shaders/ that a line `#include "shaders/file"` names; empty for other lines.
std::string_view includedFile(std::string_view line) {
  std::string_view rest = trimmed(line);
  if (!skip(rest, "#") || !skip(rest, "include") || !rest.starts_with("\"shaders/") || !rest.ends_with('"')) return {};
  rest.remove_prefix(std::string_view("\"shaders/").size());
  rest.remove_suffix(1);
  return rest.find('"') == rest.npos ? rest : std::string_view{};
}

// Whether a path relative to shaders/ stays inside shaders/.
bool staysInside(const std::string& file) {
  const std::filesystem::path path(file);
  return path.is_relative() && std::ranges::find(path, "..") == path.end() && file.find('\0') == file.npos;
}

// Appends `file` with its includes to `out`.
void expand(const std::string& file, const Defines& defines, const std::function<std::string(const std::string&)>& read,
            ShaderSource& out) {
  const auto refuse = [&](const char* why) { throw std::runtime_error("cannot include the shader " + file + why); };
  if (!staysInside(file)) refuse(": it is outside the folder shaders/");
  if (out.files.size() == kMaxFiles) refuse(": more than 100 files in one shader");
  const auto number = out.files.size();
  out.files.push_back(file);
  std::istringstream lines(read(file));
  int lineNumber = 0;
  if (number > 0) out.text += "#line 1 " + std::to_string(number) + "\n";
  for (std::string line; std::getline(lines, line);) {
    ++lineNumber;
    const auto position = "#line " + std::to_string(lineNumber + 1) + " " + std::to_string(number) + "\n";
    if (const std::string other(includedFile(line)); !other.empty()) {
      if (std::ranges::find(out.files, other) == out.files.end()) expand(other, defines, read, out);
      out.text += position;
    } else {
      out.text += line + "\n";
      if (line.starts_with("#version")) {
        for (const auto& [name, value] : defines) out.text += "#define " + name + " " + value + "\n";
        out.text += position;
      }
    }
    if (out.text.size() > kMaxBytes) refuse(": more than 4 MB of text in one shader");
  }
}

bool inWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view takeWord(std::string_view& text) {
  const auto first = std::ranges::find_if(text, inWord);
  const auto last = std::find_if_not(first, text.end(), inWord);
  const std::string_view word(first, last);
  text.remove_prefix(static_cast<std::size_t>(last - text.begin()));
  return word;
}

}  // namespace

ShaderSource expandIncludes(const std::string& file, const Defines& defines,
                            const std::function<std::string(const std::string& file)>& read) {
  ShaderSource source;
  expand(file, defines, read, source);
  return source;
}

void collectUniforms(std::string_view source, std::set<std::string, std::less<>>& names) {
  constexpr std::string_view kUniform = "uniform";
  for (std::size_t at = source.find(kUniform); at != source.npos; at = source.find(kUniform, at + 1)) {
    std::string_view rest = source.substr(at + kUniform.size());
    if ((at > 0 && inWord(source[at - 1])) || rest.empty() || inWord(rest.front())) continue;
    rest = rest.substr(0, rest.find_first_of(";{}"));
    if (rest.size() + at + kUniform.size() == source.size() || source[at + kUniform.size() + rest.size()] != ';')
      continue;
    std::string_view type = takeWord(rest);
    for (const char* precision : {"lowp", "mediump", "highp"})
      if (type == precision) type = takeWord(rest);
    for (bool more = true; more;) {
      const auto comma = rest.find(',');
      std::string_view item = rest.substr(0, comma);
      if (const auto name = takeWord(item); !name.empty()) names.emplace(name);
      more = comma != rest.npos;
      if (more) rest.remove_prefix(comma + 1);
    }
  }
}

}  // namespace satdof::gl
