"""Those parts of handling the emulated device that need no FUSE."""

import os
import tempfile
import unittest
from unittest import mock

from lib import emulator
from lib.errors import UserError
from lib.scratch import Scratch


class EmulatorTest(unittest.TestCase):
    def test_profiles_are_the_shipped_descriptions(self):
        self.assertEqual(emulator.profiles(),
                         ["750", "hdd", "net-1", "net-2", "net-capped",
                          "net-half", "nvme", "paq", "s3700", "ssd-m",
                          "ssd-p", "ssd-s", "x25-e"])

    def test_nothing_mounted(self):
        with tempfile.TemporaryDirectory() as directory:
            self.assertFalse(emulator.is_mounted(directory))
            self.assertFalse(emulator.is_mounted(directory + "/none"))
            emulator.unmount(directory)

    def test_statistics(self):
        with tempfile.TemporaryDirectory() as directory:
            os.mkdir(os.path.join(directory, ".ssdemu"))
            with open(os.path.join(directory, ".ssdemu", "stats"),
                      "w") as file:
                file.write("device ssd-s\nseed 7\ntransport_ns 5\n"
                           "read_bytes 4096\n")
            device = emulator.EmulatedDevice("ssd-s", directory)
            self.assertEqual(device.bytes_read(), 4096)
            self.assertEqual(device.facts()["seed"], 7)

    def test_too_little_memory(self):
        scratch = mock.Mock(spec=Scratch)
        scratch.data_bytes.return_value = 10 ** 15
        with mock.patch.object(emulator, "no_fuse", return_value=None), \
                self.assertRaisesRegex(UserError, "are needed and"):
            emulator.check(scratch, 10 ** 9)


if __name__ == "__main__":
    unittest.main()
