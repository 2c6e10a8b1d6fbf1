"""Statements of papers 000, 001 and 002, and the simulation's results.

000 is Chen et al., 001 PAQ, 002 Amphibian.  The numbers are from their text,
not from their bars.  A change counts as the paper's if it differs by a third
at most; otherwise the run's own numbers give the reason.
"""

from __future__ import annotations

from typing import Callable, Dict, List, Tuple

from lib import inside

from .claim import NOT_THERE, Claim
from .collect import Result

_NO_LOSS = -0.01                # allowed between equal setups

# Mean response time against noop on each device, Figures 10 to 12 of 002;
# throughput of postmark with a queue of 16 (Figure 8) and at best with 64 (9).
_RESPONSE = {"x25-e": -0.229, "s3700": -0.201, "750": -0.111}
_PARDISPATCHER = {"x25-e": -0.164, "s3700": -0.180, "750": -0.106}
_AT_16 = {"x25-e": 0.282, "s3700": 0.279, "750": 0.116}
_AT_64 = {"x25-e": 0.359, "s3700": 0.331, "750": 0.116}


def _percent(value: float) -> str:
    return f"{value:+.1%}"


def _extremes(found: Dict[str, float]) -> str:
    low, high = (pick(found, key=lambda name: found[name])
                 for pick in (min, max))
    return (f"{_percent(found[low])} ({low}) to {_percent(found[high])} "
            f"({high})")


def _gain(text: str, paper: float, found: Dict[str, float], why: str
          ) -> Claim:
    ours = inside.mean(list(found.values()))
    return Claim(text, _percent(paper),
                 f"{_percent(ours)}; {_extremes(found)}",
                 inside.within_a_third(ours, paper), why)


# ----- PAQ -----

def _waiting(row) -> float:
    """ms that operations waited, for their die or for its channel."""
    return inside.number(row, "contention_ms") + \
        inside.number(row, "queued_ms")


def _paq(rows: inside.Rows) -> List[Claim]:
    def found(of) -> Dict[str, float]:
        return inside.changes(rows, inside.PAQ, of, "paq2", "vaq")
    speed = found(inside.metric("bandwidth_mb_s"))
    latency = found(inside.metric("all_mean_us"))
    idle, waiting = found(inside.idle_seconds), found(_waiting)
    channel = found(inside.metric("contention_ms"))
    more = {name: by["paq2"] - by["vaq"] for name, by in inside.by(
        inside.of_part(rows, inside.PAQ), "workload",
        inside.metric("bandwidth_mb_s")).items()}
    web = min(value for name, value in more.items()
              if name.startswith("web"))
    best, least = max(speed.values()), min(speed.values())
    over = sum(value > 100 for value in more.values())
    top = max(by["paq2"] for by in inside.by(
        inside.of_part(rows, inside.PAQ), "workload",
        inside.metric("bandwidth_mb_s")).values())
    full = (f"no workload is faster than {top:.0f} MB/s, which the eight "
            "channels carry at 40 MB/s each")
    return [
        _gain("PAQ2 against VAQ: bandwidth, mean of twenty", 0.326, speed,
              full),
        Claim("its best", "+62.7 %", _percent(best),
              inside.within_a_third(best, 0.627), full),
        _gain("PAQ2 against VAQ: requests a second", 0.327,
              found(inside.metric("iops")), full),
        _gain("PAQ2 against VAQ: mean latency", -0.251, latency,
              "the loop keeps 64 outstanding, so latency is 64 over the "
              "requests a second"),
        Claim("PAQ2 is never below VAQ", "never",
              f"{_percent(least)} at least", least >= _NO_LOSS),
        Claim("workloads that gain over 100 MB/s", "5 of 20",
              f"{over} of {len(more)}", abs(over - 5) <= 1,
              "a run's sizes and bursts are not in Table 1; ours gain by "
              "their share of reads"),
        Claim("its best latency", _percent(-0.416),
              _percent(min(latency.values())),
              inside.within_a_third(min(latency.values()), -0.416), full),
        *(Claim("msnfs4, requests a second", "1.41 times VAQ's",
                f"{1 + speed[name]:.2f} times",
                inside.within_a_third(speed[name], 0.41),
                "the paper's has small reads between its writes, one "
                "holding up many; Table 1, which ours is made of, has 92 % "
                "writes, whose order is the mapping's")
          for name in speed if name == "msnfs4"),
        Claim("every web workload gains over 100 MB/s", "over 100 MB/s",
              f"{web:.0f} MB/s at least", web > 100, full),
        _gain("idle time of the dies", -0.20, idle,
              "dies work as long as before and the run is shorter by the "
              "gain, so the less they idle the larger a share of that is "
              "saved; the paper's numbers together mean dies that idle "
              "nearly all the time"),
        Claim("operations wait less for their die and its channel, in every "
              "workload", "contention much less in all",
              f"{_extremes(waiting)}; for the channel alone "
              f"{_extremes(channel)}, where those wait that no die keeps "
              "any more", max(waiting.values()) < 0)]


