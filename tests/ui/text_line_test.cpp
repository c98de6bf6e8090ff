#include "app/ui/photographs/text_line.h"

#include <gtest/gtest.h>

namespace satdof {
namespace {

TEST(TextLine, ErasesAndPassesWholeCharacters) {
  TextLine line;
  line.set("Größe", std::string::npos);
  line.move(-1, false);  // to the end of the selection
  EXPECT_EQ(line.cursor(), 0u);
  line.erase(-1);
  EXPECT_EQ(line.text(), "Größe");
  for (int i = 0; i < 3; ++i) line.move(1, false);
  line.erase(-1);
  EXPECT_EQ(line.text(), "Grße");
  line.erase(1);
  EXPECT_EQ(line.text(), "Gre");
  line.move(-1, true);
  line.insert("a");
  EXPECT_EQ(line.text(), "Gae");
}

}  // namespace
}  // namespace satdof
