"""How a second implementation refuses what it reads."""

import contextlib


class Refused(Exception):
    """Carries the name of the rule."""


@contextlib.contextmanager
def refusing(rule, *faults):
    """Refuses by this rule whatever is refused, or fails in one of these ways."""
    try:
        yield
    except (Refused, *faults):
        raise Refused(rule) from None
