"""Errors for the user.

A UserError's text is the whole message: what happened, what it means, what to
do.  Other exceptions are defects and show their traceback.
"""


class UserError(Exception):
    """Ends the program with one message and exit status 1."""


class UsageError(UserError):
    """A UserError about the command line: exit status 2."""


class Interrupted(BaseException):
    """A signal asked the program to end.

    Not an Exception, so that no handler for ordinary errors catches it.
    """

    def __init__(self, signum: int) -> None:
        super().__init__(signum)
        self.signum = signum
