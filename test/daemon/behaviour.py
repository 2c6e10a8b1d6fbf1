"""How ssdpard handles hostile clients, files and signals.

Usage: behaviour.py SSDPARD DIRECTORY

Prints TAP.  Compiles three small helpers with cc.
"""
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import sandbox
from client import *  # pylint: disable=wildcard-import
from daemon import Daemon, wait_for
from place import MB, Place, balanced, evict

HERE = os.path.dirname(os.path.abspath(__file__))


def whole(megabytes, handle=0):
    return [(handle, i * MB, MB) for i in range(megabytes)]


def reads(place, *options, method=1):
    """Reads a cold file, the same file again, and nonexistent ranges."""
    evict(place.data)
    tap = place.tap
    with place.daemon(*options) as daemon:
        client = Client(daemon.socket)
        client.add_file(place.data)
        client.send(read_message(whole(16), SEQUENTIAL))
        counts = client.wait_done(16)
        # a range that arrived before its read started counts as cached
        served = counts["served"]
        tap.ok(served > 0 and balanced(counts, 16) and
               counts["bytes_read"] == 16 * MB, "a cold file is read", counts)
        client.send(read_message(whole(16), SEQUENTIAL))
        counts = client.wait_done(32)
        tap.ok(counts["served"] == served and balanced(counts, 32) and
               counts["bytes_read"] == 16 * MB, "a cached file is left alone",
               counts)
        client.send(read_message([(0, 16 * MB, 8192), (0, 1 << 40, MB),
                                  (7, 0, 8192), (0, 16 * MB - 512, MB)]))
        counts = client.wait_done(36)
        tap.ok(counts["stale"] == 3 and balanced(counts, 36),
               "ranges past the end and of no file are stale", counts)
        status = client.status()
        tap.ok(status["method"] == method and status["sessions"] == 1 and
               status["served"] == served and
               status["cached"] == 33 - served and
               status["pid"] == daemon.process.pid and status["depth"] == 32,
               "the status says so", status)
        tap.ok(daemon.stop() == 0 and not os.path.exists(daemon.socket),
               "SIGTERM: ends well, removes its socket")


def counts_all_bytes(place):
    """A device may be done before the read is submitted, but has still read.
    """
    rounds = 50
    short = []
    with place.daemon() as daemon:
        client = Client(daemon.socket)
        client.add_file(place.data)
        before = 0
        for i in range(rounds):
            evict(place.data)
            client.send(read_message(whole(16), SEQUENTIAL))
            counts = client.wait_done(16 * (i + 1))
            if counts["bytes_read"] - before != 16 * MB:
                short.append(counts["bytes_read"] - before)
            before = counts["bytes_read"]
    place.tap.ok(not short, f"{rounds} times cold, each time all of it counts "
                 "as read", short)


def ring_refused(place, deny):
    """Started by a helper that forbids io_uring."""
    wrapper = os.path.join(place.directory, "without_ring")
    with open(wrapper, "w", encoding="utf-8") as out:
        out.write(f'#!/bin/sh\nexec {deny} EPERM {place.program} "$@"\n')
    os.chmod(wrapper, 0o755)
    with Daemon(wrapper, place.directory) as daemon:
        place.tap.ok(daemon.is_ready and
                     daemon.log().count("warning: io_uring") == 1,
                     "ring refused: one warning", daemon.log())
        evict(place.data)
        client = Client(daemon.socket)
        client.add_file(place.data)
        client.send(read_message(whole(16), SEQUENTIAL))
        place.tap.ok(client.wait_done(16)["served"] == 16,
                     "ring refused: threads read")
    with Daemon(wrapper, place.directory, "--method=ring") as daemon:
        place.tap.ok(daemon.process.wait(30) == 1 and
                     len(daemon.log().splitlines()) == 1,
                     "ring refused, and nothing else wanted: one message",
                     daemon.log())


