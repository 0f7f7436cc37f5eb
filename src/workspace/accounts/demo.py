"""Sample data for a demo account.

Packages above register functions that create it. Their pictures are in `demo_pictures`, with a NOTICE of their sources.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from workspace.accounts.models import Account, Upload
from workspace.storage.files.images import ImageData, normalize_own_image

EMAIL = "demo@example.com"  # this address cannot receive email, so only an administrator can verify it
NAME = "Café Morgenrot"
TIME_ZONE = "Europe/Vienna"
PICTURE_FOLDER = Path(__file__).parent / "demo_pictures"
_fillers: list[Callable[[Account], None]] = []


def register_filler(filler: Callable[[Account], None]) -> None:
    """Register a function that creates sample data. Call it in `AppConfig.ready`."""
    _fillers.append(filler)


def prepare_pictures() -> None:
    """Render the pictures before the transaction of `fill_account`. It takes a second or two."""
    for path in PICTURE_FOLDER.glob("*.webp"):
        _load_picture(path.stem)


def fill_account(account: Account) -> None:
    for filler in _fillers:
        filler(account)


def create_image(account: Account, name: str) -> str:
    """Create an upload of the picture with this name and return its id."""
    return Upload.create_image(account, _load_picture(name)).pk


def find_account() -> Account | None:
    """Return the demo account of this instance, or None. Run one query."""
    proven = {"memberships__person__emailaddress__email": EMAIL, "memberships__person__emailaddress__verified": True}
    return Account.objects.filter(**proven, banned_at=None).order_by("memberships__id").first()


def growth_factor(day: int) -> float:
    """Return the relative number of visits on a day since the first. The number grows by 20% each week."""
    return 0.55 * 1.028**day


@lru_cache(maxsize=64)
def _load_picture(name: str) -> ImageData:
    return normalize_own_image((PICTURE_FOLDER / f"{name}.webp").read_bytes())
