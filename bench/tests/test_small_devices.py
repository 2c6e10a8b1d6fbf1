"""Small emulated devices: their size and structure."""

import unittest

from lib.small_devices import DISK, SmallDevice


class SizeTest(unittest.TestCase):
    def test_all_of_it_can_be_written(self):
        for size in (1 << 26, 10 ** 8, 10 ** 9 + 1):
            for channels in (1, 4):
                device = SmallDevice("x", size, channels)
                self.assertGreaterEqual(device.raw_bytes() * 0.9, size)

    def test_not_much_larger(self):
        device = SmallDevice("x", 10 ** 9)
        self.assertLess(device.raw_bytes() * 0.9, 1.01 * device.bytes)

    def test_enough_blocks_to_collect_among(self):
        self.assertGreaterEqual(SmallDevice("x", 1).blocks(), 24)

    def test_options(self):
        options = SmallDevice("x", 10 ** 8, 1, age=2, free_blocks=8).options()
        for wanted in ("--discard", "2", "channels 1", "gc-high 8"):
            self.assertIn(wanted, options)

    def test_a_disk_has_no_flash(self):
        options = SmallDevice("x", 10 ** 8, profile=DISK).options()
        self.assertEqual(options, ("--set", "capacity 100 MB"))


if __name__ == "__main__":
    unittest.main()
