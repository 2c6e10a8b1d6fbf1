#!/usr/bin/env python3
"""test_plain_pages.py: words in pages, manual pages and SQL comments are found.

Usage: test/structure/test_plain_pages.py     prints TAP, for test/harness.pl
"""

import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tap                                  # noqa: E402
from plain_pages import plain_pages         # noqa: E402

WORDS = "word \\bso many\\b\nword \\bmend\\b\nword (^|[.] )(?-i:Of) (a|the)\\b\n"

PAGE = """# Title

There are so
many rows. Of the rows, all.

| `mend` | [a word](page.md#mend) | mend it |

```sql
SELECT mend;
```
<!-- test: none="mend" -->
    mend
"""

SQL = """--
-- so
-- many
CREATE FUNCTION mend() RETURNS text AS 'so many';
COMMENT ON FUNCTION mend() IS
    'what to mend';
"""


class PlainPagesTest(unittest.TestCase):
    def found(self, name, text, more=""):
        with tempfile.TemporaryDirectory() as top:
            with open(os.path.join(top, name), "w", encoding="utf-8") as file:
                file.write(text)
            return plain_pages(top, WORDS, f"page *.*\n{more}")

    def test_page(self):
        self.assertEqual(self.found("a.md", PAGE), [
            "a.md:3: \"so many\"", "a.md:3: \"Of the\"", "a.md:6: \"mend\""])

    def test_manual_page(self):
        self.assertEqual(self.found("a.8", ".SH NAME\n.B so\nmany\n"),
                         ["a.8:1: \"so many\""])

    def test_sql(self):
        self.assertEqual(self.found("a.sql", SQL),
                         ["a.sql:1: \"so many\"", "a.sql:6: \"mend\""])

    def test_spared(self):
        self.assertEqual(self.found("a.md", PAGE, "not a.md\n"), [])


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
