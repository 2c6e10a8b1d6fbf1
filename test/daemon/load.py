"""ssdpard under load: 64 clients, and one that never pauses.

Usage: load.py SSDPARD DIRECTORY

64 clients together send 200,000 ranges per second, or as many as this machine
can, for 3 seconds, or a minute if SSDPAR_LONG is 1.  Every range must be
counted once, and the daemon's memory must not grow.  Prints TAP, and the rate
reached as a comment, which is a measurement, not a test.
"""
import multiprocessing
import os
import random
import sys
import tempfile
import time

from client import *  # pylint: disable=wildcard-import
from daemon import wait_for
from place import Place, balanced, evict

CLIENTS = 64
PROCESSES = 2
RANGES = 60
PER_SECOND = 200000
TICK = 0.02
PAGES = 2048  # of 8 kB in the file


def memory_kb(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
    return 0


def steady(place):
    """One cold range at a time, over several of the daemon's checks for idle
    files: a check at the end of a read must not close the file."""
    sent = 0
    data = os.open(place.data, os.O_RDONLY)
    with place.daemon() as daemon:
        client = Client(daemon.socket)
        client.add_file(place.data)
        end = time.monotonic() + 3
        while time.monotonic() < end:
            offset = sent * 5 % PAGES * 8192
            os.posix_fadvise(data, offset, 8192, os.POSIX_FADV_DONTNEED)
            client.send(read_message([(0, offset, 8192)]))
            sent += 1
            while client.done() < sent:
                pass
        counts = client.counters()
        place.tap.ok(counts["stale"] == 0 and balanced(counts, sent),
                     "a file in steady use stays open", counts)
    os.close(data)


def make_messages(number):
    chance = random.Random(number)
    return [read_message([(0, chance.randrange(PAGES) * 8192, 8192)
                          for _ in range(RANGES)], stream=stream)
            for stream in range(20)]


def send_load(socket_path, data, clients, seconds, results):
    """Sends this process's share; puts (sent, all counted) for each client."""
    messages = make_messages(os.getpid())
    sessions = [Client(socket_path) for _ in range(clients)]
    sent = [0] * clients
    for session in sessions:
        session.add_file(data)
    share = PER_SECOND * clients / CLIENTS / RANGES  # messages per second
    start = time.monotonic()
    total = 0
    while time.monotonic() - start < seconds:
        due = int((time.monotonic() - start) * share)
        while total < due and time.monotonic() - start < seconds:
            which = total % clients
            sessions[which].send(messages[total % len(messages)])
            sent[which] += RANGES
            total += 1
        time.sleep(TICK)
    for number, session in enumerate(sessions):
        counts = session.wait_done(sent[number])
        results.put((sent[number], balanced(counts, sent[number]), counts))
        session.close()


def run_clients(daemon, data, seconds):
    results = multiprocessing.Queue()
    workers = [multiprocessing.Process(
        target=send_load, args=(daemon.socket, data, CLIENTS // PROCESSES,
                                seconds, results)) for _ in range(PROCESSES)]
    for worker in workers:
        worker.start()
    found = [results.get() for _ in range(CLIENTS)]
    for worker in workers:
        worker.join()
    return found


def many_clients(place):
    seconds = 60 if os.environ.get("SSDPAR_LONG") == "1" else 3
    tap = place.tap
    evict(place.data)
    with place.daemon() as daemon:
        run_clients(daemon, place.data, 0.5)  # allocates memory first
        before = memory_kb(daemon.process.pid)
        first = Client(daemon.socket).status()
        began = time.monotonic()
        found = run_clients(daemon, place.data, seconds)
        took = time.monotonic() - began
        sent = sum(one[0] for one in found)
        tap.ok(all(one[1] for one in found),
               "64 clients: served + cached + stale + dropped = sent for each",
               [one for one in found if not one[1]])
        status = Client(daemon.socket).status()
        counted = {name: status[name] - first[name] for name in
                   ("served", "cached", "stale", "dropped")}
        tap.ok(sum(counted.values()) == sent,
               "... and in the daemon's own total", (counted, sent))
        after = memory_kb(daemon.process.pid)
        tap.ok(after <= before + 1024, "... and its memory does not grow",
               (before, after))
        print(f"# {sent} ranges in {took:.1f} s, {sent / took:.0f} a second: "
              f"{counted}; memory {before} kB before, {after} kB after")
        tap.ok(wait_for(lambda: Client(daemon.socket).status()["files"] == 0),
               "... and no file stays open")


def main():
    directory = tempfile.mkdtemp(dir=sys.argv[2])
    os.chmod(directory, 0o755)
    place = Place(os.path.abspath(sys.argv[1]), directory)
    steady(place)
    many_clients(place)
    place.tap.end()


if __name__ == "__main__":
    main()
