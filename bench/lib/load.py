"""Loads the Star Schema Benchmark into the scratch server, once.

The data itself comes from bench/ssb's generator or from reference .tbl files.
This module decides whether a load is necessary and fits, and cleans up after a
failed one.
"""

from __future__ import annotations

import glob
import hashlib
import os
import shutil
import time
from dataclasses import dataclass
from typing import Dict, List, Optional

from . import build, process
from .errors import UserError
from .progress import Progress
from .server import DATABASE, Server

SSB = os.path.join(build.TOP, "bench", "ssb")
SEED = 1
OWN = "own"                 # the machine's device, among those to calibrate
_BYTES_PER_SCALE = 1.3e9    # tables, indexes, and room to build them
_BYTES_AT_LEAST = 0.35e9    # an empty cluster with its log
_DATA_FACTOR = 2.2          # the same, for each byte of .tbl file
_DAY = 24 * 3600


def _tables_in(directory: str) -> List[str]:
    """Table files; large ones come in parts, lineorder.tbl.1 and so on."""
    return sorted(glob.glob(os.path.join(directory, "*.tbl")) +
                  glob.glob(os.path.join(directory, "*.tbl.[0-9]*")))


@dataclass(frozen=True)
class Source:
    """What to load: a scale factor, or a directory of .tbl files."""

    scale: float
    directory: Optional[str] = None

    @classmethod
    def of_directory(cls, directory: str) -> Source:
        """A directory with reference data, whose rows are not read."""
        path = os.path.abspath(directory)
        if not os.path.isdir(path):
            raise UserError(f"--data {directory}: there is no such "
                            "directory. Give the one that holds the .tbl "
                            "files of the reference generator.")
        if not _tables_in(path):
            raise UserError(f"--data {directory}: holds no .tbl file. Give "
                            "the directory the reference generator wrote "
                            "to.")
        return cls(0.0, path)

    def _files(self) -> Dict[str, list]:
        assert self.directory is not None
        stats = [(path, os.stat(path))
                 for path in _tables_in(self.directory)]
        return {os.path.basename(path): [info.st_size, info.st_mtime_ns]
                for path, info in stats}

    def identity(self) -> dict:
        """Equal for loads with the same data."""
        if self.directory is None:
            return {"scale": self.scale, "seed": SEED}
        return {"directory": self.directory, "files": self._files()}

    def bytes_needed(self) -> float:
        if self.directory is None:
            return _BYTES_AT_LEAST + self.scale * _BYTES_PER_SCALE
        size = sum(entry[0] for entry in self._files().values())
        return _BYTES_AT_LEAST + size * _DATA_FACTOR

    def __str__(self) -> str:
        if self.directory is None:
            return f"scale {self.scale:g}"
        return self.directory


@dataclass(frozen=True)
class Nothing(Source):
    """An empty cluster: a scenario has its own tables, and none of SSB's."""

    scale: float = 0.0

    def identity(self) -> dict:
        return {"empty": True}

    def bytes_needed(self) -> float:
        return _BYTES_AT_LEAST

    def __str__(self) -> str:
        return "an empty database"


