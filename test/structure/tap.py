"""Unit tests in Python that print one line per test, for test/harness.pl."""

from __future__ import annotations

import sys
import unittest


class _Result(unittest.TestResult):
    def _line(self, word: str, test: unittest.TestCase, why: str = "") -> None:
        name = ".".join(test.id().split(".")[-2:])
        print(f"{word} {self.testsRun} - {name}{why}", flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self._line("ok", test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._line("ok", test, f" # SKIP {reason}")

    def addFailure(self, test, problem):
        super().addFailure(test, problem)
        self._line("not ok", test)
        print(self._exc_info_to_string(problem, test), file=sys.stderr)

    def addError(self, test, problem):
        super().addError(test, problem)
        self._line("not ok", test)
        print(self._exc_info_to_string(problem, test), file=sys.stderr)


def main(module: str) -> int:
    """Runs the tests of a module; returns its exit code."""
    tests = unittest.defaultTestLoader.loadTestsFromModule(
        sys.modules[module])
    print(f"1..{tests.countTestCases()}")
    result = _Result()
    tests.run(result)
    return 0 if result.wasSuccessful() else 1
