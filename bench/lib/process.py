"""Child processes and signals.

Every program that these scripts start goes through here, so that Ctrl-C at any
moment first ends the child and then unwinds through the callers' cleanup.  It
does not matter whether it is a server, a compiler or a client.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pwd
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import IO, Callable, Iterator, List, Mapping, Optional, Sequence

from .errors import Interrupted, UserError

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_GRACE_SECONDS = 10
_PR_SET_PDEATHSIG = 1           # of linux/prctl.h

_held = 0
_pending: Optional[int] = None


@dataclass(frozen=True)
class User:
    """The user of a child."""

    name: str
    uid: int
    gid: int

    @classmethod
    def named(cls, name: str) -> User:
        entry = pwd.getpwnam(name)
        return cls(name, entry.pw_uid, entry.pw_gid)

    @classmethod
    def current(cls) -> User:
        entry = pwd.getpwuid(os.geteuid())
        return cls(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _on_signal(signum: int, _frame: object) -> None:
    global _pending
    if _held:
        _pending = signum
        return
    raise Interrupted(signum)


def install_handlers() -> None:
    """Turns the signals that request an end into Interrupted."""
    for signum in _SIGNALS:
        signal.signal(signum, _on_signal)


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Delays signals during a step that must be completed.

    Examples are starting and stopping a server or installing packages; if
    interrupted, they would leave something unknown behind.
    """
    global _held, _pending
    _held += 1
    try:
        yield
    finally:
        _held -= 1
        if not _held and _pending is not None:
            signum, _pending = _pending, None
            raise Interrupted(signum)


def clean_environment(extra: Optional[Mapping[str, str]] = None) -> dict:
    """The caller's environment without variables that redirect psql."""
    env = {k: v for k, v in os.environ.items()
           if not k.startswith("PG") or k == "PG_CONFIG"}
    env.pop("MAKEFLAGS", None)
    env.update({"LC_ALL": "C.UTF-8", "TZ": "UTC"})
    env.update(extra or {})
    return env


