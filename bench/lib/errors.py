"""Errors meant for the person at the keyboard.

A UserError's text is the whole message: what happened, what it means, what
to do.  Anything else that escapes is a defect and shows its traceback.
"""


class UserError(Exception):
    """Ends the program with one message and exit status 1."""


class UsageError(UserError):
    """A UserError about the command line: exit status 2."""


class Interrupted(BaseException):
    """A signal asked the program to end.

    Not an Exception, so that no handler for ordinary errors swallows it.
    """

    def __init__(self, signum: int) -> None:
        super().__init__(signum)
        self.signum = signum
