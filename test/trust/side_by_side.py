"""Concurrent jobs, one process each; they end together, however one of them
ends."""

from __future__ import annotations

import os
import signal
import sys
from typing import Callable, Dict, Sequence, Set

from lib import process
from lib.errors import Interrupted, UserError

Job = Callable[[], int]

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _words(job: Job, signals: Set[int]) -> str:
    """The job's result, or a message for the user."""
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, signals)
        return str(job())
    except UserError as error:
        return f"!{error}"
    except Interrupted:
        return ""
    except BaseException:       # pylint: disable=broad-except
        sys.excepthook(*sys.exc_info())
        return "!a job failed; what it said is above."


def _fork(job: Job, running: Dict[int, int]) -> None:
    """No signal unwinds our stack in the child, or hides the child from us."""
    die_with_us = process.dying_with_us()
    signals = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            die_with_us()
            words = _words(job, signals)
            sys.stdout.flush()
            os.write(theirs, words.encode()[:4096])     # the limit of a pipe
        finally:
            os._exit(0)
    os.close(theirs)
    running[pid] = ours
    signal.pthread_sigmask(signal.SIG_SETMASK, signals)


def _result(said: int) -> int:
    with os.fdopen(said, encoding="utf-8", errors="replace") as file:
        text = file.read()
    if not text.isdigit():
        raise UserError(text[1:] or "a job was ended from outside.")
    return int(text)


def run(jobs: Sequence[Job]) -> int:
    """The sum of their results.  A job that fails ends the others."""
    running: Dict[int, int] = {}    # their pids, and pipes with their results
    sys.stdout.flush()
    try:
        for job in jobs:
            _fork(job, running)
        total = 0
        while running:
            pid, _ = os.wait()
            total += _result(running.pop(pid))
        return total
    finally:
        with process.held():
            for pid in running:
                os.kill(pid, signal.SIGTERM)
            for pid, said in running.items():
                os.waitpid(pid, 0)
                os.close(said)
