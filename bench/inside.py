"""./run bench inside: the inside of an SSD, simulated on virtual time.

It needs no device, server or root: the device is ssdsim's, and the same
options give the same numbers.  PAQ's twenty workloads, queue lengths and
channels (Jung, Wilson and Kandemir, 2012, Figures 8 to 15), Amphibian against
noop, deadline and ParDispatcher on three devices (Mao, Wu and Duan, 2018,
Figures 8 to 12), both with requests recorded from SSB, TPC-H and pgbench,
Figure 12 of Chen et al. (2016) under the prefetch daemon's own scheduler, and
greedy collection against theory.  RAID-0 by chunk size, reads and writes, and
by number of devices under the requests of four programs (Figures 14 and 15 of
Chen et al.), holding back reads of dies that collect garbage, and the blind
test of ssdpar-probe --inside.
"""

from __future__ import annotations

import os
import platform
import time
from typing import Dict, List, Sequence, Set, Tuple

from lib import cli, inside, raw, report, results, scenario, simulator
from lib.errors import UserError
from lib.progress import Progress

SCENARIO = "inside an SSD, simulated: PAQ, Amphibian, pairs, collecting"

ROWS = "inside.csv"
_REQUESTS = 60000


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench inside", description=__doc__)
    parser.add_argument("--parts", default=list(inside.PARTS),
                        type=scenario.list_of(
                            scenario.one_of(inside.PARTS, "part"), "a part"),
                        help="default: all, " + ",".join(inside.PARTS))
    parser.add_argument("--requests", type=cli.count(1000, 10 ** 8),
                        default=_REQUESTS, metavar="N",
                        help=f"requests of each run (default {_REQUESTS})")
    parser.add_argument("--resume", metavar="DIR",
                        help="continue the interrupted run in DIR with "
                        "its options")
    return scenario.parse(parser, "inside", arguments)


def _facts(options) -> dict:
    return {"scenario": options.name, "arguments": options.arguments,
            "ssdpar_commit": report.commit(), "kernel": platform.release(),
            "cores": os.cpu_count(), "rounds": 1,
            "device": {"name": "simulated"},
            "time": time.strftime("%Y-%m-%dT%H:%M:%S%z")}


def _key(row: raw.Row) -> Tuple[str, ...]:
    return tuple(row[name] for name in simulator.KEY)


def _simulate(options, file: raw.RowFile, progress: Progress) -> None:
    have = set(map(_key, file.rows))
    order = [(1, point) for point in inside.points(options.parts,
                                                   options.requests)
             if point.key not in have]
    for _, point in scenario.in_turn(
            progress, f"simulating {len(order)} runs", order, 1,
            lambda point: " ".join(filter(None, point.key))):
        file.add(simulator.run(point))


def _add_new(file: raw.RowFile, rows: Sequence[Dict[str, object]]) -> None:
    have: Set[Tuple[str, ...]] = set(map(_key, file.rows))
    for row in rows:
        if tuple(row[name] for name in simulator.KEY) not in have:
            file.add(row)


def _pairs(file: raw.RowFile, progress: Progress) -> None:
    with progress.step("simulating pairs of sessions"):
        for device in inside.PAIR_DEVICES:
            for plain in (True, False):
                _add_new(file, [{
                    "part": inside.PAIRS, "workload": row["target"],
                    "device": device, "scheduler": row["mode"],
                    "setting": row["co_runner"],
                    "seconds": float(row["microseconds"]) / 1e6}
                    for row in simulator.pairs(device, plain)])


def _partitions(file: raw.RowFile, progress: Progress) -> None:
    with progress.step("simulating scans of partitions"):
        for device in inside.PARTITION_DEVICES:
            _add_new(file, [{
                "part": inside.PARTITIONS, "workload": "scan",
                "device": device, "scheduler": "daemon",
                "setting": row["devices"],
                "seconds": float(row["microseconds"]) / 1e6}
                for row in simulator.partitions(device)])


def _held(file: raw.RowFile, progress: Progress) -> None:
    with progress.step("simulating reads beside collecting"):
        for device in inside.HELD_DEVICES:
            _add_new(file, [{
                "part": inside.HELD, "device": device, "scheduler": "daemon",
                "workload": f"{row['writers']} writers, rest "
                f"{float(row['rest']) / 1e3:g} ms",
                "setting": inside.held_setting(row),
                "seconds": float(row["microseconds"]) / 1e6,
                "read_p99_us": row["wait_p99"], "iops": row["writes"]}
                for row in simulator.held(device)])


def _probing(file: raw.RowFile, progress: Progress) -> None:
    with progress.step("probing devices that nobody told of"):
        found = simulator.blind_test()
        if found is None:
            progress.say("the blind test of ssdpar-probe --inside is left "
                         "out: it is a unit test, and these cannot be built "
                         "(libcmocka-dev)")
            return
        for devices, told in zip(("by chance", "noisy"), found):
            _add_new(file, [{
                "part": inside.PROBING, "workload": devices,
                "device": "any", "scheduler": "ssdpar-probe",
                "setting": outcome, "requests": count}
                for outcome, count in zip(inside.OUTCOMES, told[1:])])


