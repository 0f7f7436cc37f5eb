from workspace.interfaces.server.cpu_usage import Company


class Clock:
    """Stands still until it is set."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def in_company() -> Company:
    """Somebody else has just been there, and the clock stands still."""
    company = Company(Clock())
    company.note("one")
    company.note("another")
    return company
