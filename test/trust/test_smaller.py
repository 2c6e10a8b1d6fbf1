#!/usr/bin/env python3
"""Findings become as small as their test allows, and remain complete."""

import os
import re
import sys
import time
import unittest
from random import Random
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "structure")]
# pylint: disable=wrong-import-position
import place  # noqa: E402,F401  pylint: disable=unused-import
import logic  # noqa: E402
import reproduce  # noqa: E402
import smith  # noqa: E402
import tap  # noqa: E402
from reproduce import Reproduction, Trial, make_smaller  # noqa: E402
from schema import random_schema  # noqa: E402
from session import Answer, Lost  # noqa: E402
from smaller import Patience, fewer, fewer_rows, shorter  # noqa: E402

LONG = """
select ref_0.k2 as c0, case when (ref_0.x is NULL) or (ref_0.g < 3) then
    pg_catalog.abs(cast(ref_0.x as int4)) else ref_0.g end as c1
from fz.f1_2 as ref_0
      right join fz.f2_0 as ref_1 on (ref_0.k2 = ref_1.k2)
    inner join (select sample_1.pad as c0
        from fz.f1_2 as sample_1 tablesample system (9.4)
        where (sample_1.k3 < sample_1.k3) and ('it''s (' <> sample_1.t)
        limit 134) as subq_0
    on (ref_0.pad = subq_0.c0)
where pg_catalog.pg_backend_pid() >= 90
limit 116;
""".strip()


def patience(holds, seconds=60.0):
    return Patience(holds, time.monotonic() + seconds)


def is_balanced(text):
    """As far as a server would reject it."""
    depth = 0
    for bracket in re.findall(r"'(?:[^']|'')*'|[()]", text):
        depth += {"(": 1, ")": -1}.get(bracket, 0)
        if depth < 0:
            return False
    return depth == 0


class FewerTest(unittest.TestCase):
    def test_what_is_needed(self):
        left = fewer(list(range(100)), lambda some: {3, 50, 97} <= set(some))
        self.assertEqual(left, [3, 50, 97])

    def test_what_needs_another_goes_first(self):
        """A table is removed only after its index."""
        tried = []

        def holds(some):
            tried.append(some)
            return "index" not in some or "table" in some
        self.assertEqual(fewer(["table", "index"], holds), [])

    def test_all_or_nothing(self):
        self.assertEqual(fewer([1, 2, 3], lambda some: len(some) == 3),
                         [1, 2, 3])
        self.assertEqual(fewer([], lambda some: True), [])

    def test_rows(self):
        def holds(some):
            return int(re.search(r"1, (\d+)", some[1])[1]) >= 40
        left = fewer_rows(["CREATE TABLE d (u int)", "INSERT INTO d SELECT i "
                           "FROM generate_series(1, 3000) i WHERE true"],
                          holds)
        self.assertIn("generate_series(1, 46) i", left[1])


class ShorterTest(unittest.TestCase):
    def shortened(self, *words):
        """Requiring only that the text contains these."""
        return shorter(LONG, patience(
            lambda text: is_balanced(text) and all(
                re.search(word, text, re.S) for word in words)))

    def test_one_join(self):
        self.assertEqual(
            self.shortened(r"^select.*\Wfrom fz\.f1_2\W.*join fz\.f2_0"
                           r"\W.*\bon\b.*\Wref_0\.k2 = ref_1\.k2"),
            "select from fz.f1_2 join fz.f2_0 on ref_0.k2 = ref_1.k2")

    def test_a_subquery_alone(self):
        self.assertEqual(
            self.shortened(r"^select.*\Wsample_1\.k3 < sample_1\.k3"),
            "select sample_1.k3 < sample_1.k3")

    def test_text_is_one_word(self):
        self.assertEqual(self.shortened(r"'it''s \('"), "'it''s ('")

    def test_does_not_hold(self):
        self.assertIsNone(shorter(LONG, patience(lambda text: False)))

    def test_holds_only_as_it_is(self):
        self.assertEqual(shorter(LONG, patience(lambda text: text == LONG)),
                         LONG)

    def test_time_is_over(self):
        """The result so far is kept."""
        tried = []

        def holds(text):
            tried.append(text)
            return "k2" in text
        with mock.patch("smaller.time") as clock:
            clock.monotonic.side_effect = lambda: len(tried)
            left = shorter(LONG, Patience(holds, 5))
        self.assertEqual(len(tried), 5)
        self.assertLess(len(left), len(LONG))
        self.assertIn("k2", left)