def _end(child: subprocess.Popen) -> None:
    """Ends a child and waits for it."""
    if child.poll() is not None:
        return
    child.terminate()
    try:
        child.wait(_GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _ignore_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _identity(user: Optional[User]) -> dict:
    if user is None or user.uid == os.geteuid():
        return {}
    groups = os.getgrouplist(user.name, user.gid)
    return {"user": user.uid, "group": user.gid, "extra_groups": groups,
            "cwd": "/"}


@dataclass(frozen=True)
class Result:
    """How a child ended, and its output."""

    status: int
    out: str
    err: str

    def last_words(self, lines: int = 12) -> str:
        """The end of its output, stderr by preference."""
        text = self.err.strip() or self.out.strip() or "(it said nothing)"
        return "\n".join(text.splitlines()[-lines:])


def run(command: Sequence[str], *, user: Optional[User] = None,
        stdin: Optional[str] = None, show: bool = False,
        own_session: bool = False, deaf: bool = False, merge: bool = False,
        env: Optional[Mapping[str, str]] = None,
        cwd: Optional[str] = None) -> Result:
    """Runs a program to its end.

    show lets it use our stderr; merge redirects its stderr to its output;
    own_session protects it from a terminal's Ctrl-C, and so does deaf, which
    leaves it the terminal.
    """
    options = _identity(user)
    if cwd is not None:
        options["cwd"] = cwd
    stderr: Optional[int] = subprocess.PIPE
    if show:
        stderr = None
    elif merge:
        stderr = subprocess.STDOUT
    try:
        child = subprocess.Popen(
            list(command), text=True, errors="replace",
            stdin=subprocess.PIPE if stdin is not None
            else subprocess.DEVNULL,
            stdout=sys.stderr.fileno() if show else subprocess.PIPE,
            stderr=stderr, start_new_session=own_session,
            preexec_fn=_ignore_interrupt if deaf else None,
            env=clean_environment(env), **options)
    except FileNotFoundError:
        raise UserError(f"the program {command[0]} is missing.") from None
    try:
        out, err = child.communicate(stdin)
    except BaseException:
        with held():
            _end(child)
        raise
    return Result(child.returncode, out or "", err or "")


def check(command: Sequence[str], what: str, **options) -> Result:
    """Runs a program; a failure is a single message for the user."""
    result = run(command, **options)
    if result.status != 0:
        raise UserError(f"{what} failed (exit status {result.status}). "
                        f"It said:\n{result.last_words()}")
    return result


def _text_file(text: str = "") -> IO[str]:
    file = tempfile.TemporaryFile("w+", errors="replace")
    file.write(text)
    file.seek(0)
    return file


def _all_of(file: IO[str]) -> str:
    file.seek(0)
    return file.read()


def together(commands: Sequence[Sequence[str]], inputs: Sequence[str]
             ) -> List[Result]:
    """Runs programs concurrently, each to its end and with a text to read."""
    children: List[subprocess.Popen] = []
    with contextlib.ExitStack() as stack:
        files = [[stack.enter_context(_text_file(text)) for text in
                  (given, "", "")] for given in inputs]
        try:
            for command, (stdin, out, err) in zip(commands, files):
                with held():
                    children.append(subprocess.Popen(
                        list(command), stdin=stdin, stdout=out, stderr=err,
                        preexec_fn=dying_with_us(),
                        env=clean_environment()))
            for child in children:
                child.wait()
        finally:
            with held():
                for child in children:
                    _end(child)
        return [Result(child.returncode, _all_of(out), _all_of(err))
                for child, (_, out, err) in zip(children, files)]


def pipe(producer: Sequence[str], consumer: Sequence[str], what: str) -> None:
    """Pipes one program into another; a failure of either is one message."""
    children: List[subprocess.Popen] = []
    try:
        for command in (producer, consumer):
            children.append(subprocess.Popen(
                list(command), text=True, errors="replace",
                stdin=children[0].stdout if children else subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env=clean_environment()))
        assert children[0].stdout is not None
        children[0].stdout.close()      # so that it notices the other's end
        children[0].stdout = None
        # The second one's message is the reason, if the first is ended by it.
        said = [child.communicate()[1] for child in reversed(children)]
    except FileNotFoundError as error:
        raise UserError(f"the program {error.filename} is missing.") from None
    finally:
        with held():
            for child in children:
                _end(child)
    for child, words in zip(reversed(children), said):
        if child.returncode != 0:
            raise UserError(f"{what} failed (exit status "
                            f"{child.returncode}). It said:\n"
                            f"{words.strip()}")


def dying_with_us() -> Callable[[], None]:
    """For preexec_fn: the child is asked to end when we are killed.

    Then only its own cleanup runs, not ours.
    """
    libc, parent = ctypes.CDLL(None), os.getpid()

    def ask() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:      # killed before the request
            os.kill(os.getpid(), signal.SIGTERM)
    return ask


class Background:
    """A program that runs until it is ended, with everything it has started.

    It has a separate session, so a terminal's Ctrl-C does not reach it; the
    code that starts it ends it, in a finally.
    """

    def __init__(self, command: Sequence[str], stdin: str = "",
                 env: Optional[Mapping[str, str]] = None) -> None:
        self._input = tempfile.TemporaryFile("w+")
        self._input.write(stdin)
        self._input.seek(0)
        self._errors = tempfile.TemporaryFile("w+")
        with held():
            self._child = subprocess.Popen(
                list(command), stdin=self._input, stdout=subprocess.DEVNULL,
                stderr=self._errors, start_new_session=True,
                preexec_fn=dying_with_us(), env=clean_environment(env))

    def ended(self) -> Optional[str]:
        """Its last output if it has ended; None if it runs."""
        if self._child.poll() is None:
            return None
        self._errors.seek(0)
        words = self._errors.read().strip().splitlines()[-3:]
        return " ".join(words) or f"exit status {self._child.returncode}"

    def end(self) -> None:
        with held():
            for signum in (signal.SIGTERM, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self._child.pid, signum)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._child.wait(_GRACE_SECONDS)
                    break
        self._input.close()
        self._errors.close()
