"""The copy of the sources that a server in a tree is built from."""

import os
import tarfile
import tempfile
import unittest

from lib import installation


class RemoveGone(unittest.TestCase):
    def test_moved_source_goes_built_file_stays(self):
        with tempfile.TemporaryDirectory() as to:
            for name in ("src/old/link.c", "src/new/link.c", "src/new/link.o",
                         "daemon/ssdpard", "bench/results/run/legs.csv"):
                path = os.path.join(to, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w"):
                    pass
            installation.remove_gone(to, {"./src/new/link.c"})
            left = sorted(os.path.relpath(os.path.join(top, file), to)
                          for top, _, files in os.walk(to) for file in files)
        self.assertEqual(left, ["bench/results/run/legs.csv",
                                "daemon/ssdpard", "src/new/link.c",
                                "src/new/link.o"])


class Changed(unittest.TestCase):
    def test_other_content_and_not_the_time_tells(self):
        with tempfile.TemporaryDirectory() as here, \
                tempfile.TemporaryDirectory() as to:
            for top, content in ((here, "1"), (to, "2")):
                for name in ("same.c", "other.c"):
                    with open(os.path.join(top, name), "w") as file:
                        file.write("0" if name == "same.c" else content)
            with open(os.path.join(here, "new.c"), "w"):
                pass
            os.utime(os.path.join(here, "other.c"), (1, 1))
            path = os.path.join(here, "sources.tar")
            with tarfile.open(path, "w") as archive:
                for name in ("same.c", "other.c", "new.c"):
                    archive.add(os.path.join(here, name), "./" + name)
            with tarfile.open(path) as archive:
                found = installation.changed(archive, to)
        self.assertEqual([os.path.basename(name) for name in found],
                         ["other.c"])
