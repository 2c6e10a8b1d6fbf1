"""How clients connect to ssdpard: its socket, their number, its descriptors.

Usage: connections.py SSDPARD DIRECTORY

Prints TAP.
"""
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time

from client import *  # pylint: disable=wildcard-import
from daemon import wait_for
from place import Place, balanced


def few_descriptors(place):
    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (110, 110))

    with place.daemon(preexec=limit) as daemon:
        place.tap.ok("max_sessions" in daemon.log(),
                     "few descriptors: a warning says what is allowed")
        client = Client(daemon.socket)
        for handle in range(100):
            client.add_file(place.data, handle)
        client.send(read_message([(h, 0, 8192) for h in range(0, 60)]))
        client.send(read_message([(h, 0, 8192) for h in range(60, 100)]))
        counts = client.wait_done(100)
        place.tap.ok(counts["dropped"] > 0 and balanced(counts, 100) and
                     counts["served"] + counts["cached"] > 0,
                     "few descriptors: what finds none is dropped", counts)
        others = [Client(daemon.socket, greet=False) for _ in range(60)]
        codes = [other.verdict() for other in others[40:]]
        place.tap.ok(18 in codes and None not in codes,
                     "too many sessions: told so", codes)
        for other in others:
            other.close()
        place.tap.ok(wait_for(lambda: client.status()["sessions"] == 1),
                     "... and the first one goes on")


def few_descriptors_later(place):
    """While it runs, none is left for a session, or for files that it passes.
    """
    def leave(number):
        used = {int(fd) for fd in os.listdir(f"/proc/{pid}/fd")}
        free = [fd for fd in range(len(used) + 2) if fd not in used]
        most = resource.prlimit(pid, resource.RLIMIT_NOFILE)[1]
        resource.prlimit(pid, resource.RLIMIT_NOFILE,
                         (free[number] if number < 2 else most, most))

    tap = place.tap
    with place.daemon() as daemon:
        pid = daemon.process.pid
        first = Client(daemon.socket)
        first.add_file(place.data)
        first.send(read_message([(0, 0, 8192)]))
        first.wait_done(1)
        tap.ok(wait_for(lambda: not daemon.holds("data")),
               "no descriptor in mid-life: an idle file is closed")
        leave(1)
        client = Client(daemon.socket)
        tap.ok(client.verdict() == 18,
               "... none for a session's counters: no room, it is told",
               daemon.log())
        client.close()
        leave(0)
        waiting = [Client(daemon.socket, greet=False) for _ in range(3)]
        wait_for(lambda: "no descriptor for another" in daemon.log())
        first.add_file(place.data)
        first.send(read_message([(0, 0, 8192)]))
        counts = first.wait_done(2)
        tap.ok(balanced(counts, 2) and counts["dropped"] == 1,
               "... none for a file: its ranges are dropped", counts)
        time.sleep(1)  # several sweeps, each of which might log it again
        tap.ok(daemon.log().count("no descriptor for another") == 1,
               "... none for sessions that wait: said once", daemon.log())
        leave(2)
        tap.ok([client.status()["sessions"] for client in waiting] == [4] * 3,
               "... and they are served when there are some")
        first.add_file(place.data)
        first.send(read_message([(0, 0, 8192)]))
        counts = first.wait_done(3)
        tap.ok(balanced(counts, 3) and counts["dropped"] == 1,
               "... as the first one is", counts)


def other_users(place):
    with place.daemon(f"--allowed_uids={os.getuid() + 1}") as daemon:
        client = Client(daemon.socket, greet=False)
        place.tap.ok(client.verdict() == 17, "another user: refused")
    if os.getuid() == 0:
        with place.daemon() as daemon:
            os.chmod(daemon.home, 0o755)
            os.chmod(daemon.socket, 0o777)
            script = (
                "import socket, struct\n"
                "s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)\n"
                f"s.connect({daemon.socket!r})\n"
                "print(struct.unpack_from('<I', s.recv(999), 16)[0])")
            done = subprocess.run(
                ["setpriv", "--reuid=65534", "--clear-groups", sys.executable,
                 "-c", script], capture_output=True, text=True, check=False)
            code = done.stdout.strip()
            place.tap.ok(code == "17", "another user, really: refused", done)