def _by_setting(rows: inside.Rows, part: str, name: str
                ) -> Dict[str, Dict[str, float]]:
    return inside.by(inside.of_part(rows, part), "setting",
                     inside.metric(name))


def _queues(rows: inside.Rows) -> List[Claim]:
    found = _by_setting(rows, inside.QUEUE, "iops")
    first, last = str(inside.QUEUES[1]), str(inside.QUEUES[-1])
    gains = {one: found[last][one] / found[first][one] - 1
             for one in inside.PAQ_SCHEDULERS}
    packing = found[last]["paq0"] / found[last]["vaq"]
    packed = {row["scheduler"]: inside.number(row, "packed_operations")
              for row in inside.of_part(rows, inside.QUEUE, setting=last)}
    text = f"a queue of {last} in place of {first}"
    return [
        Claim(f"VAQ gains almost nothing by {text}", "almost nothing",
              _percent(gains["vaq"]), abs(gains["vaq"]) < 0.05),
        Claim(f"PAQ2 gains by {text}", "significantly",
              _percent(gains["paq2"]), gains["paq2"] > 0.05),
        Claim("packing alone, at the longest queue", "1.53 times VAQ",
              f"{packing:.2f} times",
              inside.within_a_third(packing - 1, 0.53),
              f"{packed['paq0']:.0f} operations found another to ride with: "
              "two reads of one die are rarely of the same page of their "
              "blocks; and if they all were, the channels, which each page "
              "takes for longer than the flash, would leave it 1.2 times "
              "(docs/results/simulator.md)")]


def _channels(rows: inside.Rows) -> List[Claim]:
    found = _by_setting(rows, inside.CHANNELS, "iops")
    values = [found[str(count)]["paq2"] for count in inside.CHANNEL_COUNTS]
    return [Claim("more channels, more requests a second", "yes", ", ".join(
        f"{count}: {value:.0f}" for count, value in
        zip(inside.CHANNEL_COUNTS, values)), values == sorted(values))]


def _bound(rows: inside.Rows) -> List[Claim]:
    longest = _by_setting(rows, inside.BOUND, "all_max_us")
    iops = _by_setting(rows, inside.BOUND, "iops")
    free, tight = inside.BOUNDS[0], inside.BOUNDS[-1]
    ratio = longest[free]["paq2"] / longest[free]["vaq"]
    lost = iops[tight]["paq2"] / iops[free]["paq2"] - 1
    return [
        Claim("sql3: some requests wait over twice VAQ's", "over twice",
              f"the longest {ratio:.2f} times", ratio > 2,
              "with 64 outstanding, twice the queue, all of VAQ's wait "
              "long: those that PAQ passes over do not stand out"),
        Claim("a bound on being passed over shortens the longest wait",
              "left to later work", ", ".join(
                  f"{bound.replace('0 ms', 'none')} "
                  f"{longest[bound]['paq2'] / 1e3:.1f} ms"
                  for bound in inside.BOUNDS) +
              f"; {_percent(lost)} requests a second",
              longest[tight]["paq2"] < longest[free]["paq2"],
              "with the queue of 32 nothing is passed over for so long")]


