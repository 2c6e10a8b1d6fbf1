"""Files in a directory that another user may write to.

The scratch directory belongs to the server's user, and root may be working in
it, so a name there may have become a link to a file of root's.  A directory
that root fills belongs to root alone until then, and is given away at the end.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from typing import IO, Iterator

from .errors import UserError
from .process import User


def _refused(path: str, error: OSError) -> UserError:
    if os.path.islink(path):
        return UserError(f"{path} is a link, which somebody has put there. "
                         "Look into the scratch directory, and remove it.")
    return UserError(f"{path} cannot be used: {error.strerror}.")


def open_own(path: str) -> int:
    """A descriptor to read and write, created if necessary; a link is refused.
    """
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise _refused(path, error) from None


def replace(path: str, mode: str = "w", permissions: int = 0o600) -> IO:
    """The same as a file to write, emptied."""
    fd = open_own(path)
    os.ftruncate(fd, 0)
    os.fchmod(fd, permissions)
    return os.fdopen(fd, mode)


@contextlib.contextmanager
def _directory(path: str) -> Iterator[int]:
    """A descriptor of one; a link is refused."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        raise _refused(path, error) from None
    try:
        yield fd
    finally:
        os.close(fd)


def new_directory(path: str) -> None:
    """An empty one that only we can access, replacing an existing one."""
    shutil.rmtree(path, ignore_errors=True)
    try:
        os.mkdir(path, 0o700)
    except OSError as error:
        raise _refused(path, error) from None


def keep_directory(path: str) -> None:
    """One of ours that others may enter, created if necessary."""
    with contextlib.suppress(FileExistsError):
        os.mkdir(path)
    with _directory(path) as fd:
        if os.fstat(fd).st_uid != os.geteuid():
            raise UserError(f"{path} is another user's. Look into the scratch "
                            "directory, and remove it.")
        os.fchmod(fd, 0o755)


def give_directory(path: str, user: User) -> None:
    """Only for its user; a link is refused."""
    with _directory(path) as fd:
        os.fchmod(fd, 0o700)
        os.fchown(fd, user.uid, user.gid)


def make_directory(path: str, user: User) -> None:
    """The same, created if necessary."""
    with contextlib.suppress(FileExistsError):
        os.mkdir(path, 0o700)
    give_directory(path, user)


def give_all(path: str, user: User) -> None:
    """A new directory and its contents; others cannot enter before."""
    for directory, folders, names in os.walk(path):
        for name in folders + names:
            os.chown(os.path.join(directory, name), user.uid, user.gid,
                     follow_symlinks=False)
    give_directory(path, user)
