"""Activity of devices: sums, differences, and the busiest second."""

import unittest

from lib.device_counts import Counting, busiest


class Counted:
    """A device whose counters grow whenever they are read."""

    def __init__(self, each):
        self.each, self.asked = each, 0

    def counters(self):
        self.asked += 1
        return {"write_bytes": self.each * self.asked, "read_bytes": 5}


class BusiestTest(unittest.TestCase):
    def test_a_burst(self):
        samples = [(0.0, 0), (0.5, 10), (1.0, 90), (1.5, 95), (3.0, 96)]
        self.assertEqual(busiest(samples), 90)

    def test_evenly(self):
        self.assertEqual(busiest([(n / 4, n) for n in range(40)]), 4)

    def test_a_gap_between_two_samples(self):
        self.assertEqual(busiest([(0.0, 0), (9.0, 7)]), 7)

    def test_too_few(self):
        self.assertEqual(busiest([]), 0)
        self.assertEqual(busiest([(1.0, 5)]), 0)


class CountingTest(unittest.TestCase):
    def test_all_devices_together(self):
        devices = [Counted(10), Counted(1)]
        with Counting(devices) as counting:
            pass
        # sampling affects both, so it is a multiple of both together
        self.assertGreater(counting.counts["written_bytes"], 0)
        self.assertEqual(counting.counts["written_bytes"] % 11, 0)
        self.assertEqual(counting.counts["read_bytes"], 0)
        self.assertGreater(counting.counts["busiest_bytes"], 0)


if __name__ == "__main__":
    unittest.main()
