"""Raw numbers after a crash: what is repaired, and what is refused."""

import os
import tempfile
import unittest

from lib import raw, results
from lib.cold import CacheState
from lib.errors import UserError
from lib.legs import Leg
from tests.test_plan import index_plan

COLUMNS = ("name", "value")


class RowFileTest(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.path = os.path.join(self.place.name, "x.csv")
        file = raw.RowFile(self.path, COLUMNS)
        file.add({"name": "a, \"b\"", "value": 1})
        file.add({"name": "c"})

    def content(self):
        with open(self.path, "rb") as file:
            return file.read()

    def test_rows_come_back(self):
        file = raw.RowFile(self.path, COLUMNS)
        self.assertEqual(file.rows, [{"name": 'a, "b"', "value": "1"},
                                     {"name": "c", "value": ""}])
        self.assertEqual(file.cut, 0)

    def test_the_last_row_of_a_measurement_counts(self):
        file = raw.RowFile(self.path, COLUMNS)
        file.add({"name": "c", "value": 2})
        self.assertEqual(file.latest(("name",)),
                         [{"name": 'a, "b"', "value": "1"},
                          {"name": "c", "value": "2"}])
        self.assertEqual(file.latest(COLUMNS), file.rows)

    def test_every_cut_is_repaired(self):
        whole = self.content()
        for end in range(len(whole)):
            with open(self.path, "wb") as file:
                file.write(whole[:end])
            found = raw.RowFile(self.path, COLUMNS)
            complete = max(0, whole[:end].count(b"\n") - 1)
            self.assertEqual(len(found.rows), complete, end)
            found.add({"name": "new", "value": 2})
            again = raw.RowFile(self.path, COLUMNS)
            self.assertEqual(again.rows[-1]["name"], "new")
            self.assertEqual(len(again.rows), complete + 1)

    def test_torn_last_line_with_an_end(self):
        before = self.content()
        with open(self.path, "ab") as file:
            file.write(b"\0\0\0\n")
        self.assertEqual(raw.RowFile(self.path, COLUMNS).cut, 4)
        self.assertEqual(self.content(), before)

    def test_damage_in_the_middle_is_refused_and_left(self):
        with open(self.path, "ab") as file:
            file.write(b"\0\0\0\nd,4\n")
        damaged = self.content()
        with self.assertRaisesRegex(UserError, "line 4 of .* is damaged"):
            raw.RowFile(self.path, COLUMNS)
        self.assertEqual(self.content(), damaged)

    def test_other_columns_are_refused(self):
        with self.assertRaisesRegex(UserError, "other columns"):
            raw.RowFile(self.path, ("name",))


class LegFileTest(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        results.write_json(os.path.join(self.place.name, "environment.json"),
                           {"scenario": "x"})
        self.legs = [
            Leg("q2.2", "index-16", 1, {"a": "b"}, CacheState(0, 9), 1.5,
                None, 3, "sum", index_plan(16), 128, False, False),
            Leg("q2.2", "hash", 2, {}, CacheState(1, 9), 150.0, 8, 0, "",
                index_plan(1), None, True, True)]

    def test_legs_come_back_as_they_were(self):
        file = results.LegFile("x", self.place.name)
        for leg in self.legs:
            file.add(leg)
        again = results.LegFile("x", self.place.name)
        self.assertEqual(again.done, self.legs)
        self.assertEqual(again.facts, {"scenario": "x"})

    def test_a_missing_plan_is_one_message(self):
        results.LegFile("x", self.place.name).add(self.legs[0])
        os.unlink(os.path.join(self.place.name, "plans",
                               "q2.2-index-16-1.json"))
        with self.assertRaisesRegex(UserError, "cannot be read back"):
            results.LegFile("x", self.place.name)

    def test_no_results_there(self):
        with self.assertRaisesRegex(UserError, "no directory of results"):
            results.LegFile("x", self.place.name + "/none")


if __name__ == "__main__":
    unittest.main()
