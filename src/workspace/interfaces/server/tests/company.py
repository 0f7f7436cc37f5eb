from workspace.interfaces.server.cpu_usage import CallerMonitor


class Clock:
    """Stands still until it is set."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def in_company() -> CallerMonitor:
    """Somebody else has just been there, and the clock stands still."""
    company = CallerMonitor(Clock())
    company.record_caller("one")
    company.record_caller("another")
    return company
