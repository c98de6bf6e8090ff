#pragma once
#include <functional>
#include <initializer_list>
#include <span>
#include <string>

#include "app/core/fields.h"
#include "app/ui/controls.h"
#include "app/ui/timeline/timeline.h"

// Controls of the fields of Settings. Call between ImGui::NewFrame() and ImGui::Render().
namespace satdof {

// Sets every field whose path begins with one of `paths` to its default.
void resetFields(Settings& settings, std::span<const char* const> paths);

// Draws the control of the field control.path within `scope`. A double click on the label or the slider sets the
// default. Disabled if `unavailable` or whyNot() gives a reason. Throws std::logic_error if there is no such field.
void edit(Settings& settings, const Control& control, const Scope& scope = kNoScope, std::string unavailable = {});
// Draws the controls of several fields within `scope`.
void edit(Settings& settings, const Scope& scope, std::initializer_list<const char*> paths);
// Draws several controls.
void edit(Settings& settings, std::span<const Control> controls);

// Draws the row of a field that is not edited here: label, `text` for its value, and diamond.
void showField(const char* path, const std::string& text);

// Returns the lines of a control's tooltip after the help of its field.
std::string notesOf(const Control& control, const Scope& scope);

// Shows a diamond beside each field that takes keys. `states` returns the state of a field by its path; null: no
// diamonds.
using KeyStates = std::function<KeyState(const std::string& path)>;
void showKeyStates(KeyStates states);
// Returns the path of the field whose diamond was pressed since the last call; empty: none.
std::string takeKeyed();

// Draws the control of a field, by Field::path(), without its label, for the value of a key. Returns whether the value
// changed.
bool editKeyValue(const Settings& settings, const std::string& path, float& value);

// Call in every frame, before edit(). A typed path stays in its field while its file is read (`loading`); the path of a
// file that is refused disappears.
void updateEnteredPaths(bool loading);

// Returns the path of the field whose button to choose a file was pressed since the last call; empty: none.
std::string takeBrowsed();

}  // namespace satdof
