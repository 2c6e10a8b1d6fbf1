"""Simulations inside a device, and what follows from them.

The workloads of the papers' tables, the points of ./run bench inside, and the
arithmetic of its figures.  Paper 001 is PAQ (Jung, Wilson and Kandemir, 2012),
002 Amphibian (Mao, Wu and Duan, 2018).
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Callable, Dict, List, Sequence, Tuple

from . import raw, statistics
from .simulator import SOURCE, Point

PAQ, QUEUE, CHANNELS, BOUND = "paq", "queue", "channels", "bound"
TRACES, POSTMARK, BURSTS = "traces", "postmark", "bursts"
ZONES = "zones"
PAIRS, PARTITIONS, COLLECTING = "pairs", "partitions", "collecting"
RAID, HELD, PROBING = "raid", "held", "probing"
RAID_WRITES, PROGRAMS = "raid-writes", "raid-programs"
RECORDED = "recorded"
PARTS = (PAQ, QUEUE, CHANNELS, BOUND, TRACES, POSTMARK, BURSTS, ZONES,
         RECORDED, PAIRS, PARTITIONS, RAID, RAID_WRITES, PROGRAMS, COLLECTING,
         HELD, PROBING)

TRACE_FOLDER = os.path.join(SOURCE, "traces")

Rows = Sequence[raw.Row]


@dataclass(frozen=True)
class Trace:
    """A line of Table 1 of 001; it has no sizes."""

    writes: int
    reads: int
    random_writes: float        # percent
    random_reads: float
    kilobytes: int              # per request, see SIZES

    @property
    def read_share(self) -> float:
        return 100 * self.reads / (self.reads + self.writes)


# 002, Table III, has sizes of fin1, fin2, web1, web2, web3 and usr1, which are
# rounded to pages of 4 kB.  We chose the others: 8 kB for SQL Server's pages,
# 16 kB for print and file servers.
TABLE_1: Dict[str, Trace] = {
    "fin1": Trace(4099354, 1235633, 97.86, 96.98, 12),
    "fin2": Trace(653082, 3046112, 99.2, 97.49, 8),
    "web1": Trace(212, 1055236, 99.06, 93.53, 8),
    "web2": Trace(990, 4578819, 100, 93.33, 16),
    "web3": Trace(1260, 4260449, 99.84, 91.25, 12),
    "usr1": Trace(1333406, 904483, 94.23, 92.2, 44),
    "usr2": Trace(3857714, 41426266, 96.24, 88.97, 44),
    "usr3": Trace(1994612, 8575434, 97.02, 82.77, 44),
    "prn1": Trace(4983406, 602480, 76.4, 88.6, 16),
    "prn2": Trace(2769610, 8463801, 97.16, 90.5, 16),
    "sql1": Trace(1423458, 606487, 93.5, 89.91, 8),
    "sql2": Trace(73833, 87058, 16.07, 73.66, 8),
    "sql3": Trace(38963, 5136405, 92.95, 71.96, 8),
    "sql4": Trace(21330, 10050, 46.89, 86.95, 8),
    "msnfs1": Trace(1467625, 41772, 87.23, 99.79, 16),
    "msnfs2": Trace(2100032, 121697, 66.71, 88.8, 16),
    "msnfs3": Trace(500, 24, 0, 99, 16),
    "msnfs4": Trace(4014, 338, 22.52, 64.79, 16),
    "msnfs5": Trace(3003205, 9624191, 97.86, 96.98, 16),
    "msnfs6": Trace(3040098, 9941612, 100, 97.51, 16),
}
PAQ_SCHEDULERS = ("vaq", "paq0", "paq1", "paq2")
PAQ_DEPTH = 64                  # twice the queue: some always wait
# Nothing is collected within a run, because the paper's figures are of the
# queue.
PAQ_SPARE = "over-provisioning 60 %"
PAQ_WRITTEN = 300_000           # most pages in a run: fewer than are free
QUEUES = (8, 16, 32, 64, 128)
CHANNEL_COUNTS = (4, 8, 16)
BOUNDS = ("0 ms", "4 ms", "2 ms", "1 ms")

# 002, Table III: share of reads, requests per second, kB.  There are two
# sizes, 4 and 64 kB, in proportions that give the table's mean.
TABLE_3: Dict[str, Tuple[float, int, float]] = {
    "fin1": (32.8, 52, 11.9), "fin2": (82.4, 127, 6.2),
    "web1": (99.9, 335, 8.0), "web2": (99.9, 331, 15.1),
    "web3": (99.9, 218, 11.8), "proj_2": (77.5, 81, 40.2),
    "prxy_1": (65.3, 266, 12.5), "usr_1": (85.5, 64, 45.4)}
SPEED_UP = 10                   # "scaled up by ten times"
DEVICES = ("x25-e", "s3700", "750")
HOSTS = ("noop", "deadline", "pardispatcher", "sizes", "amphibian")
EAGER_HOSTS = ("eager", "eager-brief")  # other definitions of abnormal
QUEUE_LENGTHS = (1, 2, 4, 8, 16, 32, 64)
BURST = 16                      # that arrive at once; not in the paper
BURST_SIZES = (1, 4, 16, 64)
HOST_DEPTH = 4                  # given to the device; not in the paper

PAIR_DEVICES = ("nvme", "s3700")
PARTITION_DEVICES = ("ssd-s", "s3700", "nvme")
SPARE = (7, 15, 25, 35, 50)     # percent
# 000, Figure 14: four devices as RAID-0, by the contiguous bytes on one.
RAID_DEVICES = 4
RAID_NAMES = ("ssd-p", "ssd-s")         # the paper's; one with a narrow bus
RAID_CHUNKS = (4, 16, 64, 256, 512)     # kB
RAID_DEPTHS = (1, 8, 32, 128)
RAID_LOADS = {"random 4 kB": (100, 4), "random 256 kB": (100, 256),
              "sequential 4 kB": (0, 4), "sequential 256 kB": (0, 256)}
# Its writes, with 32 outstanding; chunks fine enough for the text's sweet
# spot.
RAID_WRITE_DEPTH = 32
RAID_WRITE_CHUNKS = (4, 8, 16, 32, 64, 128, 256, 512)
WRITE_LOADS = {"random writes 4 kB": (100, 4),
               "random writes 256 kB": (100, 256),
               "sequential writes 4 kB": (0, 4),
               "sequential writes 256 kB": (0, 256)}
# 000, Figure 15: programs on one to four devices, chunks of 64 kB.  Threads,
# sizes and shares are from the text, which suspects garbage collection for the
# file server, so its devices have been overwritten.  The programs' computing
# and file systems are not simulated.
PROGRAM_DEVICES = (1, 2, 3, 4)
VARMAIL, FILESERVER = "varmail", "fileserver"
TPC_H, LOAD_DB = "TPC-H", "LoadDB"
HELD_DEVICES = ("s3700", "x25-e", "ssd-s")
NEAR = "2 depths ahead"         # a list, instead of page_lead.h's
OUTCOMES = ("right", "not said", "wrong")
RECORDINGS = ("ssb", "tpch", "pgbench")     # by bench/record-traces


def _paq(workload: str, trace: Trace, scheduler: str, part: str,
         setting: str, requests: int, *more: str) -> Point:
    written = (1 - trace.read_share / 100) * trace.kilobytes / 4
    requests = min(requests, int(PAQ_WRITTEN / written))
    return Point(part, workload, "paq", scheduler, setting, (
        "--device", "paq", "--scheduler", scheduler,
        "--set", PAQ_SPARE, "--depth", str(PAQ_DEPTH),
        "--size", f"{trace.kilobytes}kB",
        "--read-share", f"{trace.read_share:.4f}",
        "--random", f"{trace.random_reads}",
        "--random-writes", f"{trace.random_writes}",
        "--requests", str(requests), *more))


def _paq_points(requests: int) -> List[Point]:
    found = [_paq(name, trace, scheduler, PAQ, "", requests)
             for name, trace in TABLE_1.items()
             for scheduler in PAQ_SCHEDULERS]
    web, sql = TABLE_1["web1"], TABLE_1["sql3"]
    found += [_paq("web1", web, scheduler, QUEUE, str(queue), requests,
                   "--depth", "256", "--set", f"queue {queue}")
              for queue in QUEUES for scheduler in PAQ_SCHEDULERS]
    found += [_paq("web1", web, scheduler, CHANNELS, str(count), requests,
                   "--set", f"channels {count}")
              for count in CHANNEL_COUNTS for scheduler in PAQ_SCHEDULERS]
    return found + [
        _paq("sql3", sql, scheduler, BOUND, bound, requests,
             "--set", f"deadline {bound}")
        for scheduler, bound in
        [("vaq", "0 ms")] + [("paq2", bound) for bound in BOUNDS]]


def _trace(name: str, device: str, host: str, part: str, burst: int,
           requests: int) -> Point:
    read_share, rate, mean = TABLE_3[name]
    return Point(part, name, device, host, str(burst), (
        "--device", device, "--host", host,
        "--host-depth", str(HOST_DEPTH), "--age", "1",
        "--rate", str(SPEED_UP * rate), "--burst", str(burst),
        "--read-share", f"{read_share}", "--large", "64kB",
        "--large-share", f"{100 * (mean - 4) / 60:.3f}",
        "--requests", str(requests)))


def _postmark(device: str, host: str, length: int, requests: int) -> Point:
    """Files of 1 kB to 4 MB: requests of a page, and of 128 kB."""
    return Point(POSTMARK, "postmark", device, host, str(length), (
        "--device", device, "--host", host,
        "--host-depth", str(HOST_DEPTH), "--age", "1",
        "--depth", str(length), "--read-share", "50", "--large", "128kB",
        "--large-share", "30", "--requests", str(requests)))


def _host_points(requests: int) -> List[Point]:
    found = [_trace(name, device, host, TRACES, BURST, requests)
             for device in DEVICES for name in TABLE_3 for host in HOSTS]
    found += [_postmark(device, host, length, requests)
              for device in DEVICES for length in QUEUE_LENGTHS
              for host in HOSTS]
    found += [_trace(name, device, host, ZONES, BURST, requests)
              for device in DEVICES for name in TABLE_3
              for host in EAGER_HOSTS]
    return found + [_trace("web2", "x25-e", host, BURSTS, burst, requests)
                    for burst in BURST_SIZES for host in HOSTS]


def _recorded_points() -> List[Point]:
    """Our recordings, with as many requests outstanding as the synthetic ones.
    """
    found = []
    for name in RECORDINGS:
        trace = ("--trace", os.path.join(TRACE_FOLDER, f"{name}.trace"),
                 "--trace-fold")
        found += [Point(RECORDED, name, "paq", scheduler, "", (
            "--device", "paq", "--scheduler", scheduler, "--set", PAQ_SPARE,
            *trace, "--trace-depth", str(PAQ_DEPTH)))
            for scheduler in PAQ_SCHEDULERS]
        found += [Point(RECORDED, name, device, host, "", (
            "--device", device, "--host", host, "--host-depth",
            str(HOST_DEPTH), "--age", "1", *trace, "--trace-depth",
            str(BURST)))
            for device in DEVICES for host in HOSTS]
    return found


def _collecting_points() -> List[Point]:
    return [Point(COLLECTING, "random writes", "ssd-s", "noop", str(spare), (
        "--device", "ssd-s", "--set", f"over-provisioning {spare} %",
        "--set", "blocks 300", "--set", "write-buffer 64", "--age", "4",
        "--read-share", "0", "--depth", "32", "--requests", "400000"))
        for spare in SPARE]


def _raid_points(requests: int) -> List[Point]:
    return [Point(RAID, load, name, f"depth {depth}", str(chunk), (
        "--device", name, "--set", f"devices {RAID_DEVICES}",
        "--set", f"stripe {chunk} kB", "--depth", str(depth),
        "--random", str(share), "--size", f"{size}kB",
        "--requests", str(max(requests // size, 1000))))
        for name in RAID_NAMES for load, (share, size) in RAID_LOADS.items()
        for chunk in RAID_CHUNKS for depth in RAID_DEPTHS]


def _raid_write_points(requests: int) -> List[Point]:
    return [Point(RAID_WRITES, load, name, f"depth {RAID_WRITE_DEPTH}",
                  str(chunk), (
        "--device", name, "--set", f"devices {RAID_DEVICES}",
        "--set", f"stripe {chunk} kB", "--depth", str(RAID_WRITE_DEPTH),
        "--read-share", "0", "--random", str(share), "--size", f"{size}kB",
        "--requests", str(max(requests // size, 1000))))
        for name in RAID_NAMES for load, (share, size) in WRITE_LOADS.items()
        for chunk in RAID_WRITE_CHUNKS]


def _program_points(requests: int) -> List[Point]:
    def loop(depth: int, size: int, read_share: str, *more: str
             ) -> Tuple[str, ...]:
        return ("--depth", str(depth), "--size", f"{size}kB", "--read-share",
                read_share, "--requests",
                str(max(4 * requests // size, 1000)), *more)
    loads = {
        VARMAIL: loop(100, 16, "50"),
        FILESERVER: loop(50, 128, "33.3", "--age", "1"),
        TPC_H: ("--trace", os.path.join(TRACE_FOLDER, "tpch.trace"),
                "--trace-fold", "--trace-depth", "1"),
        LOAD_DB: loop(1, 512, "0", "--random", "0")}
    return [Point(PROGRAMS, name, device, "noop", str(count), (
        "--device", device, "--set", f"devices {count}",
        "--set", "stripe 64 kB", *options))
        for device in RAID_NAMES for name, options in loads.items()
        for count in PROGRAM_DEVICES]


def points(parts: Sequence[str], requests: int) -> List[Point]:
    """All runs of ssdsim; other programs run sessions and probes."""
    every = _paq_points(requests) + _host_points(requests) + \
        _recorded_points() + _collecting_points() + \
        _raid_points(requests) + _raid_write_points(requests) + \
        _program_points(requests)
    return [point for point in every if point.part in parts]


# ----- results -----

def number(row: raw.Row, name: str) -> float:
    return float(row[name] or 0)


def of_part(rows: Rows, part: str, **wanted: str) -> List[raw.Row]:
    return [row for row in rows if row["part"] == part and
            all(row[name] == value for name, value in wanted.items())]


def by(rows: Rows, name: str, of: Callable[[raw.Row], float]
       ) -> Dict[str, Dict[str, float]]:
    """By the value of a column and by scheduler."""
    found: Dict[str, Dict[str, float]] = {}
    for row in rows:
        found.setdefault(row[name], {})[row["scheduler"]] = of(row)
    return found


def metric(name: str) -> Callable[[raw.Row], float]:
    return lambda row: number(row, name)


def idle_seconds(row: raw.Row) -> float:
    """The average of all dies, as Figure 11 of 001 counts it."""
    return number(row, "die_idle_percent") / 100 * number(row, "seconds")


def changes(rows: Rows, part: str, of: Callable[[raw.Row], float],
            ours: str, base: str, **wanted: str) -> Dict[str, float]:
    """For each workload, how much more ours has than base; 0.3 is 30 %."""
    return {workload: found[ours] / found[base] - 1
            for workload, found in by(of_part(rows, part, **wanted),
                                      "workload", of).items()
            if found.get(base) and ours in found}


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def within_a_third(ours: float, paper: float) -> bool:
    """Does a change agree with the paper's size?"""
    return paper * ours > 0 and 2 / 3 <= ours / paper <= 4 / 3


