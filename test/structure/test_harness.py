#!/usr/bin/env python3
"""test_harness.py: how a check reports failures: name, actual, expected.

Usage: test/structure/test_harness.py     prints TAP, for test/harness.pl
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from typing import Dict, Tuple

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)

import tap                                  # noqa: E402

SUMMARY = """
. test/common.sh
failures_in "$0"
"""

PERL = """
use Test::More;
is(1, 1, 'one is one');
is('got it', 'expected it', 'the assertion');
is(2, 2, 'two is two');
print STDERR "much that a server says\\n" x 100;
done_testing();
"""

LONG = """
use Test::More;
like("a line\\n" x 1000, qr/the pattern/, 'the long one');
done_testing();
"""

DIES = """
use Test::More;
ok(1, 'so far');
die "this is why\\n";
"""

BAILS_OUT = """
use Test::More;
ok(1, 'so far');
BAIL_OUT('no server');
"""

# Continues when the third of three programs has run, two at a time.
WAITS = """
use FindBin;
use Test::More;
diag('it waits');
for (1 .. 1800)
{
	last if -e "$FindBin::Bin/third";
	select(undef, undef, undef, 0.1);
}
ok(-e "$FindBin::Bin/third", 'the third has run');
done_testing();
"""

THIRD = """
use FindBin;
use Test::More;
open(my $file, '>', "$FindBin::Bin/third");
ok($file, 'the third');
done_testing();
"""

# Like cmocka.
PLAIN = """#!/bin/sh
echo 1..3
echo 'ok 1 - fine'
echo 'not ok 2 - the plain one'
echo '# 0x3 != 0x4'
echo 'not ok 3 - left out # SKIP'
exit 1
"""

PASSES = """
use Test::More;
ok(1, 'fine');
diag('a word that nothing failed for');
SKIP: { skip 'not here', 1; }
TODO: { local $TODO = 'later'; ok(0, 'to do'); }
done_testing();
"""


def run(programs: Dict[str, str]) -> Tuple[str, str, int]:
    """The summary of a check, the counts, the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, text in programs.items():
            paths.append(os.path.join(folder, name))
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(paths[-1], 0o755)
        log = os.path.join(folder, "log")
        counts = os.path.join(folder, "counts")
        with open(log, "w", encoding="utf-8") as file:
            status = subprocess.run(
                ["perl", os.path.join(TOP, "test", "harness.pl"), counts,
                 *paths], stdout=file, stderr=subprocess.STDOUT, cwd=TOP,
                check=False, stdin=subprocess.DEVNULL,
                env={**os.environ, "SSDPAR_TEST_JOBS": "2"}).returncode
        said = subprocess.run(["bash", "-c", SUMMARY, log], cwd=TOP,
                              check=True, capture_output=True, text=True)
        with open(counts, encoding="utf-8") as file:
            return said.stdout, file.read().strip(), status


class SummaryTest(unittest.TestCase):
    def test_name_got_and_expected(self):
        said, counts, status = run({"a.pl": PERL})
        self.assertEqual((counts, status), ("2 1 0", 1))
        self.assertRegex(said, r"^FAILED \S+/a\.pl\n  not ok 2 - the asser")
        self.assertIn("got: 'got it'", said)
        self.assertIn("expected: 'expected it'", said)
        self.assertNotIn("server", said)
        self.assertLess(len(said.splitlines()), 12)

    def test_long_one_has_its_end(self):
        said, _, _ = run({"a.pl": LONG})
        self.assertIn("not ok 1 - the long one", said)
        self.assertRegex(said, r"doesn't match '.*the pattern")
        self.assertLess(len(said.splitlines()), 40)

    def test_program_that_dies(self):
        said, counts, _ = run({"a.pl": DIES})
        self.assertEqual(counts, "1 1 0")
        self.assertIn("this is why", said)
        self.assertIn("exit code 255", said)

    def test_program_without_test_more(self):
        said, counts, _ = run({"plain": PLAIN})
        self.assertEqual(counts, "1 1 1")
        self.assertIn("not ok 2 - the plain one\n  # 0x3 != 0x4", said)
        self.assertNotIn("left out", said)

    def test_those_that_pass_are_not_told(self):
        said, counts, _ = run({"a.pl": PASSES, "b.pl": PERL})
        self.assertEqual(counts, "4 1 1")
        self.assertEqual(said.count("FAILED"), 1)
        self.assertNotIn("nothing failed", said)

    def test_others_go_on_after_one_bails_out(self):
        said, counts, _ = run({"a.pl": BAILS_OUT, "b.pl": PASSES,
                               "c.pl": PASSES, "d.pl": PASSES})
        self.assertEqual(counts, "7 1 3")
        self.assertIn("Bail out!  no server", said)

    def test_one_that_waits_holds_up_no_other(self):
        said, counts, _ = run({"a.pl": WAITS, "b.pl": PASSES, "c.pl": THIRD})
        self.assertEqual(counts, "4 0 1", said)


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