# ----- Amphibian -----

def _zones(rows: inside.Rows, part: str, device: str) -> str:
    mine = inside.of_part(rows, part, device=device, scheduler="amphibian")
    found = [sum(inside.number(row, name) for row in mine)
             for name in ("zones_suspected", "zones_blocked")]
    return (f"{found[0]:.0f} responses took orders of magnitude longer than "
            f"usual and {found[1]:.0f} times a zone was held back for a "
            "second; collecting is done in steps here, which hold up a "
            "request for less than that")


def _response(rows: inside.Rows, device: str) -> List[Claim]:
    def found(ours: str, base: str = "noop") -> Dict[str, float]:
        return inside.changes(rows, inside.TRACES,
                              inside.metric("all_mean_us"), ours, base,
                              device=device)
    noop = inside.by(inside.of_part(rows, inside.TRACES, device=device),
                     "workload", inside.metric("all_mean_us"))
    load = "mean response under noop: " + ", ".join(
        f"{name} {by['noop'] / 1e3:.1f} ms" for name, by in noop.items())
    return [
        _gain(f"{device}: Amphibian's response time against noop",
              _RESPONSE[device], found("amphibian"),
              f"{_zones(rows, inside.TRACES, device)}; {load}"),
        _gain(f"{device}: its queues by type and size alone",
              _RESPONSE[device], found("sizes"), load),
        _gain(f"{device}: these against ParDispatcher",
              _PARDISPATCHER[device], found("sizes", "pardispatcher"),
              load)]


def _postmark(rows: inside.Rows, device: str) -> List[Claim]:
    found = inside.by(inside.of_part(rows, inside.POSTMARK, device=device),
                      "setting", inside.metric("iops"))

    def gain(length: str, ours: str) -> float:
        return found[length][ours] / found[length]["noop"] - 1
    why = ("a closed loop that all requests pass through does the same work "
           "in any order: " + _zones(rows, inside.POSTMARK, device))
    claims = []
    for length, paper in (("16", _AT_16[device]), ("64", _AT_64[device])):
        ours = gain(length, "amphibian")
        claims.append(Claim(
            f"{device}: postmark's throughput, queue of {length}",
            _percent(paper), f"{_percent(ours)} (by type and size alone "
            f"{_percent(gain(length, 'sizes'))}, deadline "
            f"{_percent(gain(length, 'deadline'))})",
            inside.within_a_third(ours, paper), why))
    short, linux = gain("1", "amphibian"), gain("16", "deadline")
    return claims + [
        Claim(f"{device}: noop is better than deadline, queue of 16", "yes",
              f"deadline {_percent(linux)}", linux < 0,
              "batches of reads and of writes spare the device turning "
              "round"),
        Claim(f"{device}: no difference with a queue of 1",
              "almost the same", _percent(short), abs(short) < 0.05, why)]


def _hosts(rows: inside.Rows, part: str,
           of: Callable[[inside.Rows, str], List[Claim]]) -> List[Claim]:
    return [claim for device in inside.DEVICES
            if inside.of_part(rows, part, device=device)
            for claim in of(rows, device)]


def _bursts(rows: inside.Rows) -> List[Claim]:
    found = _by_setting(rows, inside.BURSTS, "all_mean_us")
    return [Claim("how the gain depends on bursts (web2, x25-e)", NOT_THERE,
                  ", ".join(f"{burst} at once "
                            f"{_percent(by['sizes'] / by['noop'] - 1)}"
                            for burst, by in found.items()), None)]


# ----- our own -----

