from workspace.interfaces.server.cpu_usage import CallerMonitor


class Clock:
    """A clock that shows the time a test sets."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def in_company() -> CallerMonitor:
    """Return a monitor that has just seen two callers, with a fixed clock."""
    company = CallerMonitor(Clock())
    company.record_caller("one")
    company.record_caller("another")
    return company
