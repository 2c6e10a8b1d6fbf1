#!/usr/bin/env python3
"""test_structure.py: shows on small invented trees that each rule can fail.

Usage: test/structure/test_structure.py     prints TAP, for test/harness.pl
"""

from __future__ import annotations

import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import figures                              # noqa: E402
import rules                                # noqa: E402
import tap                                  # noqa: E402
from c_source import CannotRead, read       # noqa: E402
from circles import circles                 # noqa: E402
from tree import Tree                       # noqa: E402

LEVELS = """# a comment
one
\tsrc/top\t\tabove
\tsrc/b src/c\tbeside each other
\tsrc/a\tbelow

other
\tdaemon
"""

# Obeys every rule: b uses a, c uses a, top uses b and c.
CLEAN = {
    "src/a/low.h": "extern int\tlow(int x);\n",
    "src/a/low.c": "#include \"a/low.h\"\n\nint\nlow(int x)\n{\n"
                   "\treturn x;\n}\n",
    "src/b/mid.h": "extern int mid(void);\n",
    "src/b/mid.c": "#include \"a/low.h\"\n#include \"b/mid.h\"\n"
                   "int\nmid(void)\n{\n\treturn low(1);\n}\n",
    "src/c/mid2.h": "extern int mid2(void);\n",
    "src/c/mid2.c": "#include \"a/low.h\"\nint\nmid2(void)\n{\n"
                    "\treturn low(2);\n}\n",
    "src/top.c": "#include \"b/mid.h\"\n#include \"c/mid2.h\"\n"
                 "int\nmain(void)\n{\n\treturn mid() + mid2();\n}\n",
    "daemon/d.c": "static int low;\nint\nmain(void)\n{\n\treturn low;\n}\n",
}


def made(**changes: str) -> Tree:
    """The clean tree with some files replaced or added; __ represents /."""
    files = dict(CLEAN)
    for name, text in changes.items():
        path = name.replace("__", "/")
        path = path[:-2] + "." + path[-1]
        files[path] = text
    with tempfile.TemporaryDirectory() as top:
        for path, text in files.items():
            os.makedirs(os.path.join(top, os.path.dirname(path)),
                        exist_ok=True)
            with open(os.path.join(top, path), "w", encoding="utf-8") as file:
                file.write(text)
        return Tree(top)


