#!/usr/bin/env python3
"""A reproduction creates everything that its statement names."""

import os
import re
import sys
import unittest
from random import Random

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "structure")]
# pylint: disable=wrong-import-position
import place  # noqa: E402,F401  pylint: disable=unused-import
import tap  # noqa: E402
from reproduce import Reproduction  # noqa: E402
from schema import random_schema  # noqa: E402


class ReproductionTest(unittest.TestCase):
    def test_partition_of_what_is_not_named(self):
        """As sqlsmith names them."""
        partitions = 0
        for seed in range(20):
            schema = random_schema(Random(seed), False, 1, False, True)
            for sql in schema.statements():
                found = re.match(r"CREATE TABLE (\w+) PARTITION OF (\w+) ",
                                 sql)
                if found is None:
                    continue
                partitions += 1
                text = str(Reproduction.of(schema, [],
                                           f"SELECT FROM {found[1]}"))
                self.assertIn(f"\nCREATE TABLE {found[2]} ", text)
                self.assertIn(sql, text)
        self.assertGreater(partitions, 20)

    def test_what_is_beside_the_tables(self):
        """For all objects in a database of the tests."""
        schema = random_schema(Random(1), False, 1, False, True)
        for name, made in (("run", "CREATE FUNCTION run("),
                           ("run_to", "CREATE FUNCTION run_to("),
                           ("coins", "CREATE SEQUENCE coins"),
                           ("counted", "CREATE SEQUENCE calls")):
            text = str(Reproduction.of(schema, [], f"SELECT {name}"))
            self.assertIn(made, text)
        self.assertNotIn("CREATE SEQUENCE", str(
            Reproduction.of(schema, [], "SELECT 1")))


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