def _recorded(rows: inside.Rows) -> List[Claim]:
    """Our own runs under both papers' schedulers."""
    gains = inside.changes(rows, inside.RECORDED,
                           inside.metric("bandwidth_mb_s"), "paq2", "vaq",
                           device="paq")
    claims = [
        Claim("recorded SSB, TPC-H, pgbench: PAQ2 against VAQ, bandwidth",
              NOT_THERE, ", ".join(f"{name} {_percent(value)}"
                                   for name, value in gains.items()), None),
        Claim("recorded: PAQ2 is never below VAQ", "never",
              f"{_percent(min(gains.values()))} at least",
              min(gains.values()) >= _NO_LOSS)]
    for device in inside.DEVICES:
        found = {host: inside.changes(
            rows, inside.RECORDED, inside.metric("all_mean_us"), host,
            "noop", device=device) for host in ("sizes", "amphibian")}
        claims.append(Claim(
            f"recorded, {device}: response time against noop", NOT_THERE,
            "; ".join(f"{name} by type and size "
                      f"{_percent(found['sizes'][name])}, with zones "
                      f"{_percent(found['amphibian'][name])}"
                      for name in found["sizes"]), None))
    return claims


def _worst(found: Dict[Tuple[str, str], float]) -> str:
    pair = max(found, key=lambda pair: found[pair])
    return f"{_percent(found[pair])} ({pair[0]} beside {pair[1]})"


def _pairs(rows: inside.Rows) -> List[Claim]:
    claims = []
    for device in inside.PAIR_DEVICES:
        plain, daemon = (inside.slowdowns(rows, device, mode)
                         for mode in ("plain", "daemon"))
        times = {mode: {(row["workload"], row["setting"]):
                        inside.number(row, "seconds") for row in
                        inside.of_part(rows, inside.PAIRS, device=device,
                                       scheduler=mode)}
                 for mode in ("plain", "daemon")}
        readers = [pair for pair in plain
                   if pair[0] in ("QS", "QR") and pair[1] in ("QS", "QR")]
        longest = max(times["daemon"][pair] / times["plain"][pair]
                      for pair in readers)
        claims += [
            Claim(f"{device}: slowdowns, the worst pair", NOT_THERE,
                  f"plain {_worst(plain)}, daemon {_worst(daemon)}", None),
            Claim(f"{device}: no pair of readers takes longer than plain",
                  "at most 1.10 times as long",
                  f"{longest:.2f} times at most", longest <= 1.1,
                  "who reads ahead at depth takes the device from who "
                  "reads page by page", True)]
    return claims


def _partitions(rows: inside.Rows) -> List[Claim]:
    return [Claim(f"{device}: a scan of partitions on {count} devices",
                  f"at least {wanted} times one", f"{found[count]:.2f} times",
                  found[count] >= wanted, "", True)
            for device, found in inside.speed_ups(rows).items()
            for count, wanted in ((2, 1.9), (4, 3.6))]


def _collecting(rows: inside.Rows) -> List[Claim]:
    off = {row["setting"]: inside.number(row, "write_amplification") /
           inside.write_amplification(int(row["setting"]) / 100) - 1
           for row in inside.of_part(rows, inside.COLLECTING)}
    worst = max(off.values(), key=abs)
    return [Claim("write amplification is Desnoyers' formula's",
                  "within 3 %", f"{_percent(worst)} at most, over-"
                  f"provisioning {', '.join(off)} %", abs(worst) <= 0.03,
                  "", True)]


def _raid(rows: inside.Rows, device: str) -> List[Claim]:
    """Figure 14 of 000, with 32 outstanding."""
    def at(load: str, chunk: int, depth: int = 32) -> float:
        return inside.raid(rows, device, load)[chunk][depth]
    least, most = inside.RAID_CHUNKS[0], inside.RAID_CHUNKS[-1]
    large = at("random 256 kB", most) / at("random 256 kB", least)
    small = at("random 4 kB", most) / at("random 4 kB", least)
    lost = at("sequential 4 kB", most) / at("sequential 4 kB", least)
    deeper = {depth: at("random 4 kB", 64, depth) /
              at("random 4 kB", 64, 1) for depth in inside.RAID_DEPTHS}
    name = f"RAID-0 of four {device}"
    return [
        Claim(f"{name}: large random reads gain by large chunks",
              "1.38 times (1,201 to 1,652 MB/s)",
              f"{large:.2f} times ({at('random 256 kB', least):,.0f} to "
              f"{at('random 256 kB', most):,.0f} MB/s)",
              large > 1.1, "its host puts together what a request has on a "
              "device, so a request in many pieces costs nothing"),
        Claim(f"{name}: small random reads do not", "no effect",
              f"{small:.2f} times", abs(small - 1) < 0.05),
        Claim(f"{name}: small sequential reads lose by large chunks",
              "they fall on one device", f"{lost:.2f} times", lost < 0.9,
              "the model's devices read ahead of one stream each"),
        Claim(f"{name}: the depth that it takes", NOT_THERE,
              ", ".join(f"{depth}: {value:.1f} times depth 1"
                        for depth, value in deeper.items()), None)]


