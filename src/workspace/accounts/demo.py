"""What a demo account is filled with: each room above registers a function that makes something worth looking at. The
pictures that they take are in `demo_pictures`, with a NOTICE of where they are from."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from workspace.accounts.models import Account, Upload
from workspace.storage.files.images import Picture, drawn_here

EMAIL = "demo@example.com"  # nobody can have a mail sent there, so only an operator can prove it
NAME = "Café Morgenrot"
TIME_ZONE = "Europe/Vienna"
PICTURES = Path(__file__).parent / "demo_pictures"
_fillers: list[Callable[[Account], None]] = []


def register(filler: Callable[[Account], None]) -> None:
    """Called by an AppConfig.ready."""
    _fillers.append(filler)


def prepare() -> None:
    """Draw the pictures, before the write in which `fill` keeps them. Takes a second or two."""
    for path in PICTURES.glob("*.webp"):
        _drawn(path.stem)


def fill(account: Account) -> None:
    for filler in _fillers:
        filler(account)


def picture(account: Account, name: str) -> str:
    """The id of a new upload of the picture by this name, to be taken into use."""
    return Upload.keep(account, _drawn(name)).pk


def account() -> Account | None:
    """The demo, where an operator has filled one in. One query."""
    proven = {"memberships__person__emailaddress__email": EMAIL, "memberships__person__emailaddress__verified": True}
    return Account.objects.filter(**proven, banned_at=None).order_by("memberships__id").first()


def growth(day: int) -> float:
    """How many more guests come on a day, counted from the first, since word gets round: a fifth more each week."""
    return 0.55 * 1.028**day


@lru_cache(maxsize=64)
def _drawn(name: str) -> Picture:
    return drawn_here((PICTURES / f"{name}.webp").read_bytes())
