#!/usr/bin/env python3
"""test_format.py: format.py on small pieces of C, and on all of the sources.

Usage: test/structure/test_format.py     prints TAP, for test/harness.pl
"""

from __future__ import annotations

import difflib
import os
import shutil
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import format as layout                     # noqa: E402
import tap                                  # noqa: E402

TYPES = {"bool", "Pair", "List", "ListCell"}
HOUSE = """\
static const char help[] =
	"one\\n"
	"two\\n";

static List *
pairs(const char *format, ...)
{
	Pair		one = {.a = 1, .b = 0x1p-53};
	bool		good =
		one.a > 0;
	ListCell   *cell;

	foreach(cell, list)
		if (good)
			return add((Pair) {1, 2}, (Pair[]) {{3, 4}, {5, 6}});
	one = (Pair) {.a = 1, .b = 2};
	return NULL;				/* none */
}
"""


@unittest.skipUnless(shutil.which(layout.PROGRAM),
                     f"{layout.PROGRAM} is missing")
class FormatTest(unittest.TestCase):
    def test_house_style_stays(self):
        self.assertEqual(layout.formatted(HOUSE, TYPES), HOUSE)

    def test_other_styles_become_it(self):
        text = HOUSE.replace("\t\t", "\t").replace("List *\n", "List *") \
            .replace(" {\n", "{\n").replace("cell, ", "cell,")
        self.assertNotEqual(text, HOUSE)
        self.assertEqual(layout.formatted(text, TYPES), HOUSE)

    def test_code_that_cannot_be_understood(self):
        with self.assertRaises(layout.Failed):
            layout.formatted("int\nf(void)\n{\n\tif (1\n}\n", TYPES)

    def test_nothing_but_white_space_may_change(self):
        program = layout._put_right
        try:
            layout._put_right = lambda text: text.replace("NULL", "0")
            with self.assertRaisesRegex(layout.Failed, "white space"):
                layout.formatted(HOUSE, TYPES)
        finally:
            layout._put_right = program

    def test_types_of_the_sources(self):
        self.assertEqual(layout.own_types([
            "typedef struct A\n{\n\tint b;\n} C;\n/* } D; */\n"
            "typedef int E;\ntypedef int (*F) (int);\nstruct G\n{\n};\n"]),
            {"C", "E", "F"})


@unittest.skipUnless(shutil.which(layout.PROGRAM),
                     f"{layout.PROGRAM} is missing")
class SourcesTest(unittest.TestCase):
    def test_sources_are_formatted(self):
        types = layout.known_types()
        wrong = []
        for path in layout.all_files():
            before = layout.read(path)
            after = layout.formatted(before, types)
            wrong += difflib.unified_diff(
                before.split("\n"), after.split("\n"),
                os.path.relpath(path, layout.TOP), "make format", lineterm="",
                n=0)
        if wrong:
            self.fail("\n".join(["run make format", *wrong]))


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
