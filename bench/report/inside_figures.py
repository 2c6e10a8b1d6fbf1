"""Draws the results of ./run bench inside: one panel per figure of the papers.

figures.py uses matplotlib and passes the functions that make panels.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Sequence, Tuple

from lib import inside

from .collect import Result

Panels = Callable[[int, float], Tuple[Any, List[Any]]]
Draw = Callable[[Any, inside.Rows], None]
_LATENCIES = ("all_p50_us", "all_p90_us", "all_p99_us", "all_p999_us",
              "all_max_us")


def _bars(axis: Any, found: Dict[str, Dict[str, float]],
          bars: Sequence[str], label: str) -> None:
    """Groups of bars without intervals, because the simulation is
    deterministic."""
    width = 0.8 / len(bars)
    for number, bar in enumerate(bars):
        axis.bar([place + (number - (len(bars) - 1) / 2) * width
                  for place in range(len(found))],
                 [values.get(bar, 0) for values in found.values()], width,
                 color=f"C{number}", label=bar)
    axis.set_xticks(range(len(found)), list(found), rotation=90, fontsize=7)
    axis.grid(axis="x", visible=False)
    axis.set_ylabel(label)
    axis.legend(fontsize=6, ncols=3, loc="lower center",
                bbox_to_anchor=(0.5, 1.0))


def _relative(found: Dict[str, Dict[str, float]], base: str
              ) -> Dict[str, Dict[str, float]]:
    return {name: {one: value / values[base] if values[base] else 0
                   for one, value in values.items()}
            for name, values in found.items()}


def _paq(axis: Any, rows: inside.Rows) -> None:
    _bars(axis, inside.by(inside.of_part(rows, inside.PAQ), "workload",
                          inside.metric("bandwidth_mb_s")),
          inside.PAQ_SCHEDULERS, "MB/s (001, Figure 8)")


def _idle(axis: Any, rows: inside.Rows) -> None:
    found = inside.by(inside.of_part(rows, inside.PAQ), "workload",
                      inside.idle_seconds)
    _bars(axis, _relative(found, "vaq"), inside.PAQ_SCHEDULERS,
          "idle time, VAQ's 1 (Fig. 11)")


def _waiting(axis: Any, rows: inside.Rows) -> None:
    found = inside.by(inside.of_part(rows, inside.PAQ), "workload",
                      lambda row: inside.number(row, "contention_ms") +
                      inside.number(row, "queued_ms"))
    _bars(axis, _relative(found, "vaq"), inside.PAQ_SCHEDULERS,
          "waiting, VAQ's 1 (Fig. 12)")


def _lines(axis: Any, found: Dict[str, Dict[str, float]],
           lines: Sequence[str], across: str, label: str) -> None:
    values = [int(value) for value in found]
    for line in lines:
        axis.plot(values, [by[line] for by in found.values()], marker="o",
                  ms=3, label=line)
    axis.set_xscale("log", base=2)
    axis.set_xticks(values, [str(value) for value in values])
    axis.minorticks_off()
    axis.set_xlabel(across)
    axis.set_ylabel(label)
    axis.set_ylim(bottom=0)
    axis.legend(fontsize=6)


def _queue(name: str, label: str) -> Draw:
    def draw(axis: Any, rows: inside.Rows) -> None:
        _lines(axis, inside.by(inside.of_part(rows, inside.QUEUE),
                               "setting", inside.metric(name)),
               inside.PAQ_SCHEDULERS, "device queue (web1)", label)
    return draw


def _channels(axis: Any, rows: inside.Rows) -> None:
    _lines(axis, inside.by(inside.of_part(rows, inside.CHANNELS), "setting",
                           inside.metric("iops")),
           inside.PAQ_SCHEDULERS, "channels (web1)", "requests/s (Fig. 14)")


def _bound(axis: Any, rows: inside.Rows) -> None:
    """The longest wait by how long PAQ2 may pass over a request."""
    mine = [row for row in inside.of_part(rows, inside.BOUND)
            if row["scheduler"] == "paq2"]
    for name, label in (("all_max_us", "longest"), ("all_p99_us", "p99")):
        axis.plot([row["setting"].replace("0 ms", "none") for row in mine],
                  [inside.number(row, name) / 1e3 for row in mine],
                  marker="o", ms=3, label=label)
    axis.set_ylim(bottom=0)
    axis.set_xlabel("bound on being passed over (sql3, PAQ2)")
    axis.set_ylabel("ms")
    axis.legend(fontsize=6)


def _response(part: str, device: str) -> Draw:
    """Bars that exceed the axis are in the table of claims."""
    def draw(axis: Any, rows: inside.Rows) -> None:
        found = inside.by(inside.of_part(rows, part, device=device),
                          "workload", inside.metric("all_mean_us"))
        _bars(axis, _relative(found, "noop"), inside.HOSTS,
              f"{device}: response, noop's 1")
        axis.set_ylim(0, 2)
    return draw


def _recorded(axis: Any, rows: inside.Rows) -> None:
    _bars(axis, inside.by(inside.of_part(rows, inside.RECORDED,
                                         device="paq"), "workload",
                          inside.metric("bandwidth_mb_s")),
          inside.PAQ_SCHEDULERS, "MB/s, recorded requests")


def _distribution(device: str) -> Draw:
    """Of one workload: the maximum time of each share of the requests."""
    def draw(axis: Any, rows: inside.Rows) -> None:
        for row in inside.of_part(rows, inside.TRACES, device=device,
                                  workload="web2"):
            axis.plot([name.split("_")[1] for name in _LATENCIES],
                      [inside.number(row, name) / 1e3
                       for name in _LATENCIES],
                      marker="o", ms=3, label=row["scheduler"])
        axis.set_yscale("log")
        axis.set_ylabel(f"ms (web2 on {device})")
        axis.legend(fontsize=6)
    return draw


def _bursts(axis: Any, rows: inside.Rows) -> None:
    found = inside.by(inside.of_part(rows, inside.BURSTS), "setting",
                      inside.metric("all_mean_us"))
    _lines(axis, _relative(found, "noop"), inside.HOSTS,
           "requests at once (web2, x25-e)", "response, noop's 1")


def _partitions(axis: Any, rows: inside.Rows) -> None:
    found = inside.speed_ups(rows)
    for device, by in found.items():
        axis.plot(list(by), list(by.values()), marker="o", ms=3,
                  label=device)
    counts = sorted({count for by in found.values() for count in by})
    axis.plot(counts, counts, lw=0.8, color="black", label="so many times")
    axis.set_xticks(counts)
    axis.set_xlabel("devices that four partitions lie on")
    axis.set_ylabel("scan, times one device")
    axis.set_ylim(bottom=0)
    axis.legend(fontsize=6)


def _postmark(device: str) -> Draw:
    def draw(axis: Any, rows: inside.Rows) -> None:
        _lines(axis, inside.by(
            inside.of_part(rows, inside.POSTMARK, device=device), "setting",
            inside.metric("iops")), inside.HOSTS, "queue length",
            f"{device}: requests/s")
    return draw


def _pairs(device: str) -> Draw:
    def draw(axis: Any, rows: inside.Rows) -> None:
        found: Dict[str, Dict[str, float]] = {}
        for mode in ("plain", "daemon"):
            for (target, other), value in inside.slowdowns(
                    rows, device, mode).items():
                found.setdefault(f"{target} by {other}", {})[mode] = \
                    100 * value
        _bars(axis, found, ("plain", "daemon"),
              f"{device}: % longer than alone")
    return draw


def _collecting(axis: Any, rows: inside.Rows) -> None:
    mine = inside.of_part(rows, inside.COLLECTING)
    spare = [int(row["setting"]) for row in mine]
    every = range(min(spare), max(spare) + 1)
    axis.plot(every, [inside.write_amplification(value / 100)
                      for value in every], lw=0.8, color="black",
              label="theory")
    axis.plot(spare, [inside.number(row, "write_amplification")
                      for row in mine], ls="", marker="o", ms=4,
              label="simulated")
    axis.set_xlabel("over-provisioning, %")
    axis.set_ylabel("write amplification")
    axis.set_ylim(bottom=1)
    axis.legend(fontsize=7)


def _chunks(axis: Any, chunks: Sequence[int], label: str) -> None:
    axis.set_xscale("log", base=2)
    axis.set_xticks(list(chunks), [str(chunk) for chunk in chunks])
    axis.minorticks_off()
    axis.set_xlabel(label)
    axis.set_ylim(bottom=0)
    axis.legend(fontsize=6)


def _raid(device: str, load: str) -> Draw:
    def draw(axis: Any, rows: inside.Rows) -> None:
        found = inside.raid(rows, device, load)
        for depth in inside.RAID_DEPTHS:
            axis.plot(list(found), [by[depth] for by in found.values()],
                      marker="o", ms=3, label=f"depth {depth}")
        axis.set_ylabel(f"MB/s, four {device}")
        _chunks(axis, list(found), f"chunk, kB ({load})")
    return draw


def _raid_writes(device: str) -> Draw:
    def draw(axis: Any, rows: inside.Rows) -> None:
        for load in inside.WRITE_LOADS:
            found = inside.raid_writes(rows, device, load)
            axis.plot(list(found), list(found.values()), marker="o", ms=3,
                      label=load)
        axis.set_ylabel(f"MB/s, four {device}")
        _chunks(axis, list(found),
                f"chunk, kB (depth {inside.RAID_WRITE_DEPTH})")
    return draw


def _programs(device: str) -> Draw:
    def draw(axis: Any, rows: inside.Rows) -> None:
        for name, by in inside.program_speed_ups(rows, device).items():
            axis.plot(list(by), list(by.values()), marker="o", ms=3,
                      label=name)
        axis.set_xticks(inside.PROGRAM_DEVICES)
        axis.set_xlabel(f"{device}s of a RAID-0")
        axis.set_ylabel("bandwidth, one device 1")
        axis.set_ylim(bottom=0)
        axis.legend(fontsize=6)
    return draw


def _held(axis: Any, rows: inside.Rows) -> None:
    """Lists with writers: with held reads / without."""
    found: Dict[str, Dict[str, float]] = {}
    for device in inside.HELD_DEVICES:
        for load, by in inside.held(rows, device).items():
            if load.startswith("0 "):
                continue
            found[f"{device}, {load.split('rest ')[1]}"] = {
                what: by["1000"][place] / by["0"][place]
                for place, what in enumerate(("list", "wait p99"))}
    _bars(axis, found, ("list", "wait p99"), "held 1 ms, not held 1")
    axis.axhline(1, color="black", lw=0.8)


def _ahead(axis: Any, rows: inside.Rows) -> None:
    """Lists with writers: known eight depths ahead / two."""
    found: Dict[str, Dict[str, float]] = {}
    for device in inside.HELD_DEVICES:
        for load, by in inside.held(rows, device).items():
            if inside.NEAR in by:
                found[f"{device}, {load.split('rest ')[1]}"] = {
                    what: by["0"][place] / by[inside.NEAR][place]
                    for place, what in enumerate(("list", "wait p99"))}
    _bars(axis, found, ("list", "wait p99"), "8 depths ahead, 2 depths 1")
    axis.axhline(1, color="black", lw=0.8)


def _probing(axis: Any, rows: inside.Rows) -> None:
    names = list(dict.fromkeys(
        row["workload"] for row in inside.of_part(rows, inside.PROBING)))
    below = [0] * len(names)
    for outcome in inside.OUTCOMES:
        counts = [inside.outcomes(rows, name)[outcome] for name in names]
        axis.bar(names, counts, 0.5, bottom=below, label=outcome)
        below = [low + count for low, count in zip(below, counts)]
    axis.set_ylabel("devices probed")
    axis.legend(fontsize=6)


_PANELS: List[Tuple[str, Draw]] = [
    (inside.PAQ, _paq), (inside.PAQ, _idle), (inside.PAQ, _waiting),
    (inside.QUEUE, _queue("iops", "requests/s (Fig. 14)")),
    (inside.QUEUE, _queue("queue_wait_mean_us", "wait, us (Fig. 15)")),
    (inside.CHANNELS, _channels), (inside.BOUND, _bound),
    *((inside.TRACES, _response(inside.TRACES, device))
      for device in inside.DEVICES),
    *((inside.TRACES, _distribution(device)) for device in inside.DEVICES),
    *((inside.POSTMARK, _postmark(device)) for device in inside.DEVICES),
    (inside.BURSTS, _bursts), (inside.RECORDED, _recorded),
    *((inside.RECORDED, _response(inside.RECORDED, device))
      for device in inside.DEVICES),
    *((inside.PAIRS, _pairs(device)) for device in inside.PAIR_DEVICES),
    (inside.PARTITIONS, _partitions),
    (inside.COLLECTING, _collecting), (inside.HELD, _ahead),
    (inside.HELD, _held),
    (inside.PROBING, _probing)]


def _raid_panels(rows: inside.Rows) -> List[Draw]:
    """For each kind of device in an array."""
    def named(part: str) -> List[str]:
        return inside.raid_names(rows, part)
    return [_raid(device, load) for device in named(inside.RAID)
            for load in inside.RAID_LOADS] + [
        _raid_writes(device) for device in named(inside.RAID_WRITES)] + [
        _programs(device) for device in named(inside.PROGRAMS)]


def draw(result: Result, panels: Panels) -> Any:
    """The figure of all parts that were run."""
    have = {row["part"] for row in result.rows}
    shown = [panel for part, panel in _PANELS if part in have] + \
        _raid_panels(result.rows)
    figure, axes = panels(len(shown), 2.8)
    for axis, panel in zip(axes, shown):
        panel(axis, result.rows)
    return figure