def ring_refused_later(place, library):
    """Forbidden while it runs: no file may be held for reads that never end.
    """
    environment = {"LD_PRELOAD": library,
                   "ASAN_OPTIONS": "verify_asan_link_order=0"}
    with place.daemon(env=environment) as daemon:
        client = Client(daemon.socket)
        client.add_file(place.data)
        client.send(read_message(whole(4), SEQUENTIAL))
        counts = client.wait_done(4)
        place.tap.ok(balanced(counts, 4) and counts["dropped"] == 0,
                     "ring refused in mid-life: it read before", counts)
        daemon.signal(signal.SIGUSR2)
        wait_for(lambda: "forbidden now" in daemon.log())
        evict(place.data)
        with contextlib.suppress(BrokenPipeError):  # it may have ended
            client.send(read_message(whole(4), SEQUENTIAL))
        wait_for(lambda: daemon.process.poll() is not None)
        place.tap.ok(daemon.process.poll() == 1 and
                     daemon.log().count("cannot be used any more") == 1,
                     "... it ends with one error", daemon.log())
        place.tap.ok(not os.path.exists(daemon.socket),
                     "... and leaves no socket")
    environment["REFUSE_ENTER"] = "now"
    with place.daemon(env=environment) as daemon:
        client = Client(daemon.socket)
        client.add_file(place.data)
        evict(place.data)
        client.send(read_message(whole(4), SEQUENTIAL))
        place.tap.ok(client.wait_done(4)["served"] == 4 and
                     "threads instead" in daemon.log(),
                     "... and the next one reads with threads", daemon.log())


def shares_its_user(place):
    """If systemd removes objects of the unit's user, those of the server go
    too."""
    with open(sandbox.UNIT, encoding="utf-8") as unit:
        text = unit.read()
    place.tap.ok("\nUser=postgres\n" in text and "\nRemoveIPC=" not in text,
                 "the unit leaves the server its shared memory", text)


def sandboxed(place):
    """With only the system calls that its systemd unit allows."""
    if not sandbox.can_be_had():
        place.tap.ok(True, "sandboxed: no systemd-analyze here # SKIP")
        return
    names = sandbox.allowed()
    place.tap.ok({"read", "epoll_wait", "io_uring_enter"} <= names and
                 not {"mount", "setpriority", "ptrace"} & names,
                 "sandboxed: the list is understood", names)
    for method, number in (("auto", 1), ("threads", 2)):
        with place.daemon(f"--method={method}",
                          preexec=sandbox.putter(names)) as daemon:
            client = Client(daemon.socket)
            client.add_file(place.data)
            evict(place.data)
            client.send(read_message(whole(4), SEQUENTIAL))
            counts = client.wait_done(4)
            place.tap.ok(client.status()["method"] == number and
                         counts["served"] + counts["cached"] == 4 and
                         counts["bytes_read"] == 4 * MB,
                         f"sandboxed: reads, method {method}",
                         (counts, daemon.log()))
            client.close()
            place.tap.ok(daemon.stop() == 0 and
                         "not permitted" not in daemon.log(),
                         "... and stops, nothing refused", daemon.log())
    with place.daemon(preexec=sandbox.putter(names - {"io_uring_setup"})
                      ) as daemon:
        place.tap.ok("threads instead" in daemon.log(),
                     "sandboxed: what the list leaves out is refused",
                     daemon.log())


def failing_device(place, library):
    evict(place.data)
    with place.daemon("--method=threads",
                      env={"LD_PRELOAD": library,
                           "ASAN_OPTIONS": "verify_asan_link_order=0"}) as d:
        client = Client(d.socket)
        client.add_file(place.data)
        client.send(read_message(whole(4), SEQUENTIAL))
        counts = client.wait_done(4)
        status = client.status()
        place.tap.ok(counts["dropped"] == 1 and counts["served"] == 3 and
                     status["errors"] == 4,
                     "EIO: counted, dropped, nothing else", (counts, status))
        place.tap.ok(status["short_reads"] == 4, "short reads: counted",
                     status)
        place.tap.ok(d.log().count("a read failed") == 1, "EIO: one warning")