class RulesTest(unittest.TestCase):
    def test_clean_tree_keeps_all(self):
        tree = made()
        for name, rule in rules.MUST + rules.SHOULD:
            found = rules.direction(tree, LEVELS) \
                if rule is rules.direction else \
                rules.plain_english(tree, "word x\nin src/a\n") \
                if rule is rules.plain_english else rule(tree)
            self.assertEqual(found, [], name)

    def test_circle_between_files_names_what_ties_it(self):
        found = rules.file_circles(made(
            src__a__other_h="extern int other(void);\n",
            src__a__other_c="int\nother(void)\n{\n\treturn low(1);\n}\n",
            src__a__low_c="int\nlow(int x)\n{\n\treturn other();\n}\n"))
        self.assertEqual(found, [
            "2 files: src/a/low src/a/other",
            "  src/a/low -> src/a/other: other",
            "  src/a/other -> src/a/low: low"])

    def test_table_of_functions_ties_too(self):
        found = rules.file_circles(made(
            src__a__low_c="int\nlow(int x)\n{\n\treturn x;\n}\n"
                          "static int (*const table[]) (void) = {mid};\n"))
        self.assertEqual(found[0], "2 files: src/a/low src/b/mid")

    def test_macro_in_header_ties_too(self):
        found = rules.file_circles(made(
            src__a__low_h="extern int low(int x);\n#define UP(x) \\\n"
                          "\t(mid() + (x))\n"))
        self.assertEqual(found[0], "2 files: src/a/low src/b/mid")

    def test_including_alone_ties_nothing(self):
        tree = made(src__a__low_c="#include \"b/mid.h\"\nint\nlow(int x)\n"
                                  "{\n\treturn x;\n}\n")
        self.assertEqual(rules.file_circles(tree), [])
        self.assertEqual(rules.direction(tree, LEVELS), [
            "src/a/low.c includes src/b/mid.h: src/b is not below src/a"])

    def test_comments_strings_and_members_tie_nothing(self):
        self.assertEqual(rules.file_circles(made(
            src__a__low_c="/* mid() */\nint\nlow(int x)\n{\n"
                          "\tputs(\"mid()\"); // mid()\n"
                          "\treturn p->mid + q.mid + 'm';\n}\n")), [])

    def test_circle_between_folders_without_one_between_files(self):
        tree = made(
            src__a__up_h="extern int up(void);\n",
            src__a__up_c="int\nup(void)\n{\n\treturn mid();\n}\n",
            src__top_c="int\nmain(void)\n{\n\treturn up();\n}\n")
        self.assertEqual(rules.file_circles(tree), [])
        self.assertEqual(rules.folder_circles(tree), [
            "2 folders: src/a src/b",
            "  src/a/up -> src/b/mid: mid",
            "  src/b/mid -> src/a/low: low"])

    def test_direction_beside_and_across_programs(self):
        found = rules.direction(made(
            src__b__mid_c="int\nmid(void)\n{\n\treturn mid2();\n}\n",
            daemon__d_c="#include \"../src/a/low.h\"\n"), LEVELS)
        self.assertEqual(found, [
            "daemon/d.c includes src/a/low.h: src/a is not below daemon",
            "src/b/mid uses mid2 of src/c/mid2: src/c is not below src/b"])

    def test_levels_list_every_folder_and_no_other(self):
        tree = made(src__new__x_c="int\nmain(void)\n{\n\treturn 0;\n}\n")
        self.assertEqual(rules.direction(tree, LEVELS + "\tsrc/old\n"), [
            "src/new is not in levels.txt",
            "src/old is in levels.txt and nowhere else"])

    def test_unused_extern(self):
        dead = ("int\tspare = 1;\n\nint\ndead(void)\n{\n\treturn dead();\n}\n")
        self.assertEqual(rules.externs_at_home(made(src__a__dead_c=dead)),
                         ["src/a/dead.c: dead"])
        self.assertEqual(rules.unused_externs(made(src__a__dead_c=dead)),
                         ["src/a/dead.c: spare"])
        tree = made(src__a__dead_c=dead,
                    test__unit__t_c="int\nmain(void)\n{\n"
                                    "\treturn spare;\n}\n")
        self.assertEqual(rules.unused_externs(tree), [])
        self.assertEqual(rules.externs_of_tests(tree),
                         ["src/a/dead.c: spare"])

    def test_what_the_server_calls_is_used(self):
        self.assertEqual(rules.unused_externs(made(
            src__a__sql_c="PG_FUNCTION_INFO_V1(f);\n"
                          "PGDLLEXPORT void worker(Datum arg);\n"
                          "Datum\nf(PG_FUNCTION_ARGS)\n{\n}\n"
                          "void\nworker(Datum arg)\n{\n}\n"
                          "void\n_PG_init(void)\n{\n}\n")), [])

    def test_same_name_in_two_programs(self):
        tree = made(
            daemon__now_c="int\nmid(void)\n{\n\treturn 1;\n}\n",
            daemon__d_c="int\nmain(void)\n{\n\treturn mid();\n}\n")
        self.assertIn(("daemon/d", "daemon/now"), tree.arrows)
        self.assertNotIn(("daemon/d", "src/b/mid"), tree.arrows)
        self.assertIn(("src/top", "src/b/mid"), tree.arrows)
        self.assertEqual(rules.unused_externs(tree), [])

    def test_header_may_use_what_it_declares(self):
        tree = made(
            src__a__layout_h="extern int low(int x);\n"
                             "static inline int\nlayout(void)\n{\n"
                             "\treturn low(3);\n}\n",
            src__a__low_c="int\nlow(int x)\n{\n\treturn layout();\n}\n")
        self.assertEqual(rules.file_circles(tree), [])
        self.assertIn(("src/a/low", "src/a/layout"), tree.arrows)

    def test_line_length(self):
        message = "\terrmsg(\"" + "a" * 90 + "\");\n"
        exactly = "\t/* " + "x" * 70 + " */\n"
        self.assertEqual(rules.line_length(made(
            daemon__d_c="int\nmain(void)\n{\n" + message + exactly +
                        "\t" + exactly + "}\n")),
            ["daemon/d.c:6: 84 columns"])

    def test_version_test(self):
        text = "#if PG_VERSION_NUM >= 160000\n#endif\n"
        self.assertEqual(rules.version_tests(made(
            src__base__compat_h=text, src__a__x_c=text)),
            ["src/a/x.c: #if PG_VERSION_NUM >= 160000"])

    def test_plain_english(self):
        text = ("word \\bso many\\b\n"
                "word (^|[.:;] )(?-i:Of) (a|the)\\b  # not of\n"
                "in src/a\nnot src/a/later.c\n")
        comment = "/* one of the rows, so\n * many */\n/*\n * x.c\n *\n" \
                  " * Of a page all. */\nint x;  /* Of the fact */\n"
        tree = made(src__a__x_c=comment, src__a__later_c=comment,
                    src__b__x_c=comment,
                    src__a__y_c="char *s = \"so many\"; /* of the fact */\n")
        self.assertEqual(rules.plain_english(tree, text), [
            "src/a/x.c:1: \"so many\"",
            "src/a/x.c:3: \"Of a\"",
            "src/a/x.c:7: \"Of the\""])
        self.assertEqual(rules.plain_english(tree, text + "in src/gone\n"),
                         ["src/gone: no such folder"] +
                         rules.plain_english(tree, text))

    def test_sorts(self):
        include = "#define ST_SORT x\n#include \"lib/sort_template.h\"\n"
        self.assertEqual(rules.sorts(made(
            src__a__x_c=include,
            src__a__y_c="#define ST_CHECK_FOR_INTERRUPTS\n" + include)),
            ["src/a/x.c: no ST_CHECK_FOR_INTERRUPTS"])

    def test_long_functions_and_files(self):
        body = "int\nmain(void)\n{\n" + "\tx++;\n" * 57 + "}\n"
        tree = made(daemon__d_c=body)
        self.assertEqual(rules.long_functions(tree),
                         ["daemon/d.c:1: main, 61 lines"])
        self.assertEqual(rules.long_files(made(daemon__d_c=body * 9)),
                         ["daemon/d.c: 549 lines"])


