"""Files in a directory that another user may write to.

The scratch directory belongs to the server's user, and root may be working in
it: a name there may have become a link to a file of root's.
"""

from __future__ import annotations

import os
from typing import IO

from .errors import UserError
from .process import User


def _refused(path: str, error: OSError) -> UserError:
    if os.path.islink(path):
        return UserError(f"{path} is a link, which somebody has put there. "
                         "Look into the scratch directory, and remove it.")
    return UserError(f"{path} cannot be used: {error.strerror}.")


def open_own(path: str) -> int:
    """A descriptor to read and write, made if need be; a link is refused."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise _refused(path, error) from None


def replace(path: str) -> IO[str]:
    """The same as a file to write, emptied."""
    fd = open_own(path)
    os.ftruncate(fd, 0)
    return os.fdopen(fd, "w")


def give_directory(path: str, user: User) -> None:
    """To its user alone; a link is refused."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        raise _refused(path, error) from None
    try:
        os.fchmod(fd, 0o700)
        os.fchown(fd, user.uid, user.gid)
    finally:
        os.close(fd)