def vanishing_files(place):
    tap = place.tap
    with place.daemon() as daemon:
        client = Client(daemon.socket)
        victim = place.make("victim", 1)
        client.add_file(victim)
        client.status()
        tap.ok(daemon.holds("victim"), "a file is held while it is used")
        os.unlink(victim)
        tap.ok(wait_for(lambda: not daemon.holds("victim")),
               "deleted: its descriptor is closed")
        client.send(read_message([(0, 0, 8192)]))
        tap.ok(client.wait_done(1)["stale"] == 1, "deleted: never read")
        victim = place.make("victim", 1)
        fd = os.open(victim, os.O_RDONLY)
        os.unlink(victim)
        client.send(file_message(1), [fd])
        client.send(read_message([(1, 0, 8192)]))
        tap.ok(client.wait_done(2)["stale"] == 2 and not daemon.holds("vict"),
               "deleted before it was handed over: no error, never read")
        os.close(fd)
        victim = place.make("victim", 1)
        client.add_file(victim, 2)
        os.truncate(victim, 0)
        client.send(read_message([(2, 0, 8192)]))
        tap.ok(client.wait_done(3)["stale"] == 3, "truncated: stale")
        tap.ok(wait_for(lambda: not daemon.holds("victim")),
               "idle: its descriptor is closed")
        client.send(read_message([(2, 0, 8192)]))
        tap.ok(client.wait_done(4)["stale"] == 4,
               "idle: asking again is stale, no error")
        client.add_file(place.data, 2)
        client.send(read_message([(2, 0, 8192)]))
        counts = client.wait_done(5)
        tap.ok(counts["served"] + counts["cached"] == 1,
               "idle: handed over again, read again", counts)
        client.send(close_file(2))
        client.send(read_message([(2, 0, 8192)]))
        tap.ok(client.wait_done(6)["stale"] == 5 and
               not daemon.holds("data"), "closed: not held, stale")


def file_again(place):
    """The same file under its handle changes nothing, but another file does.
    """
    other = place.make("other", 1)
    ranges = [(0, i * 8192, 8192) for i in range(60)]
    with place.daemon() as daemon:
        client = Client(daemon.socket)
        client.add_file(place.data)
        before = client.status() and daemon.descriptors()
        daemon.signal(signal.SIGSTOP)  # it receives all three in one turn
        client.add_file(place.data)
        client.send(read_message(ranges))
        client.add_file(place.data)
        daemon.signal(signal.SIGCONT)
        counts = client.wait_done(60)
        place.tap.ok(counts["stale"] == 0 and balanced(counts, 60),
                     "the same file once more: what was asked of it is read",
                     counts)
        place.tap.ok(daemon.settles_at(before),
                     "... and it is held once")
        daemon.signal(signal.SIGSTOP)
        client.send(read_message(ranges))
        client.add_file(other)
        daemon.signal(signal.SIGCONT)
        counts = client.wait_done(120)
        place.tap.ok(counts["stale"] == 60 and balanced(counts, 120) and
                     not daemon.holds("data"),
                     "another file: what was asked of the first is stale",
                     counts)


def file_kept_in_a_stop(place):
    """Requests made meanwhile are handled before the file counts as idle."""
    with place.daemon() as daemon:
        client = Client(daemon.socket)
        client.add_file(place.data)
        client.status()
        daemon.signal(signal.SIGSTOP)
        time.sleep(1.5)  # longer than an idle file is held
        for _ in range(40):  # more than it receives in one turn
            client.send(cancel(7))
        client.send(read_message([(0, 0, 8192)]))
        daemon.signal(signal.SIGCONT)
        counts = client.wait_done(1)
        place.tap.ok(counts["stale"] == 0 and balanced(counts, 1),
                     "stopped for longer than files are held: they are held",
                     counts)
        place.tap.ok(wait_for(lambda: not daemon.holds("data")),
                     "... until they are idle")


def stopped_daemon(place):
    """SIGSTOP: the socket fills up and never blocks; then all is counted."""
    evict(place.data)
    with place.daemon() as daemon:
        client = Client(daemon.socket)
        client.add_file(place.data)
        client.socket.setblocking(False)
        daemon.signal(signal.SIGSTOP)
        sent = 0
        try:
            while sent < 6000000:
                client.send(read_message([(0, i * 8192, 8192)
                                          for i in range(60)]))
                sent += 60
        except BlockingIOError:
            pass
        place.tap.ok(0 < sent < 6000000, "stopped: the socket is full")
        daemon.signal(signal.SIGCONT)
        counts = client.wait_done(sent)
        place.tap.ok(balanced(counts, sent),
                     "continued: served + cached + stale + dropped = sent",
                     (counts, sent))