# ----- tables -----

def _paq_table(rows: inside.Rows) -> str:
    part = inside.of_part(rows, inside.PAQ)
    speed, iops, mean, contention = (
        inside.by(part, "workload", inside.metric(name)) for name in
        ("bandwidth_mb_s", "iops", "all_mean_us", "contention_ms"))
    idle = inside.by(part, "workload", inside.idle_seconds)
    table = [[name] + [f"{speed[name][one]:.1f}"
                       for one in inside.PAQ_SCHEDULERS] +
             [f"{found['paq2'] / found['vaq'] - 1:+.1%}" for found in
              (speed[name], iops[name], mean[name], idle[name],
               contention[name])] for name in speed]
    return report.table(
        ["PAQ: MB/s"] + list(inside.PAQ_SCHEDULERS) +
        ["paq2-vaq", "IOPS", "latency", "idle", "contention"], table)


def _setting_table(rows: inside.Rows, part: str, title: str, name: str,
                   schedulers: Sequence[str], device: str) -> str:
    found = inside.by(inside.of_part(rows, part, device=device), "setting",
                      inside.metric(name))
    return report.table([title] + list(schedulers), [
        [setting] + [f"{values[one]:.1f}" if one in values else "-"
                     for one in schedulers]
        for setting, values in found.items()])


def _trace_table(rows: inside.Rows, device: str) -> str:
    found = inside.by(inside.of_part(rows, inside.TRACES, device=device),
                      "workload", inside.metric("all_mean_us"))
    return report.table(
        [f"{device}: mean response, us"] + list(inside.HOSTS) +
        [f"{one}-noop" for one in inside.HOSTS[1:]],
        [[name] + [f"{values[one]:.1f}" for one in inside.HOSTS] +
         [f"{values[one] / values['noop'] - 1:+.1%}"
          for one in inside.HOSTS[1:]] for name, values in found.items()])


def _recorded_tables(rows: inside.Rows) -> List[str]:
    def by(device: str, name: str) -> Dict[str, Dict[str, float]]:
        return inside.by(inside.of_part(rows, inside.RECORDED, device=device),
                         "workload", inside.metric(name))
    speed = by("paq", "bandwidth_mb_s")
    return [report.table(
        ["recorded, PAQ: MB/s"] + list(inside.PAQ_SCHEDULERS) + ["paq2-vaq"],
        [[name] + [f"{found[one]:.1f}" for one in inside.PAQ_SCHEDULERS] +
         [f"{found['paq2'] / found['vaq'] - 1:+.1%}"]
         for name, found in speed.items()])] + [report.table(
             [f"recorded, {device}: mean response, us"] + list(inside.HOSTS),
             [[name] + [f"{found[one]:.1f}" for one in inside.HOSTS]
              for name, found in by(device, "all_mean_us").items()])
             for device in inside.DEVICES]


def _pair_table(rows: inside.Rows, device: str) -> str:
    both = [inside.slowdowns(rows, device, mode)
            for mode in ("plain", "daemon")]
    return report.table(
        [f"{device}: longer than alone", "plain", "daemon"],
        [[f"{target} beside {other}"] +
         [f"{found[(target, other)]:+.0%}" for found in both]
         for target, other in both[0]])


def _collecting_table(rows: inside.Rows) -> str:
    return report.table(
        ["over-provisioning", "write amplification", "theory"],
        [[f"{row['setting']} %", f"{row['write_amplification']}",
          f"{inside.write_amplification(int(row['setting']) / 100):.3f}"]
         for row in inside.of_part(rows, inside.COLLECTING)])


def _partition_table(rows: inside.Rows) -> str:
    return report.table(
        ["four partitions: times one device", "2 devices", "4 devices"],
        [[device, f"{found[2]:.2f}", f"{found[4]:.2f}"]
         for device, found in inside.speed_ups(rows).items()])


def _raid_table(rows: inside.Rows, device: str, load: str) -> str:
    return report.table(
        [f"RAID-0 of {inside.RAID_DEVICES} {device}, {load}: MB/s"] +
        [f"depth {depth}" for depth in inside.RAID_DEPTHS],
        [[f"chunk {chunk} kB"] + [f"{by[depth]:.1f}" for depth in by]
         for chunk, by in inside.raid(rows, device, load).items()])


def _raid_write_table(rows: inside.Rows, device: str) -> str:
    return report.table(
        [f"RAID-0 of {inside.RAID_DEVICES} {device}, MB/s, chunk in kB"] +
        [str(chunk) for chunk in inside.RAID_WRITE_CHUNKS],
        [[load] + [f"{value:.1f}" for value in
                   inside.raid_writes(rows, device, load).values()]
         for load in inside.WRITE_LOADS])