class FakeServer:
    """A statement fails in it with ssdpar, depending on the objects."""

    def __init__(self, harm, setup=(), settings=()):
        self.harm = harm
        self.setup = setup
        self.settings = settings
        self.made = ()
        self.sessions = 0

    def connect(self, _database):
        self.sessions += 1
        session = mock.Mock()
        session.set = ""
        session.must = lambda sql: self.must(session, sql)
        session.run = lambda sql: self.run(session, sql)
        return session

    def must(self, session, sql):
        if sql.startswith("BEGIN"):
            session.set = sql
        return Answer()

    def run(self, session, sql):
        if "DATABASE" in sql:
            self.made = ()
            return Answer()
        if re.match("CREATE|INSERT|GRANT|ANALYZE|UPDATE|DELETE|ALTER|DO|SET|--",
                    sql):
            self.made += (sql,)
            return Answer()
        harmful = all(re.search(one, sql) for one in self.harm) and all(
            any(re.search(one, made) for made in self.made)
            for one in self.setup) and all(
                one in session.set for one in self.settings)
        if harmful and "enabled = 'off'" not in session.set:
            return self.answer()
        return Answer() if is_balanced(sql) else Answer(sqlstate="42601")

    def answer(self):
        return Answer(sqlstate="XX000", message="no such thing as 17")


class CrashingServer(FakeServer):
    def answer(self):
        raise Lost("the server closed the connection")


class SmithTest(unittest.TestCase):
    def setUp(self):
        self.schema = random_schema(Random("3"), False, 1, False, True)
        self.fact = self.schema.facts[1].name

    def judged(self, server, *entries):
        part = smith.Smith(mock.Mock(session=server.connect), 1)
        return part._judged(self.schema, list(entries), 1)

    def entry(self, **also):
        return {"statement": LONG.replace("fz.f1_2", f"fz.{self.fact}"),
                "message": "no such thing as 16", "state_code": "XX000",
                **also}

    def harmed(self, server):
        return server(
            ["ref_0.k2 = ref_1.k2"],
            [f"CREATE TABLE {self.fact} ", f"INSERT INTO {self.fact}"],
            ["ssdpar.residency = 'cold'"])

    def check(self, found):
        """There is nothing else in its text, tables and settings."""
        self.assertRegex(found.text, r"\A-- by \d+ tries, of \d+ characters \d+"
                         "\nCREATE EXTENSION ssdpar;\n")
        lines = found.text.splitlines()[2:]
        self.assertEqual([line.split(" (")[0] for line in lines], [
            f"CREATE TABLE {self.fact}", f"INSERT INTO {self.fact}",
            "SET ssdpar.residency = 'cold';", "ref_0.k2 = ref_1.k2;"])

    def test_error(self):
        found, = self.judged(self.harmed(FakeServer), self.entry()).findings
        self.check(found)

    def test_crash(self):
        """After each crash, there is another session."""
        entry = self.entry(
            message="server process (PID 1) was terminated by signal 11",
            detail="Failed process was running: " + self.entry()["statement"])
        server = self.harmed(CrashingServer)
        with mock.patch.object(smith.Smith, "_core_too", return_value=False):
            found, = self.judged(server, entry).findings
        self.check(found)
        self.assertGreater(server.sessions, 10)

    def test_not_by_itself(self):
        """It needs another statement before it."""
        found, = self.judged(FakeServer(["no such"]), self.entry()).findings
        self.assertRegex(found.text, r"\A-- as it came: not a second time")
        self.assertIn(self.entry()["statement"].rstrip("\n;"), found.text)

    def test_same_message_once(self):
        found = self.judged(self.harmed(FakeServer), self.entry(),
                            self.entry(message="no such thing as 18"),
                            self.entry(message="nor such")).findings
        for one, note in zip(found, ("by ", "as it came: another one of",
                                     "as it came: not a second time")):
            self.assertRegex(one.text, f"\\A-- {note}")
        self.assertEqual(len(found), 3)


