from __future__ import annotations

import pytest
from django.test import Client


@pytest.fixture
def guest() -> Client:
    return Client(headers={"user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile Safari/604.1"})