def _program_table(rows: inside.Rows, device: str) -> str:
    return report.table(
        [f"RAID-0 of {device}: times one device"] +
        [f"{count} devices" for count in inside.PROGRAM_DEVICES],
        [[name] + [f"{value:.2f}" for value in by.values()]
         for name, by in inside.program_speed_ups(rows, device).items()])


def _raid_tables(rows: inside.Rows) -> List[Tuple[str, str]]:
    def named(part: str) -> List[str]:
        return inside.raid_names(rows, part)
    return [(inside.RAID, _raid_table(rows, device, load))
            for device in named(inside.RAID)
            for load in inside.RAID_LOADS] + [
        (inside.RAID_WRITES, _raid_write_table(rows, device))
        for device in named(inside.RAID_WRITES)] + [
        (inside.PROGRAMS, _program_table(rows, device))
        for device in named(inside.PROGRAMS)]


def _held_table(rows: inside.Rows, device: str) -> str:
    return report.table(
        [f"{device}: reads held at most, us", "list, s", "wait p99, us"],
        [[f"{load}: {hold}", f"{seconds:.3f}", f"{wait:.0f}"]
         for load, by in inside.held(rows, device).items()
         for hold, (seconds, wait) in by.items()])


def _probing_table(rows: inside.Rows) -> str:
    names = dict.fromkeys(row["workload"] for row in
                          inside.of_part(rows, inside.PROBING))
    return report.table(
        ["probed devices"] + list(inside.OUTCOMES),
        [[name] + [str(inside.outcomes(rows, name)[outcome])
                   for outcome in inside.OUTCOMES] for name in names])


def _tables(rows: inside.Rows) -> List[str]:
    have = {row["part"] for row in rows}
    tables: List[Tuple[str, str]] = []
    if inside.PAQ in have:
        tables.append((inside.PAQ, _paq_table(rows)))
    for part, title, name, schedulers, device in (
            (inside.QUEUE, "queue: IOPS", "iops", inside.PAQ_SCHEDULERS,
             "paq"),
            (inside.QUEUE, "queue: wait, us", "queue_wait_mean_us",
             inside.PAQ_SCHEDULERS, "paq"),
            (inside.CHANNELS, "channels: IOPS", "iops",
             inside.PAQ_SCHEDULERS, "paq"),
            (inside.BOUND, "bound: IOPS", "iops", ("vaq", "paq2"), "paq"),
            (inside.BOUND, "bound: longest, us", "all_max_us",
             ("vaq", "paq2"), "paq"),
            (inside.BURSTS, "burst: mean, us", "all_mean_us", inside.HOSTS,
             "x25-e"),
            *((inside.POSTMARK, f"{device}: IOPS by queue length", "iops",
               inside.HOSTS, device) for device in inside.DEVICES)):
        if part in have:
            tables.append((part, _setting_table(rows, part, title, name,
                                                schedulers, device)))
    if inside.TRACES in have:
        tables += [(inside.TRACES, _trace_table(rows, device))
                   for device in inside.DEVICES]
    if inside.RECORDED in have:
        tables += [(inside.RECORDED, text) for text in _recorded_tables(rows)]
    if inside.PAIRS in have:
        tables += [(inside.PAIRS, _pair_table(rows, device))
                   for device in inside.PAIR_DEVICES]
    if inside.PARTITIONS in have:
        tables.append((inside.PARTITIONS, _partition_table(rows)))
    tables += _raid_tables(rows)
    if inside.COLLECTING in have:
        tables.append((inside.COLLECTING, _collecting_table(rows)))
    if inside.HELD in have:
        tables += [(inside.HELD, _held_table(rows, device))
                   for device in inside.HELD_DEVICES]
    if inside.PROBING in have:
        tables.append((inside.PROBING, _probing_table(rows)))
    return [text for _, text in tables]


def _check_recorded() -> None:
    """The pairs that ./run check compares with recorded times."""
    good, told = simulator.against_recorded()
    if not good:
        raise UserError("pairs are worse than recorded in "
                        f"{simulator.RECORDED}:\n{told}")
    print(told or "No pair differs by 5 % from what is recorded.",
          flush=True)


def run_inside(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    try:
        simulator.build(progress)
        kept = results.Results(options.name, options.resume)
        kept.add_facts(_facts(options))
        file = kept.rows(ROWS, simulator.COLUMNS, progress)
        _simulate(options, file, progress)
        if inside.PAIRS in options.parts:
            _pairs(file, progress)
        for part, add in ((inside.PARTITIONS, _partitions),
                          (inside.HELD, _held), (inside.PROBING, _probing)):
            if part in options.parts:
                add(file, progress)
        kept.add_facts({"complete": True})
    finally:
        progress.close()
    print("\n" + "\n\n".join(_tables(file.rows)), flush=True)
    print(f"\nRaw numbers: {kept.directory}")
    if inside.PAIRS in options.parts:
        _check_recorded()
    return 0


if __name__ == "__main__":
    cli.main(run_inside)