class MakeSmallerTest(unittest.TestCase):
    def setUp(self):
        self.schema = random_schema(Random("3"), False, 1, False, True)

    def smaller(self, server, shows, seconds=60.0):
        found = Reproduction.of(self.schema, [], "SELECT FROM d0, d1")
        with Trial(mock.Mock(session=server.connect)) as trial:
            make_smaller(found, self.schema, trial, shows,
                         lambda still: shorter(found.statement, still),
                         seconds)
        return found

    def test_not_whole(self):
        """A table that it needs cannot be created."""
        server = FakeServer([])
        server.run = lambda session, sql: Answer(
            sqlstate="42P01" if "INTO d1" in sql else None)
        found = self.smaller(server, lambda statement, chosen: True)
        self.assertRegex(found.note, "not all it needs could be made")
        self.assertIn("INSERT INTO d0", str(found))

    def test_no_time(self):
        found = self.smaller(FakeServer([]), lambda statement, chosen: True, 0)
        self.assertRegex(found.note, "no time")

    def test_what_the_cluster_keeps_is_made_where_it_is_needed(self):
        """The role: no trial in this cluster can tell that it is needed."""
        for kept in ("GRANT ALL ON SCHEMA fz TO reader", "CREATE SCHEMA fz"):
            server = FakeServer([], [kept])
            found = self.smaller(server, lambda statement, chosen:
                                 any(kept in made for made in server.made))
            self.assertEqual("CREATE ROLE reader" in str(found),
                             "reader" in kept)
            self.assertEqual(found.setup[0], reproduce._EXTENSION)


class LogicTest(unittest.TestCase):
    def setUp(self):
        self.schema = random_schema(Random("3"), False, 1, False, True)

    def checks(self):
        random = Random(1)
        while True:
            check = logic.random_check(random, self.schema)
            if check is not None:
                yield check

    def test_both_queries_become_smaller(self):
        """Common parts are removed from both, and stay in both."""
        seen = 0
        for check in self.checks():
            before = check.queries()
            if "EXISTS" not in str(check.tail):
                continue
            text = check.reduce(patience(lambda text: all(
                "EXISTS" in one for one in text.split(";\n"))))
            self.assertEqual(text, ";\n".join(check.queries()))
            for one, two in zip(before, check.queries()):
                self.assertLess(len(two), len(one) + 1)
                self.assertIn(str(check.tail), two)
            self.assertIn(str(check.p), check.queries()[1])
            seen += len(text) < len(";\n".join(before))
            if seen == 20:
                break

    def test_condition_without_where(self):
        for check in self.checks():
            if check.tail.pieces[-1] != "" and str(check.p)[0].isalpha():
                break
        check.name = "norec"
        self.assertRegex(
            check.reduce(patience(lambda text: re.match(
                r"SELECT count\(\*\) FROM [a-z].* \([a-z].*\);", text))),
            r"\ASELECT count\(\*\) FROM \w+ WHERE \((\w+)\);\n"
            r"SELECT count\(\*\) FILTER \(WHERE \1\) FROM \w+\Z")

    def test_not_a_second_time(self):
        self.assertIsNone(next(self.checks()).reduce(
            patience(lambda text: False)))

    def judged(self, *errors):
        """The kind, from the errors raised with ssdpar and then without."""
        part = logic.Logic(mock.Mock(), 1)
        with mock.patch.object(part, "_fits", side_effect=errors):
            return part._judge(mock.Mock(), ["SELECT", "SELECT"], [])

    def test_internal_error(self):
        self.assertEqual(self.judged("error XX000", "same"),
                         "internal error XX000")
        self.assertEqual(self.judged("error XX000", "error XX000"),
                         "error XX000")
        self.assertEqual(self.judged("error 57014"), "error 57014")


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