def slowdowns(rows: Rows, device: str, mode: str
              ) -> Dict[Tuple[str, str], float]:
    """For each pair, how much longer the target takes than alone."""
    times = {(row["workload"], row["setting"]): number(row, "seconds")
             for row in of_part(rows, PAIRS, device=device, scheduler=mode)}
    return {(target, other): time / times[(target, "alone")] - 1
            for (target, other), time in times.items() if other != "alone"}


def speed_ups(rows: Rows) -> Dict[str, Dict[int, float]]:
    """By device: the speed-up of this number of scanning processes."""
    times: Dict[str, Dict[int, float]] = {}
    for row in of_part(rows, PARTITIONS):
        times.setdefault(row["device"], {})[int(row["setting"])] = \
            number(row, "seconds")
    return {device: {count: found[1] / time
                     for count, time in found.items()}
            for device, found in times.items() if 1 in found}


def raid_names(rows: Rows, part: str) -> List[str]:
    """The devices of a RAID-0; older runs have only ssd-s."""
    have = {row["device"] for row in of_part(rows, part)}
    return [name for name in RAID_NAMES if name in have]


def raid(rows: Rows, device: str, load: str) -> Dict[int, Dict[int, float]]:
    """MB/s of four devices by chunk in kB and by depth."""
    found: Dict[int, Dict[int, float]] = {}
    for row in of_part(rows, RAID, device=device, workload=load):
        found.setdefault(int(row["setting"]), {})[
            int(row["scheduler"].split()[1])] = number(row, "bandwidth_mb_s")
    return found


