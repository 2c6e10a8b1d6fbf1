"""The directory of the daemon's tests, and cached pages of files in it."""
import ctypes
import mmap
import os

from daemon import Daemon, Tap, wait_for

MB = 1 << 20
LIBC = ctypes.CDLL(None, use_errno=True)


class Place:
    """The environment of a test: program, directory, TAP, files to read."""

    def __init__(self, program, directory):
        self.program, self.directory, self.tap = program, directory, Tap()
        self.data = self.make("data", 16)

    def make(self, name, megabytes):
        path = os.path.join(self.directory, name)
        with open(path, "wb") as out:
            for _ in range(megabytes):
                out.write(os.urandom(MB))
            out.flush()
            os.fsync(out.fileno())
        evict(path)
        return path

    def daemon(self, *options, **how):
        return Daemon(self.program, self.directory, *options, **how)


def cached_pages(fd):
    """The number of the file's pages in memory; the file is not empty."""
    size = os.fstat(fd).st_size
    here = (ctypes.c_ubyte * -(-size // mmap.PAGESIZE))()
    with mmap.mmap(fd, size, flags=mmap.MAP_PRIVATE) as mapped:
        start = ctypes.c_char.from_buffer(mapped)
        LIBC.mincore(ctypes.byref(start), ctypes.c_size_t(size), here)
        del start
    return sum(page & 1 for page in here)


def evict(path):
    """Repeats, because pages being read stay, even if the daemon has ended."""
    fd = os.open(path, os.O_RDONLY)

    def gone():
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        return cached_pages(fd) == 0

    wait_for(gone, 5)
    os.close(fd)


def balanced(counts, sent):
    return (counts["served"] + counts["cached"] + counts["stale"] +
            counts["dropped"] == sent and counts["queued"] == 0)
