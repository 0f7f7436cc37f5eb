from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from workspace.delivery.dav.tests.servers import LOOPBACK, PASSWORD, USER, Radicale, radicale
from workspace.delivery.models import AddressBook
from workspace.testing import Api


@pytest.fixture(autouse=True)
def _beside(settings: Any) -> None:
    settings.CALENDAR_NETWORKS = LOOPBACK


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Radicale]:
    with radicale(tmp_path) as found:
        found.make_book("people", "People")
        yield found


@pytest.fixture
def connect(api: Api, server: Radicale) -> Callable[..., AddressBook]:
    def made(**more: Any) -> AddressBook:
        api.run("svc_contacts_save", items=[{"url": server.url, "username": USER, "password": PASSWORD, **more}])
        return AddressBook.objects.get()

    return made
