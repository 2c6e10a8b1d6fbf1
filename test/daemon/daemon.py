"""Starts and observes an ssdpard for tests, and prints TAP."""
import os
import shutil
import signal
import subprocess
import tempfile
import time


class Tap:
    def __init__(self):
        self.count = 0

    def ok(self, good, name, why=""):
        self.count += 1
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}")
        if not good and why:
            print(f"# {why}")
        return good

    def end(self):
        print(f"1..{self.count}", flush=True)


class Daemon:
    """One ssdpard in DIRECTORY, which ends with the block."""

    def __init__(self, program, directory, *options, env=None, preexec=None):
        self.home = tempfile.mkdtemp(prefix="ssdpard.", dir=directory)
        self.socket = os.path.join(self.home, "socket")
        self.log_path = os.path.join(self.home, "log")
        self.process = None
        self.start(program, *options, env=env, preexec=preexec)

    def start(self, program, *options, env=None, preexec=None):
        """Returns when the daemon reports that it is ready, or has ended."""
        ready, told = os.pipe()
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [program, f"--socket={self.socket}", f"--ready-fd={told}",
                 *options], stderr=log, stdin=subprocess.DEVNULL,
                pass_fds=[told], preexec_fn=preexec,
                env={**os.environ, **(env or {})})
        os.close(told)
        self.is_ready = os.read(ready, 1) == b"\n"
        os.read(ready, 1)  # end of file: the daemon has closed it too
        os.close(ready)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            # first ask it to end, because a killed one leaves no coverage data
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.home)

    def log(self):
        with open(self.log_path, encoding="utf-8") as log:
            return log.read()

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def holds(self, name):
        """Does it have a descriptor of a file with this in its name?"""
        folder = f"/proc/{self.process.pid}/fd"
        for fd in os.listdir(folder):
            try:
                if name in os.readlink(f"{folder}/{fd}"):
                    return True
            except FileNotFoundError:
                pass
        return False

    def settles_at(self, number):
        return wait_for(lambda: self.descriptors() == number)

    def signal(self, number):
        self.process.send_signal(number)

    def stop(self):
        """The exit code after SIGTERM."""
        self.signal(signal.SIGTERM)
        return self.process.wait(30)


def wait_for(condition, seconds=30):
    """A limit for hopeless cases, not an assertion about time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
