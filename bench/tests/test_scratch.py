"""./run stop and clean: everything that ./run makes, and nothing else."""

import contextlib
import io
import os
import tempfile
import unittest
from unittest import mock

import scratch as command
from lib import small_devices
from lib.scratch import Scratch

OURS = ("", "-18", "-17-tpch", "-advised", "-planning", "-trust-19",
        "-trust-16-2")
# Another user's usual place, and a name similar to ours.
NOT_OURS = ("-2", "-fast", "-16-3", "-tpch2")


class ScratchTest(unittest.TestCase):
    def setUp(self):
        # pylint: disable=consider-using-with
        directory = tempfile.TemporaryDirectory(dir="/var/tmp")
        self.addCleanup(directory.cleanup)
        self.path = directory.name
        for change in (
                mock.patch.dict(os.environ, SSDPAR_SCRATCH=self.path + "/s"),
                mock.patch("lib.scratch.server_user", return_value=mock.Mock(
                    uid=os.geteuid(), gid=os.getegid()))):
            change.start()
            self.addCleanup(change.stop)

    def make(self, *suffixes):
        for suffix in suffixes:
            Scratch(suffix).make()

    def left(self):
        return {name[1:] for name in os.listdir(self.path)}

    @staticmethod
    def ran(name):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            command.command([name])
        return said.getvalue()

    def test_clean(self):
        self.make(*OURS, *NOT_OURS)
        os.mkdir(os.path.join(self.path, "s-trust-18"))     # no mark in it
        said = self.ran("clean")
        self.assertEqual(self.left(), {*NOT_OURS, "-trust-18"})
        self.assertEqual(len(said.splitlines()), len(OURS))

    def test_clean_without_the_usual_one(self):
        self.make("-trust-15")
        self.assertRegex(self.ran("clean"), r"^There is no scratch data in "
                         r".*/s\.\nRemoved .*/s-trust-15\.\n$")
        self.assertEqual(self.left(), set())

    def test_stop(self):
        """Remains of a killed run are stopped, too."""
        self.make("", "-tpch", "-trust-18", "-trust-18-1")
        for suffix in ("-trust-18", "-trust-18-1"):
            data = Scratch(suffix).data
            os.mkdir(data)
            with open(os.path.join(data, "postmaster.pid"), "w"):
                pass
        server = mock.Mock()
        server.stop.side_effect = [False, True, True]
        with mock.patch.object(command, "_server", return_value=server):
            said = self.ran("stop").splitlines()
        self.assertEqual(said, ["The scratch server was not running."] + [
            f"The server in {self.path}/s{suffix} is stopped."
            for suffix in ("-trust-18", "-trust-18-1")])

    def test_memory_of_a_killed_run(self):
        """It is unmounted before it is removed."""
        self.make("-advised")
        memory = os.path.join(self.path, "s-advised", "small", "full")
        os.makedirs(memory)
        done = []
        with mock.patch.object(os.path, "ismount",
                               side_effect=lambda path: path == memory and
                               not done), \
                mock.patch.object(small_devices.process, "check",
                                  lambda words, _: done.append(words)):
            self.ran("clean")
        self.assertEqual(done, [["umount", "--lazy", memory]])
        self.assertEqual(self.left(), set())


if __name__ == "__main__":
    unittest.main()