class ReadingTest(unittest.TestCase):
    @staticmethod
    def functions(text):
        return [(function.name, function.static, function.first,
                 function.last) for function in read("x.c", text).functions]

    def test_house_style(self):
        self.assertEqual(self.functions(
            "typedef struct Pair\n{\n\tint a;\n} Pair;\n"
            "enum { ONE, TWO };\n"
            "struct pair { int x; } one = {1};\n"
            "static const int table[] = {\n\t1, 2\n};\n"
            "PG_MODULE_MAGIC;\n"
            "pg_attribute_printf(1, 2) static void\nsay(const char *f,...)\n"
            "{\n\tif (1)\n\t{\n\t}\n}\n"
            "static struct pair *\nfind(int (*test) (int), char c)\n"
            "{\n\treturn '}' ? \"}\" : NULL;\n}\n"
            "Pair\tmake(void)\n{\n}\n"),
            [("say", True, 11, 17), ("find", True, 18, 22),
             ("make", False, 23, 25)])

    def test_externs(self):
        source = read("x.c", "int a;\nstatic int b;\nextern int c;\n"
                      "int d[2] = {1, 2};\nint (*e) (int) = f;\n"
                      "static void g(void);\nint h(int);\n"
                      "char *i = \"x\", *j;\n")
        self.assertEqual(source.defined, {"a", "d", "e", "i"})
        self.assertEqual(source.declared, {"c", "h"})

    def test_inline_of_a_header_is_defined_there(self):
        source = read("x.h", "static inline int\nf(void)\n{\n}\nint v;\n")
        self.assertEqual(source.defined, {"f"})

    def test_what_cannot_be_read(self):
        for text in ("int f(void)\n{\n", "}\n", "int f(\n"):
            with self.assertRaises(CannotRead, msg=text):
                read("x.c", text)

    def test_comment_lines(self):
        self.assertEqual(read("x.c", "/* one\n * two\n */\nint a; /* no */\n"
                              "\n// three\nchar *s = \"/* no */\";\n"
                              ).comment_lines, 4)


class CirclesTest(unittest.TestCase):
    def test_circles(self):
        self.assertEqual(circles({1: {2}, 2: {3}, 3: {1, 4}, 4: {5},
                                  5: {4, 6}, 6: {6}}), [[1, 2, 3], [4, 5]])
        self.assertEqual(circles({1: {2, 3}, 2: {3}}), [])

    def test_long_chain(self):
        chain = {i: {i + 1} for i in range(5000)}
        self.assertEqual(circles(chain), [])
        chain[5000] = {0}
        self.assertEqual(len(circles(chain)[0]), 5001)


class FiguresTest(unittest.TestCase):
    def test_figures(self):
        tree = made()
        self.assertEqual(figures.circle_counts(tree),
                         ["circles: 0 between files, 0 between folders"])
        self.assertEqual(figures.folder_pairs(tree)[0],
                         "pairs of folders in src/ of which one knows the "
                         "other: 4 of 6 (66.7 %)")
        self.assertEqual(figures.comments(tree),
                         ["lines with nothing but comment: 0 of 36 (0.0 %)"])
        self.assertIn("median 5, 90th percentile 5, longest 5",
                      figures.functions(tree)[0])


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
