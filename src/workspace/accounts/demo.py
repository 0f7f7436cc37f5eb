"""What a demo account is filled with: each room above registers a function that makes something worth looking at. The
pictures that they take are in `demo_pictures`, with a NOTICE of where they are from."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from workspace.accounts.models import Account, Upload
from workspace.storage.files.images import ImageData, normalize_own_image

EMAIL = "demo@example.com"  # nobody can have a mail sent there, so only an operator can prove it
NAME = "Café Morgenrot"
TIME_ZONE = "Europe/Vienna"
PICTURE_FOLDER = Path(__file__).parent / "demo_pictures"
_fillers: list[Callable[[Account], None]] = []


def register_filler(filler: Callable[[Account], None]) -> None:
    """Called by an AppConfig.ready."""
    _fillers.append(filler)


def prepare_pictures() -> None:
    """Draw the pictures, before the write in which `fill_account` keeps them. Takes a second or two."""
    for path in PICTURE_FOLDER.glob("*.webp"):
        _load_picture(path.stem)


def fill_account(account: Account) -> None:
    for filler in _fillers:
        filler(account)


def create_image(account: Account, name: str) -> str:
    """The id of a new upload of the picture by this name, to be taken into use."""
    return Upload.create_image(account, _load_picture(name)).pk


def find_account() -> Account | None:
    """The demo, where an operator has filled one in. One query."""
    proven = {"memberships__person__emailaddress__email": EMAIL, "memberships__person__emailaddress__verified": True}
    return Account.objects.filter(**proven, banned_at=None).order_by("memberships__id").first()


def growth_factor(day: int) -> float:
    """How many more guests come on a day, counted from the first, since word gets round: a fifth more each week."""
    return 0.55 * 1.028**day


@lru_cache(maxsize=64)
def _load_picture(name: str) -> ImageData:
    return normalize_own_image((PICTURE_FOLDER / f"{name}.webp").read_bytes())
