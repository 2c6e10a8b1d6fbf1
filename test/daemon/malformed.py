"""Sends messages to ssdpard that it must reject, in named cases.

Usage: malformed.py SSDPARD DIRECTORY

Each case has a separate session, and says how the daemon has to end it. After
each case, another session's valid request must be served, and at the end the
daemon must have as many descriptors as at the beginning.  Prints TAP.
"""
import errno
import os
import socket
import struct
import sys
import tempfile
import time

from client import *  # pylint: disable=wildcard-import
from daemon import Daemon, Tap

(BAD_LENGTH, BAD_MAGIC, BAD_VERSION, BAD_TYPE, BAD_SIZE, BAD_RESERVED,
 BAD_DEPTH, BAD_HANDLE, BAD_CLASS, BAD_COUNT, BAD_RANGE, BAD_TEXT, BAD_ORDER,
 BAD_DESCRIPTORS, BAD_COUNTERS, BAD_FILE, NOT_ALLOWED, TOO_MANY) = range(1, 19)

NAMES = {HELLO: "HELLO", FILE: "FILE", READ: "READ", CANCEL: "CANCEL",
         CLOSE_FILE: "CLOSE_FILE", STATUS_REQUEST: "STATUS_REQUEST"}
GOOD = {
    HELLO: hello(), FILE: file_message(1),
    READ: read_message([(0, 0, 8192)]), CANCEL: cancel(1),
    CLOSE_FILE: close_file(1), STATUS_REQUEST: message(STATUS_REQUEST)}


class Case:
    def __init__(self, name, data, code, fds=(), greet=True):
        self.name, self.data, self.code = name, data, code
        self.fds, self.greet = fds, greet


def patched(data, at, new):
    return data[:at] + new + data[at + len(new):]


def framing(descriptor):
    """Headers and lengths, of every type that a client may send."""
    for kind, good in GOOD.items():
        name, greet = NAMES[kind], kind != HELLO
        fds = [descriptor[kind]] if kind in (HELLO, FILE) else []
        def case(what, data, code):
            return Case(f"{name}: {what}", data, code, fds, greet)
        for length in sorted({1, 2, 8, 15, 16, len(good) - 1, len(good) + 1,
                              len(good) + 8, 985, 1500, 60000}):
            if length != len(good):
                yield case(f"{length} bytes",
                           good[:length].ljust(length, b"\0"), BAD_LENGTH)
        for version in (0, 2, 256, 65535):
            yield case(f"version {version}",
                       patched(good, 4, struct.pack("<H", version)),
                       BAD_VERSION)
        for magic in (0, 0x53534450, MAGIC ^ 1):
            yield case(f"magic {magic:#x}",
                       patched(good, 0, struct.pack("<I", magic)), BAD_MAGIC)
        for size in sorted({0, 15, len(good) - 1, len(good) + 1,
                            0xffffffff}):
            yield case(f"size field {size}",
                       patched(good, 8, struct.pack("<I", size)), BAD_SIZE)
    for kind in (0, 9, 10, 255, 259, 65535):
        yield Case(f"type {kind}", message(kind), BAD_TYPE)
    yield Case("STATUS from a client", message(STATUS), BAD_ORDER)
    yield Case("ERROR from a client", message(ERROR), BAD_ORDER)


def order(descriptor):
    for kind in (FILE, READ, CANCEL, CLOSE_FILE):
        fds = [descriptor[kind]] if kind == FILE else []
        yield Case(f"{NAMES[kind]} before HELLO", GOOD[kind], BAD_ORDER, fds,
                   False)
    yield Case("a second HELLO", hello(), BAD_ORDER, [descriptor[HELLO]])


def descriptors(descriptor):
    for kind, good in GOOD.items():
        right = 1 if kind in (HELLO, FILE) else 0
        fd = descriptor.get(kind, descriptor[FILE])
        for number in (0, 1, 2, 3, 253):
            if number != right:
                yield Case(f"{NAMES[kind]}: {number} descriptors", good,
                           BAD_DESCRIPTORS, [fd] * number, kind != HELLO)