def _raid_writes(rows: inside.Rows, device: str) -> List[Claim]:
    """Figure 14 of 000, (c) and (d)."""
    found = {load: inside.raid_writes(rows, device, load)
             for load in inside.WRITE_LOADS}
    least, most = (pick(inside.RAID_WRITE_CHUNKS) for pick in (min, max))
    large, small = (found[f"random writes {size} kB"] for size in (256, 4))
    gain, after = large[32] / large[least], large[most] / large[32]
    lost = found["sequential writes 4 kB"]
    random, sequential = (
        max(max(by.values()) for load, by in found.items()
            if load.startswith(pattern))
        for pattern in ("random", "sequential"))
    name = f"RAID-0 of four {device}"
    return [
        Claim(f"{name}: random writes gain by chunks up to 32 kB, and "
              "no further", "up to 32 kB",
              f"256 kB: {gain:.2f} times at 32 kB of {least}, then "
              f"{after:.2f} times; 4 kB: {small[most] / small[least]:.2f} "
              "times in all" + ("; how long a command takes is chosen so"
                                if device == "ssd-p" else ""),
              gain > 1.02 and after < 1.02,
              "the write buffers take what comes as fast as the four buses "
              "bring it, however it is cut"),
        Claim(f"{name}: small sequential writes lose by large chunks",
              "they fall on one device",
              f"{lost[most] / lost[least]:.2f} times",
              lost[most] / lost[least] < 0.9,
              "the write buffer of one device takes them all"),
        Claim(f"{name}: random and sequential writes peak alike",
              "both at about 1 GB/s",
              f"{random:.0f} and {sequential:.0f} MB/s",
              abs(random / sequential - 1) < 0.1)]


def _programs(rows: inside.Rows, device: str) -> List[Claim]:
    """Figure 15 of 000: the text's statements on one device against four."""
    found = {name: by[inside.PROGRAM_DEVICES[-1]] for name, by in
             inside.program_speed_ups(rows, device).items()}

    def claim(name: str, does: str, paper: str, holds: bool, why: str = ""
              ) -> Claim:
        return Claim(f"RAID-0, {name} on four {device} {does}", paper,
                     f"requests alone: {found[name]:.2f} times", holds, why)
    mail, files = found[inside.VARMAIL], found[inside.FILESERVER]
    # of the program's time, if the paper's devices are like ours
    share = "" if found[inside.LOAD_DB] <= 1.1 else (
        ", and the paper's figure follows if requests are "
        f"{inside.share_of_requests(1.1, found[inside.LOAD_DB]):.0%} "
        "of its time")
    moderate = {name: 1 < found[name] < 2
                for name in (inside.TPC_H, inside.LOAD_DB)}
    return [
        claim(inside.VARMAIL, "gains", "1.24 times", mail > 1.1,
              "one device has all that it can take"),
        claim(inside.FILESERVER, "loses", "less with each device", files < 1,
              "that requests wait for the slowest of several devices that "
              "collect costs this array "
              f"{1 - files / inside.PROGRAM_DEVICES[-1]:.0%} of what four "
              "have; a file system's journal, where all wait for one, is "
              "not simulated"),
        claim(inside.TPC_H, "gains little, as it lacks parallelism",
              "1.1 times", moderate[inside.TPC_H],
              "large reads are spread, one at a time or not"),
        claim(inside.LOAD_DB, "gains little, as it lacks parallelism",
              "1.1 times", moderate[inside.LOAD_DB],
              "a write of 512 kB has two chunks for each of four devices, so "
              "one request keeps all busy; what the program computes between "
              "two of them is not there" + share)]