def raid_writes(rows: Rows, device: str, load: str) -> Dict[int, float]:
    """MB/s of four devices by chunk in kB."""
    return {int(row["setting"]): number(row, "bandwidth_mb_s")
            for row in of_part(rows, RAID_WRITES, device=device,
                               workload=load)}


def program_speed_ups(rows: Rows, device: str
                      ) -> Dict[str, Dict[int, float]]:
    """By program: the bandwidth of this number of devices relative to one."""
    found: Dict[str, Dict[int, float]] = {}
    for row in of_part(rows, PROGRAMS, device=device):
        found.setdefault(row["workload"], {})[int(row["setting"])] = \
            number(row, "bandwidth_mb_s")
    return {name: {count: value / by[1] for count, value in by.items()}
            for name, by in found.items() if by.get(1)}


def share_of_requests(whole: float, requests: float) -> float:
    """The share of a program's time for requests, given the speed-up of the
    whole and of its requests."""
    return (1 - 1 / whole) / (1 - 1 / requests)


def outcomes(rows: Rows, devices: str) -> Dict[str, int]:
    """Numbers of probed devices that were told correctly, not told, told
    wrong."""
    return {row["setting"]: int(number(row, "requests"))
            for row in of_part(rows, PROBING, workload=devices)}


def held_setting(row: Dict[str, str]) -> str:
    """How long reads are held, us; or that the list is not as far ahead."""
    return NEAR if row["lead"] == "2" else row["hold"]


