"""The system calls that daemon/ssdpard.service allows, as a seccomp filter.

systemd knows the members of its sets (@system-service), and the filter is
applied to a process as systemd would.  x86-64 only, because other
architectures have other numbers.
"""
import ctypes
import os
import platform
import re
import shutil
import struct
import subprocess

UNIT = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                    "..", "..", "daemon", "ssdpard.service")
_NUMBERS = "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"
_PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _MODE_FILTER = 22, 38, 2
_LOAD, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _REFUSE, _EPERM = 0x7fff0000, 0x00050000, 1


def can_be_had():
    return (platform.machine() == "x86_64" and os.path.exists(_NUMBERS) and
            shutil.which("systemd-analyze") is not None)


def _sets():
    """The names in each set, which include other sets."""
    text = subprocess.run(["systemd-analyze", "syscall-filter", "--no-pager"],
                          check=True, capture_output=True, text=True).stdout
    sets = {}
    for part in re.split(r"^(?=@)", text, flags=re.M)[1:]:
        name, *lines = part.split("\n\n")[0].splitlines()
        sets[name] = {line.strip() for line in lines
                      if not line.strip().startswith("#")}
    return sets


def _names(word, sets):
    if not word.startswith("@"):
        return {word}
    return set().union(*(_names(one, sets) for one in sets[word] if one))


def allowed():
    """Names, from the unit's lines in their order; ~ removes some."""
    sets = _sets()
    names = set(_names("@default", sets))
    with open(UNIT, encoding="utf-8") as unit:
        lines = re.findall(r"^SystemCallFilter=(~?)(.*)$", unit.read(), re.M)
    for without, words in lines:
        for word in words.split():
            if without:
                names -= _names(word, sets)
            else:
                names |= _names(word, sets)
    return names


def _filter(names):
    with open(_NUMBERS, encoding="utf-8") as file:
        numbers = dict(re.findall(r"#define __NR_(\w+) (\d+)", file.read()))
    # old headers lack system calls of newer kernels
    numbers.setdefault("cachestat", "451")
    steps = [struct.pack("HBBI", _LOAD, 0, 0, 0)]
    for name in sorted(names & set(numbers)):
        steps.append(struct.pack("HBBI", _JUMP_IF_EQUAL, 0, 1,
                                 int(numbers[name])))
        steps.append(struct.pack("HBBI", _RETURN, 0, 0, _ALLOW))
    steps.append(struct.pack("HBBI", _RETURN, 0, 0, _REFUSE | _EPERM))
    return steps


def putter(names):
    """A function that applies the filter to its process and its children."""
    steps = _filter(names)
    code = ctypes.create_string_buffer(b"".join(steps))
    program = ctypes.create_string_buffer(
        struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)

    def put():
        if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or \
                libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, program) != 0:
            raise OSError(ctypes.get_errno(), "no seccomp filter")
        assert code
    return put