def _schema_hash() -> str:
    digest = hashlib.sha256()
    for name in ("schema.sql", "indexes.sql"):
        with open(os.path.join(SSB, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()[:16]


def _identity(source: Source, server: Server) -> dict:
    return {"source": source.identity(), "schema": _schema_hash(),
            "server": server.major}


def is_loaded(server: Server, source: Source) -> bool:
    """Is the scratch data this source's, loaded completely?"""
    return server.scratch.stamp().get("identity") == _identity(source, server)


def check_space(server: Server, source: Source) -> None:
    """Refuses a load that cannot fit, before starting it."""
    scratch = server.scratch
    if is_loaded(server, source):
        return
    need = source.bytes_needed()
    free = shutil.disk_usage(scratch.path).free + scratch.data_bytes()
    if free < need:
        raise UserError(
            f"loading {source} needs about {need / 1e9:.1f} GB in "
            f"{scratch.path}, and {free / 1e9:.1f} GB are free there. Free "
            "some, take a smaller --scale, or set SSDPAR_SCRATCH to a "
            "larger disk.")


def _fill(server: Server, source: Source, progress: Progress) -> None:
    """Runs the loader, which shows its own progress and message."""
    command = [build.ssbload(server.where)]
    if source.directory is None:
        command += ["--scale", f"{source.scale:g}", "--seed", str(SEED),
                    "--jobs", str(os.cpu_count() or 1)]
    else:
        command += ["--data", source.directory]
    progress.say(f"loading {source}")
    with progress.paused():
        result = server.where.run(command + [server.conninfo], show=True)
    if result.status != 0:
        raise UserError(
            f"loading {source} failed, for the reason told above; the "
            "scratch server is stopped and its half-made data removed."
            + _full_disk(server))


def _full_disk(server: Server) -> str:
    """A full disk can stop the server before the loader gets the reason."""
    if "No space left on device" in server.log_tail(40):
        return (" The disk is full: free some space, take a smaller "
                "--scale, or set SSDPAR_SCRATCH to a larger disk.")
    return ""


def _load_tables(server: Server, source: Source, progress: Progress) -> None:
    server.sql_file(os.path.join(SSB, "schema.sql"))
    _fill(server, source, progress)
    try:
        with progress.step("building indexes"):
            server.sql_file(os.path.join(SSB, "indexes.sql"))
        with progress.step("VACUUM (FREEZE, ANALYZE), CHECKPOINT"):
            server.sql("VACUUM (FREEZE, ANALYZE);")
            server.sql("CHECKPOINT;")
    except UserError as error:
        raise UserError(f"{error}{_full_disk(server)}") from None


def _load(server: Server, source: Source, progress: Progress) -> None:
    with progress.step("making a scratch server"):
        server.create()
        server.start()
        server.sql(f"CREATE DATABASE {DATABASE}", "postgres")
    if not isinstance(source, Nothing):
        _load_tables(server, source, progress)
    scratch = server.scratch
    scratch.write_stamp({"identity": _identity(source, server),
                         "source": str(source), "complete": True,
                         "loaded_at": time.time()})


def ensure_loaded(server: Server, source: Source,
                  progress: Progress) -> None:
    """Loads unless the same data is there; leaves the server running.

    A load that fails or is interrupted leaves no data behind.
    """
    scratch = server.scratch
    if is_loaded(server, source):
        progress.say(f"{source} is loaded already")
        with progress.step("starting the scratch server"):
            server.start()
        return
    try:
        scratch.remove_data()
        _load(server, source, progress)
    except BaseException:
        with process.held():
            server.stop()
            scratch.remove_data()
        raise


def ensure_extension(server: Server, progress: Progress) -> None:
    """CREATE EXTENSION; again if its script has changed since."""
    stamp = server.scratch.stamp()
    version = build.extension_version()
    if stamp.get("extension") == version:
        return
    with progress.step("CREATE EXTENSION ssdpar"):
        server.sql("DROP EXTENSION IF EXISTS ssdpar CASCADE;"
                   "CREATE EXTENSION ssdpar;")
    stamp.pop("calibrated_at", None)
    stamp["extension"] = version
    server.scratch.write_stamp(stamp)


def _profile_fits(server: Server) -> bool:
    """An emulated device's number can change each time."""
    return server.sql("SELECT count(*) FROM ssdpar.device_summary WHERE "
                      "tablespace = 'pg_default' AND problem IS NULL") == "1"


def ensure_calibrated(server: Server, again: bool, progress: Progress,
                      device: str = OWN) -> None:
    """Measures the device, unless that was done within a day.

    There is one profile, so another device's, an emulated one's, replaces it.
    """
    stamp = server.scratch.stamp()
    age = time.time() - stamp.get("calibrated_at", 0)
    known = stamp.get("calibrated_device", OWN) == device
    if not again and known and 0 <= age < _DAY and _profile_fits(server):
        progress.say(f"the device was measured {age / 3600:.1f} hours ago "
                     "(--calibrate measures it again)")
        return
    with progress.step("measuring the device (ssdpar.calibrate)"):
        compiles = server.sql("SET jit = on; SELECT pg_jit_available()") == "t"
        server.sql(f"SET jit = {'on' if compiles else 'off'}; "
                   "SELECT * FROM ssdpar.calibrate('pg_default');")
    stamp["calibrated_at"] = time.time()
    stamp["calibrated_device"] = device
    server.scratch.write_stamp(stamp)