def held(rows: Rows, device: str
         ) -> Dict[str, Dict[str, Tuple[float, float]]]:
    """By the writers' rest and setting: s of the list, wait in us."""
    found: Dict[str, Dict[str, Tuple[float, float]]] = {}
    for row in of_part(rows, HELD, device=device):
        found.setdefault(row["workload"], {})[row["setting"]] = (
            number(row, "seconds"), number(row, "read_p99_us"))
    return found


def lambert_w(x: float) -> float:
    """The branch above -1, for arguments from -1/e to 0."""
    w = 0.0
    for _ in range(100):
        power = math.exp(w)
        off = w * power - x
        w -= off / (power * (w + 1) - (w + 2) * off / (2 * w + 2))
    return w


def write_amplification(spare: float, blocks: int = 300, pages: int = 64
                        ) -> float:
    """Greedy collection under uniform random writes (Desnoyers, 2012).

    Two to three blocks of a plane are free or open, so they have no data.
    """
    alpha = (blocks - 2.5) / blocks * (1 + spare)
    corrected = alpha * (1 + 1 / (2 * pages))
    least = 0.5 - pages / alpha * lambert_w(-corrected *
                                            math.exp(-corrected))
    return pages / (pages - (least - 1))


def geometric_gain(values: Sequence[float]) -> float:
    return statistics.geometric_mean([1 + value for value in values]) - 1
