#pragma once
#include <string>

// Text that fits into a width in screen coordinates. Call between ImGui::NewFrame() and ImGui::Render().
namespace satdof {

// Returns the text with line breaks at spaces, such that lines fit into `width` if their words do. A number and its
// unit are one word: Dear ImGui would break between them, and after the decimal point of a number.
std::string brokenAtSpaces(const std::string& text, float width);

// Returns the text, with its end replaced by "..." if it is wider than `width`.
std::string cut(const std::string& text, float width);
// Returns the text, with its beginning replaced by "..." if it is wider than `width`: for paths.
std::string cutBeginning(const std::string& text, float width);

}  // namespace satdof
