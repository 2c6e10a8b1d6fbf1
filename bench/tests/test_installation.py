"""The copy of the sources that a server in a tree is built from."""

import os
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