def _of_each(part: str, judge: Callable[[inside.Rows, str], List[Claim]]
             ) -> Callable[[inside.Rows], List[Claim]]:
    """For each kind of device in an array."""
    return lambda rows: [claim for device in inside.raid_names(rows, part)
                         for claim in judge(rows, device)]


def _held(rows: inside.Rows) -> List[Claim]:
    """Would a daemon gain that held back reads of collecting dies?"""
    claims = []
    for device in inside.HELD_DEVICES:
        for load, by in inside.held(rows, device).items():
            if load.startswith("0 "):
                continue
            never = by["0"]
            best = min((hold for hold in by if hold not in ("0", inside.NEAR)),
                       key=lambda hold: by[hold][1])
            seconds, wait = by[best]
            claims.append(Claim(
                f"{device}, {load}: reads of a die that collects, held",
                "99th percentile halved, the list no later",
                f"held {float(best) / 1e3:g} ms: wait "
                f"{wait / never[1]:.2f} times, list "
                f"{seconds / never[0]:.2f} times",
                wait <= never[1] / 2 and seconds <= never[0],
                "what is asked for later comes no sooner: a die that has "
                "nothing to read goes on collecting. So the daemon does not "
                "hold reads back", True))
    return claims


def _ahead(rows: inside.Rows) -> List[Claim]:
    """The gain of a list that the daemon knows far ahead."""
    claims = []
    for device in inside.HELD_DEVICES:
        for load, by in inside.held(rows, device).items():
            if inside.NEAR not in by:       # an older run
                continue
            (far, far_wait), (near, near_wait) = by["0"], by[inside.NEAR]
            alone = load.startswith("0 ")
            wait = far_wait / near_wait
            claims.append(Claim(
                f"{device}, {'nothing written' if alone else load}: a list "
                "that the daemon knows eight depths ahead, to two",
                "within 1 % or less" if alone else
                "99th percentile halved, the list no later",
                f"wait {wait:.2f} times ({near_wait / 1e3:.2f} to "
                f"{far_wait / 1e3:.2f} ms), list {far / near:.2f} times",
                far <= near * 1.01 and (alone or wait <= 0.5),
                "the device has all that it can take, and collecting or "
                "turning round to write halts all of its dies", True))
    return claims


def _probing(rows: inside.Rows) -> List[Claim]:
    claims = []
    for devices, wanted in (("by chance", 0.95), ("noisy", 0.0)):
        found = inside.outcomes(rows, devices)
        every = sum(found.values())
        if every == 0:
            continue
        claims.append(Claim(
            f"ssdpar-probe --inside, devices {devices}",
            ("at least 95 % exactly right, " if wanted else "") +
            "none wrong",
            ", ".join(f"{count} {name}" for name, count in found.items()),
            found["wrong"] == 0 and found["right"] >= wanted * every, "",
            True))
    return claims


_PARTS: Dict[str, Callable[[inside.Rows], List[Claim]]] = {
    inside.PAQ: _paq, inside.QUEUE: _queues, inside.CHANNELS: _channels,
    inside.BOUND: _bound,
    inside.TRACES: lambda rows: _hosts(rows, inside.TRACES, _response),
    inside.POSTMARK: lambda rows: _hosts(rows, inside.POSTMARK, _postmark),
    inside.BURSTS: _bursts, inside.RECORDED: _recorded,
    inside.PAIRS: _pairs, inside.PARTITIONS: _partitions,
    inside.RAID: _of_each(inside.RAID, _raid),
    inside.RAID_WRITES: _of_each(inside.RAID_WRITES, _raid_writes),
    inside.PROGRAMS: _of_each(inside.PROGRAMS, _programs),
    inside.COLLECTING: _collecting,
    inside.HELD: lambda rows: _ahead(rows) + _held(rows),
    inside.PROBING: _probing}


def of(result: Result) -> List[Claim]:
    """The claims of the parts that were run."""
    have = {row["part"] for row in result.rows}
    return [claim for part, judge in _PARTS.items() if part in have
            for claim in judge(result.rows)]
