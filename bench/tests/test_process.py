"""Children of a killed program must not survive it."""

import os
import signal
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PARENT = """
import subprocess, sys, time
sys.path.insert(0, sys.argv[1])
from lib import process
child = subprocess.Popen(["sleep", "600"], start_new_session=True,
                         preexec_fn=process.dying_with_us())
print(child.pid, flush=True)
time.sleep(600)
"""


def is_alive(pid):
    # it may end between open and read: then reading gives ProcessLookupError
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class KilledTest(unittest.TestCase):
    def test_a_child_ends_with_its_parent(self):
        parent = subprocess.Popen([sys.executable, "-c", PARENT, HERE],
                                  stdout=subprocess.PIPE, text=True)
        self.addCleanup(parent.stdout.close)
        child = int(parent.stdout.readline())
        self.assertTrue(is_alive(child))
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        for _ in range(600):
            if not is_alive(child):
                break
            time.sleep(0.05)
        else:
            os.kill(child, signal.SIGKILL)
            self.fail("the child went on")


if __name__ == "__main__":
    unittest.main()