def stopped_at_once(place):
    """Like an immediate shutdown of a server, which kills all of its
    processes: no socket remains in the data directory, where it would disturb
    copies."""
    for number in (signal.SIGQUIT, signal.SIGINT):
        with place.daemon() as daemon:
            daemon.signal(number)
            place.tap.ok(daemon.process.wait(30) == 0 and
                         not os.path.exists(daemon.socket),
                         f"{signal.Signals(number).name}: ends well, removes "
                         "its socket")


def start_and_stop(place):
    tap = place.tap
    with place.daemon() as daemon:
        second = subprocess.run(
            [place.program, f"--socket={daemon.socket}"], check=False,
            capture_output=True, text=True, timeout=60)
        tap.ok(second.returncode == 1 and
               "another daemon listens" in second.stderr and
               second.stderr.count("\n") == 1,
               "a second daemon: refused in one message", second.stderr)
        tap.ok(Client(daemon.socket).status()["sessions"] == 1,
               "... and the first one goes on")
        client = Client(daemon.socket)
        daemon.process.kill()
        daemon.process.wait()
        tap.ok(client.verdict() is None and os.path.exists(daemon.socket),
               "killed: clients see the end, the socket stays")
        daemon.start(place.program, env={"SSDPARD_RESTARTS": "3"})
        tap.ok(daemon.is_ready and
               Client(daemon.socket).status()["restarts"] == 3,
               "started again: the stale socket is replaced")
        os.unlink(daemon.socket)
        with open(daemon.socket, "w", encoding="utf-8"):
            pass
        tap.ok(daemon.stop() == 0 and os.path.exists(daemon.socket),
               "a file that is not its own stays")
        daemon.start(place.program)
        tap.ok(daemon.process.wait(30) == 1 and
               "is no socket" in daemon.log(),
               "no socket at the path: refused")


def put_file(path):
    with open(path, "w", encoding="ascii") as out:
        out.write("precious")


def put_stale_socket(path):
    """Like the socket of another user's process that was killed."""
    other = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    other.bind(path)
    other.listen()
    os.chown(path, 65534, 65534)
    other.close()


FOREIGN = [
    ("a file", put_file, os.unlink, "is no socket"),
    ("a directory", os.mkdir, os.rmdir, "is no socket"),
    ("a link", lambda path: os.symlink("/dev/null", path), os.unlink,
     "is no socket"),
]


def lost_socket(place):
    """Its file is removed or replaced: the daemon recreates it, but never by
    force."""
    tap = place.tap
    foreign = list(FOREIGN)
    if os.getuid() == 0:
        foreign.append(("another user's socket", put_stale_socket, os.unlink,
                        "belongs to something else"))
    with place.daemon() as daemon:
        client = Client(daemon.socket)
        client.add_file(place.data)
        os.unlink(daemon.socket)
        tap.ok(wait_for(lambda: os.path.exists(daemon.socket)) and
               Client(daemon.socket).status()["pid"] == daemon.process.pid,
               "socket removed: made again", daemon.log())
        client.send(read_message([(0, 0, 8192)]))
        tap.ok(balanced(client.wait_done(1), 1) and
               daemon.log().count("so it was made") == 1,
               "... sessions go on, it is said once", daemon.log())
        for number, (what, put, take, words) in enumerate(foreign, 1):
            os.unlink(daemon.socket)
            put(daemon.socket)
            before = os.lstat(daemon.socket)
            wait_for(lambda: daemon.log().count("no session can connect") ==
                     number)
            line = daemon.log().splitlines()[-1]
            tap.ok(words in line and
                   os.path.samestat(os.lstat(daemon.socket), before),
                   f"{what} in its place: it stays, and is said", line)
            take(daemon.socket)
            tap.ok(wait_for(lambda: os.path.exists(daemon.socket)) and
                   Client(daemon.socket).status()["sessions"] == 2,
                   "... taken away: made again, sessions go on", daemon.log())
        put(daemon.socket + ".new")
        os.rename(daemon.socket + ".new", daemon.socket)
        tap.ok(daemon.stop() == 0 and os.path.lexists(daemon.socket),
               "... and it stays when the daemon ends")


def main():
    directory = tempfile.mkdtemp(dir=sys.argv[2])
    os.chmod(directory, 0o755)
    place = Place(os.path.abspath(sys.argv[1]), directory)
    for test in (few_descriptors, few_descriptors_later, other_users,
                 stopped_at_once, start_and_stop, lost_socket):
        test(place)
    place.tap.end()


if __name__ == "__main__":
    main()