def full_queue(place):
    evict(place.data)
    with place.daemon("--max_queue=64", "--device_depth=1") as daemon:
        client = Client(daemon.socket)
        client.add_file(place.data)
        for i in range(20):
            client.send(read_message([(0, (i * 60 + j) % 2048 * 8192, 8192)
                                      for j in range(60)]))
        counts = client.wait_done(1200)
        place.tap.ok(counts["dropped"] > 0 and balanced(counts, 1200),
                     "full queue: what finds no room is dropped", counts)


def cancelled(place):
    evict(place.data)
    with place.daemon("--device_depth=1") as daemon:
        client = Client(daemon.socket)
        client.add_file(place.data)
        client.send(read_message(whole(16), SEQUENTIAL, stream=7))
        client.send(read_message([(0, 0, 8192)], stream=8))
        client.send(cancel(7))
        counts = client.wait_done(17)
        place.tap.ok(counts["dropped"] > 0 and balanced(counts, 17) and
                     counts["served"] + counts["cached"] >= 1,
                     "cancelled: the rest of the stream is dropped", counts)


def gone_clients(place):
    """Clients that disappear with everything queued."""
    evict(place.data)
    with place.daemon() as daemon:
        before = daemon.descriptors()
        for _ in range(50):
            client = Client(daemon.socket)
            client.add_file(place.data)
            client.send(read_message(whole(16), SEQUENTIAL))
            client.close()
        place.tap.ok(daemon.settles_at(before),
                     "clients gone: nothing of them is left")
        client = Client(daemon.socket)
        status = client.status()
        total = sum(status[name] for name in
                    ("served", "cached", "stale", "dropped"))
        place.tap.ok(total == 800, "clients gone: every range is counted",
                     status)


