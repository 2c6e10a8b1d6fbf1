"""A client of ssdpard for tests: messages as bytes, complete or damaged.

Written from docs/internals/prefetch.md and not from common/protocol.c, so that
it does not repeat errors of the latter.
"""
import array
import fcntl
import mmap
import os
import socket
import struct
import time

MAGIC = 0x50445353
VERSION = 1
HELLO, FILE, READ, CANCEL, CLOSE_FILE, STATUS_REQUEST, STATUS, ERROR = \
    range(1, 9)
SIZES = {HELLO: 32, FILE: 24, READ: 984, CANCEL: 24, CLOSE_FILE: 24,
         STATUS_REQUEST: 16, STATUS: 136, ERROR: 120}
RANDOM, SEQUENTIAL = 1, 2
COUNTERS = ("served", "cached", "stale", "dropped", "bytes_read", "queued")
STATUS_FIELDS = (
    "pid", "method", "depth", "outstanding", "queued", "sessions", "files",
    "restarts", "p50", "p99", "zero1", "zero2", "uptime_ms", "served",
    "cached", "stale", "dropped", "bytes_read", "errors", "short_reads",
    "refused")
SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW


def message(kind, body=b"", sequence=1, magic=MAGIC, version=VERSION,
            size=None, length=None):
    """One message; the header says size, but length bytes are sent."""
    full = SIZES.get(kind, 16 + len(body))
    data = struct.pack("<IHHII", magic, version, kind,
                       full if size is None else size, sequence) + body
    return data.ljust(full if length is None else length, b"\0")[
        :full if length is None else length]


def hello(depth=0, database=5, tail=b""):
    return message(HELLO, struct.pack("<III", os.getpid(), database, depth)
                   + tail)


def file_message(handle=0, depth=0, tail=b""):
    return message(FILE, struct.pack("<HH", handle, depth) + tail)


def pack_range(handle, offset, length, reserved=0):
    return struct.pack("<HHIQ", handle, reserved, length, offset)


def read_message(ranges, kind=RANDOM, stream=1, count=None, tail=b""):
    """ranges: (handle, offset, length) or bytes."""
    body = struct.pack("<HHI", len(ranges) if count is None else count, kind,
                       stream)
    for one in ranges:
        body += one if isinstance(one, bytes) else pack_range(*one)
    return message(READ, body + tail)


def cancel(stream, tail=b""):
    return message(CANCEL, struct.pack("<I", stream) + tail)


def close_file(handle, tail=b""):
    return message(CLOSE_FILE, struct.pack("<H", handle) + tail)


def counters_memfd(size=4096, seals=SEALS):
    fd = os.memfd_create("counters", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(fd, size)
    if seals:
        fcntl.fcntl(fd, fcntl.F_ADD_SEALS, seals)
    return fd


class Client:
    def __init__(self, path, greet=True, depth=0):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(10)
        self.socket.connect(path)
        self.page = None
        if greet:
            memfd = counters_memfd()
            self.page = mmap.mmap(memfd, 4096)
            self.send(hello(depth), [memfd])
            os.close(memfd)

    def send(self, data, fds=()):
        rights = []
        if fds:
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                       array.array("i", fds))]
        return self.socket.sendmsg([data], rights)

    def add_file(self, path, handle=0, depth=0):
        fd = os.open(path, os.O_RDONLY)
        try:
            self.send(file_message(handle, depth), [fd])
        finally:
            os.close(fd)

    def counters(self):
        return dict(zip(COUNTERS, struct.unpack_from("<6Q", self.page)))

    def done(self):
        c = self.counters()
        return c["served"] + c["cached"] + c["stale"] + c["dropped"]

    def wait_done(self, number):
        """Waits until this number of ranges is counted; returns the counters.
        """
        end = time.monotonic() + 60
        while self.done() < number and time.monotonic() < end:
            time.sleep(0.005)
        return self.counters()

    def status(self):
        self.send(message(STATUS_REQUEST, sequence=99))
        data = self.socket.recv(2000)
        values = struct.unpack_from("<12I9Q", data, 16)
        return dict(zip(STATUS_FIELDS, values))

    def verdict(self):
        """How the daemon ended the session: the code of its ERROR, or None."""
        code = None
        while True:
            try:
                data = self.socket.recv(2000)
            except ConnectionResetError:
                continue
            except BrokenPipeError:
                return code
            if not data:
                return code
            if struct.unpack_from("<H", data, 6)[0] == ERROR:
                code = struct.unpack_from("<I", data, 16)[0]

    def close(self):
        self.socket.close()