def reserved():
    yield Case("HELLO: last byte set", patched(hello(), 31, b"\1"),
               BAD_RESERVED, [counters_memfd()], False)
    for name, data in (("READ: unused range", patched(GOOD[READ], 983, b"\1")),
                       ("READ: byte after its range",
                        patched(GOOD[READ], 40, b"\1")),
                       ("READ: in a range", patched(GOOD[READ], 26, b"\1")),
                       ("CANCEL: last byte", patched(cancel(1), 23, b"\1")),
                       ("CLOSE_FILE: after handle",
                        patched(close_file(1), 18, b"\1")),
                       ("CLOSE_FILE: last byte",
                        patched(close_file(1), 23, b"\1"))):
        yield Case(f"reserved, {name}", data, BAD_RESERVED)


def values(descriptor):
    for depth in (1025, 65536, 0xffffffff):
        yield Case(f"HELLO: depth {depth}", hello(depth), BAD_DEPTH,
                   [descriptor[HELLO]], False)
    for handle in (1024, 1025, 32768, 65535):
        yield Case(f"FILE: handle {handle}", file_message(handle), BAD_HANDLE,
                   [descriptor[FILE]])
        yield Case(f"CLOSE_FILE: handle {handle}", close_file(handle),
                   BAD_HANDLE)
    for depth in (1025, 65535):
        yield Case(f"FILE: depth {depth}", file_message(1, depth), BAD_DEPTH,
                   [descriptor[FILE]])
    for count in (0, 61, 255, 65535):
        yield Case(f"READ: count {count}",
                   read_message([(0, 0, 8192)], count=count), BAD_COUNT)
    for kind in (0, 3, 256, 65535):
        yield Case(f"READ: class {kind}",
                   read_message([(0, 0, 8192)], kind=kind), BAD_CLASS)


RANGES = [
    ("handle 1024", (1024, 0, 8192), BAD_HANDLE),
    ("handle 65535", (65535, 0, 8192), BAD_HANDLE),
    ("length 0", (0, 0, 0), BAD_RANGE),
    ("length 1", (0, 0, 1), BAD_RANGE),
    ("length 511", (0, 0, 511), BAD_RANGE),
    ("length 513", (0, 0, 513), BAD_RANGE),
    ("length 1 MB + 512", (0, 0, (1 << 20) + 512), BAD_RANGE),
    ("length 2^31", (0, 0, 1 << 31), BAD_RANGE),
    ("length 2^32 - 512", (0, 0, (1 << 32) - 512), BAD_RANGE),
    ("length 2^32 - 1", (0, 0, (1 << 32) - 1), BAD_RANGE),
    ("offset 1", (0, 1, 8192), BAD_RANGE),
    ("offset 8191", (0, 8191, 8192), BAD_RANGE),
    ("end at 2^63", (0, (1 << 63) - 8192, 8192), BAD_RANGE),
    ("end beyond 2^63", (0, (1 << 63) - 512, 8192), BAD_RANGE),
    ("offset 2^63", (0, 1 << 63, 8192), BAD_RANGE),
    ("end at 2^64", (0, (1 << 64) - 8192, 8192), BAD_RANGE),
    ("end beyond 2^64", (0, (1 << 64) - 512, 8192), BAD_RANGE),
    ("end beyond 2^64, 1 MB", (0, (1 << 64) - 512, 1 << 20), BAD_RANGE),
]


def ranges():
    good = (0, 0, 8192)
    for what, bad, code in RANGES:
        for where, before, after in (("only", 0, 0), ("first of 60", 0, 59),
                                     ("last of 60", 59, 0)):
            yield Case(f"READ: {what}, {where} range",
                       read_message([good] * before + [bad] + [good] * after),
                       code)


def counters_pages(directory):
    """Invalid arguments of HELLO."""
    path = os.path.join(directory, "page")
    with open(path, "wb") as out:
        out.write(bytes(4096))
    fifo = os.path.join(directory, "fifo")
    os.mkfifo(fifo)
    sealed = counters_memfd()
    write_sealed = counters_memfd(seals=SEALS | fcntl.F_SEAL_WRITE)
    bad = [
        ("unsealed memfd", counters_memfd(seals=0)),
        ("memfd that may grow", counters_memfd(seals=fcntl.F_SEAL_SHRINK)),
        ("memfd that may shrink", counters_memfd(seals=fcntl.F_SEAL_GROW)),
        ("memfd that cannot be written", write_sealed),
        ("memfd opened read-only",
         os.open(f"/proc/self/fd/{sealed}", os.O_RDONLY)),
        ("memfd by O_PATH", os.open(f"/proc/self/fd/{sealed}", os.O_PATH)),
        ("file of 4096 bytes", os.open(path, os.O_RDWR)),
        ("FIFO", os.open(fifo, os.O_RDWR)),
        ("directory", os.open(directory, os.O_RDONLY)),
        ("/dev/null", os.open("/dev/null", os.O_RDWR)),
        ("/dev/zero", os.open("/dev/zero", os.O_RDWR)),
        ("pipe", os.pipe()[0]),
        ("socket", socket.socket(socket.AF_UNIX).detach()),
    ]
    bad += [(f"memfd of {size} bytes", counters_memfd(size))
            for size in (0, 1, 4095, 4097, 8192, 1 << 20)]
    for name, fd in bad:
        yield Case(f"HELLO: {name}", hello(), BAD_COUNTERS, [fd], False)