def burst(place, clients=24, messages=120):
    """Many concurrent clients, as fast as they can."""
    sums, sent = [], []

    def one(number):
        client = Client(daemon.socket)
        for i in range(messages):
            if i % 40 == 0:
                client.add_file(place.data)
            client.send(read_message(
                [(0, (number * 7919 + i * 60 + j) % 2048 * 8192, 8192)
                 for j in range(60)], stream=i))
            if i % 30 == 29:
                client.send(cancel(i))
        counts = client.wait_done(messages * 60)
        sums.append(counts)
        sent.append(messages * 60)
        client.close()

    evict(place.data)
    with place.daemon("--max_queue=2048") as daemon:
        before = daemon.descriptors()
        threads = [threading.Thread(target=one, args=(n,))
                   for n in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        good = len(sums) == clients and all(
            balanced(counts, number) for counts, number in zip(sums, sent))
        place.tap.ok(good, f"{clients} clients at once: served + cached + "
                     "stale + dropped = sent for each", sums)
        status = Client(daemon.socket).status()
        total = sum(status[name] for name in
                    ("served", "cached", "stale", "dropped"))
        place.tap.ok(total == sum(sent), "... and in the daemon's own total",
                     status)
        place.tap.ok(wait_for(lambda: daemon.descriptors() <= before + 1),
                     "... and no descriptor is left")


def drain(place):
    evict(place.data)
    with place.daemon("--device_depth=2") as daemon:
        client = Client(daemon.socket)
        client.add_file(place.data)
        client.send(read_message(whole(16), SEQUENTIAL))
        client.status()
        place.tap.ok(daemon.stop() == 0, "SIGTERM with a queue: ends well")
        counts = client.counters()
        place.tap.ok(balanced(counts, 16), "... all of it counted", counts)


def traced(place):
    """The trace has each byte read from devices once, and nothing cached."""
    tap = place.tap
    path = os.path.join(place.directory, "trace")
    evict(place.data)
    with place.daemon(f"--trace={path}") as daemon:
        client = Client(daemon.socket)
        client.add_file(place.data)
        client.send(read_message(whole(16), SEQUENTIAL))
        client.wait_done(16)
        client.send(read_message(whole(16), SEQUENTIAL))
        counts = client.wait_done(32)
        tap.ok(daemon.stop() == 0, "with a trace: ends well")
    with open(path, encoding="ascii") as file:
        lines = [line.split() for line in file]
    times = [int(words[0]) for words in lines]
    parts = sorted((int(words[2]), int(words[3])) for words in lines)
    tap.ok(all(len(words) == 5 and words[1] == "read" and
               words[4] == str(os.getpid()) for words in lines) and
           times[0] == 0 and times == sorted(times),
           "a trace has a line a read, in order", lines[:3])
    tap.ok(sum(size for _, size in parts) == counts["bytes_read"] and
           all(here[0] + here[1] <= there[0]
               for here, there in zip(parts, parts[1:])),
           "... each byte once, no cached one", parts[:3])
    with place.daemon("--trace=/dev/full") as daemon:
        client = Client(daemon.socket)
        client.add_file(place.data)
        evict(place.data)
        client.send(read_message(whole(16), SEQUENTIAL))
        client.wait_done(16)
        tap.ok(daemon.stop() == 0 and
               daemon.log().count("could not write all of the trace") == 1,
               "a trace that cannot be written: one warning", daemon.log())
    with place.daemon("--trace=/nonexistent/trace") as daemon:
        tap.ok(not daemon.is_ready and daemon.process.wait(30) == 1 and
               "could not write the trace" in daemon.log() and
               daemon.log().count("\n") == 1,
               "a trace that cannot be made: one message", daemon.log())


def reloading(place):
    config = os.path.join(place.directory, "conf")

    def write(text):
        with open(config, "w", encoding="utf-8") as out:
            out.write(text)

    write("# a comment\n\ndevice_depth = 5\nlog_level = 'info'\n")
    tap = place.tap
    with place.daemon(f"--config={config}") as daemon:
        client = Client(daemon.socket)
        client.add_file(place.data)
        tap.ok(client.status()["depth"] == 5, "settings come from the file")
        write("device_depth = 9\nmax_queue = 1000\n")
        daemon.signal(signal.SIGHUP)
        tap.ok(wait_for(lambda: client.status()["depth"] == 9),
               "SIGHUP: settings are read again")
        tap.ok(wait_for(lambda: "max_queue cannot change" in daemon.log()),
               "SIGHUP: what needs a restart is named")
        write("device_depth = 9999\n")
        daemon.signal(signal.SIGHUP)
        tap.ok(wait_for(lambda: "former settings" in daemon.log()) and
               client.status()["depth"] == 9,
               "SIGHUP: wrong settings change nothing", daemon.log())


def notified(place):
    """sd_notify and socket activation, as systemd does them."""
    path = os.path.join(place.directory, "notify")
    receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    receiver.bind(path)
    receiver.settimeout(30)
    with place.daemon(env={"NOTIFY_SOCKET": path}) as daemon:
        place.tap.ok(receiver.recv(100) == b"READY=1", "notifies readiness")
        daemon.stop()
        place.tap.ok(receiver.recv(100) == b"STOPPING=1", "... and its end")
    path = os.path.join(place.directory, "passed")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(path)
    listener.listen()
    wrapper = (f"import os; os.dup2({listener.fileno()}, 3); "
               "os.environ.update(LISTEN_PID=str(os.getpid()), "
               "LISTEN_FDS='1'); "
               f"os.execv({place.program!r}, ['ssdpard', "
               "'--socket=/nonexistent/x'])")
    said = os.path.join(place.directory, "said")

    def log():
        with open(said, encoding="utf-8") as lines:
            return lines.read()

    with open(said, "w", encoding="utf-8") as out, \
            subprocess.Popen([sys.executable, "-c", wrapper], stderr=out,
                             pass_fds=[listener.fileno()]) as process:
        status = Client(path).status()
        os.rename(path, f"{path}.away")
        wait_for(lambda: "no session can connect" in log())
        place.tap.ok("restart ssdpard.socket" in log() and
                     not os.path.exists(path),
                     "the socket from systemd removed: it is said", log())
        os.rename(f"{path}.away", path)
        place.tap.ok(Client(path).status()["pid"] == status["pid"],
                     "... and it is in use until then")
        process.terminate()
        place.tap.ok(status["pid"] == process.pid and process.wait(30) == 0 and
                     os.path.exists(path),
                     "takes the socket that systemd hands over")


WRONG = [
    ("--nonsense", "there is no option"), ("word", "is no option"),
    ("--config", "needs a value"), ("--config=/nonexistent", "could not open"),
    ("--socket=relative", "no absolute path"),
    ("--socket=/" + "x" * 200, "longer than"),
    ("--trace=relative", "trace \"relative\" is no absolute path"),
    ("--trace=/" + "x" * 1030, "trace's path is longer than"),
    ("--max_sessions=0", "from 1 to 10000"),
    ("--max_sessions=10001", "from 1 to 10000"),
    ("--max_queue=63", "from 64"), ("--max_queue=", "from 64"),
    ("--device_depth=-1", "from 0 to 1024"),
    ("--device_depth=1025", "from 0 to 1024"),
    ("--max_request_kb=3x", "from 64 to 1024"),
    ("--threads=0", "from 1 to 256"),
    ("--threads=99999999999999999999", "from 1 to 256"),
    ("--random_deadline_ms=0", "from 1 to 60000"),
    ("--method=magic", "give one of: auto ring threads"),
    ("--method=rin", "give one of: auto ring threads"),
    ("--log_level=loud", "give one of"), ("--ready-fd=x", "no descriptor"),
    ("--ready-fd=999", "is not open"),
    ("--allowed_uids=", "empty"), ("--allowed_uids=no_such_user", "no user"),
    ("--allowed_uids=4294967295", "no user"),
    ("--allowed_uids=" + ",".join("1" * 17), "more than 16"),
]


def wrong_settings(place):
    for option, words in WRONG:
        done = subprocess.run([place.program, option], check=False,
                              capture_output=True, text=True, timeout=60)
        place.tap.ok(done.returncode == 2 and words in done.stderr and
                     done.stderr.count("\n") == 1 and not done.stdout,
                     f"{option[:40]}: refused in one message", done.stderr)
    config = os.path.join(place.directory, "wrong")
    for text, words in (("nonsense = 1\n", "line 1: there is no setting"),
                        ("\nthreads\n", "line 2: \"threads\" is no setting"),
                        ("threads = many\n", "line 1: threads \"many\"")):
        with open(config, "w", encoding="utf-8") as out:
            out.write(text)
        done = subprocess.run(
            [place.program, f"--config={config}", "--check-config"],
            check=False, capture_output=True, text=True, timeout=60)
        place.tap.ok(done.returncode == 2 and words in done.stderr,
                     f"in a file, {text.strip()!r}: refused", done.stderr)
    for option, words in (("--help", "Usage:"), ("--version", "ssdpard"),
                          ("--check-config", "are good")):
        done = subprocess.run([place.program, option], check=False,
                              capture_output=True, text=True, timeout=60)
        place.tap.ok(done.returncode == 0 and words in done.stdout and
                     not done.stderr, f"{option} answers", done.stdout)


def preloadable(directory, name):
    """Builds the library from a source in this folder."""
    library = os.path.join(directory, f"{name}.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library,
                    os.path.join(HERE, f"{name}.c"), "-ldl"], check=True)
    return library


def main():
    program = os.path.abspath(sys.argv[1])
    directory = tempfile.mkdtemp(dir=sys.argv[2])
    os.chmod(directory, 0o755)
    place = Place(program, directory)
    library = preloadable(directory, "bad_pread")
    deny = os.path.join(directory, "deny_uring")
    subprocess.run(["cc", "-o", deny,
                    os.path.join(HERE, "..", "deny_uring.c")], check=True)
    reads(place)
    reads(place, "--method=threads", method=2)
    counts_all_bytes(place)
    ring_refused(place, deny)
    ring_refused_later(place, preloadable(directory, "refuse_enter"))
    failing_device(place, library)
    for test in (shares_its_user, sandboxed, vanishing_files, file_again,
                 file_kept_in_a_stop, stopped_daemon, full_queue, cancelled,
                 drain, gone_clients, burst, traced, reloading, notified,
                 wrong_settings):
        test(place)
    place.tap.end()


if __name__ == "__main__":
    main()
