#include "app/io/notes.h"

#include <gmock/gmock.h>

namespace satdof {
namespace {

TEST(Notes, AreOneLineEachAndNeverTwice) {
  Notes notes;
  for (const char* text : {"a\nb", "a\nb", "c\x1b[0m"}) addNote(notes, text);
  EXPECT_THAT(notes, testing::ElementsAre("a b", "c\\x1b[0m"));
  EXPECT_THAT(inFile("x.png", notes), testing::ElementsAre("x.png: a b", "x.png: c\\x1b[0m"));
}

TEST(Notes, AreBounded) {
  Notes notes;
  for (int i = 0; i < 1000; ++i) addNote(notes, std::to_string(i) + std::string(100000, 'x'));
  ASSERT_EQ(notes.size(), 33u);
  EXPECT_LT(notes[0].size(), 1100u);
  EXPECT_EQ(notes.back(), "more notes are left out");
}

}  // namespace
}  // namespace satdof