def open_direct(path):
    """None if the file system has no direct I/O."""
    try:
        return os.open(path, os.O_RDONLY | os.O_DIRECT)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        return None


def files(directory, path):
    """Invalid arguments of FILE."""
    fifo = os.path.join(directory, "fifo")
    bad = [
        ("FIFO", os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)),
        ("directory", os.open(directory, os.O_RDONLY)),
        ("directory by O_PATH", os.open(directory, os.O_PATH)),
        ("/dev/null", os.open("/dev/null", os.O_RDONLY)),
        ("/dev/zero", os.open("/dev/zero", os.O_RDONLY)),
        ("file by O_PATH", os.open(path, os.O_PATH)),
        ("file to write", os.open(path, os.O_WRONLY)),
        ("file to append to", os.open(path, os.O_WRONLY | os.O_APPEND)),
        ("file to read and write", os.open(path, os.O_RDWR)),
        ("pipe to read", os.pipe()[0]),
        ("pipe to write", os.pipe()[1]),
        ("UNIX socket", socket.socket(socket.AF_UNIX).detach()),
        ("writable memfd", counters_memfd()),
        ("name space by O_PATH", os.open("/proc/self/ns/mnt", os.O_PATH)),
        ("file by direct I/O", open_direct(path)),
    ]
    for name, fd in bad:
        if fd is not None:
            yield Case(f"FILE: {name}", file_message(2), BAD_FILE, [fd])


class Witness:
    """The session whose valid requests must always be served."""

    def __init__(self, path, data):
        self.client, self.data = Client(path), data
        self.sent, self.told = 0, 0

    def is_served(self):
        if time.monotonic() - self.told > 0.4:
            self.client.add_file(self.data)
        self.told = time.monotonic()
        self.client.send(read_message([(0, 8192 * (self.sent % 64), 8192)]))
        self.sent += 1
        counts = self.client.wait_done(self.sent)
        return counts["served"] + counts["cached"] == self.sent


def run_case(tap, daemon, witness, case):
    client = Client(daemon.socket, case.greet)
    try:
        client.send(case.data, case.fds)
        code = client.verdict()
    except OSError as error:
        code = error
    client.close()
    tap.ok(code == case.code and witness.is_served(), case.name,
           f"the session ended with {code!r}, not {case.code}")


def main():
    program, directory = sys.argv[1:]
    tap = Tap()
    directory = tempfile.mkdtemp(dir=directory)
    data = os.path.join(directory, "data")
    with open(data, "wb") as out:
        out.write(os.urandom(1 << 20))
    with Daemon(program, directory) as daemon:
        before = daemon.descriptors()
        witness = Witness(daemon.socket, data)
        descriptor = {HELLO: counters_memfd(),
                      FILE: os.open(data, os.O_RDONLY)}
        cases = [*framing(descriptor), *order(descriptor),
                 *descriptors(descriptor), *reserved(), *values(descriptor),
                 *ranges(), *counters_pages(directory),
                 *files(directory, data)]
        tap.ok(len({case.name for case in cases}) == len(cases) >= 200,
               f"{len(cases)} cases have different names, at least 200")
        for case in cases:
            run_case(tap, daemon, witness, case)
        refused = witness.client.status()["refused"]
        tap.ok(refused == len(cases), "each of them was counted as refused",
               f"{refused} of {len(cases)}")
        witness.client.close()
        tap.ok(daemon.settles_at(before), "no descriptor is left",
               f"{daemon.descriptors()} in place of {before}")
        tap.ok(daemon.stop() == 0, "the daemon stops as told")
    tap.end()


if __name__ == "__main__":
    main()
