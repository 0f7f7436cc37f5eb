"""Each landmark of the account page has a unique id and name."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from django.test import Client

from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


def test_ids_and_names_of_landmarks_are_unique(api: Api) -> None:
    client = Client()
    client.force_login(api.account.owner)
    html = client.get("/app/account").content.decode()
    ids = Counter(re.findall(r'\sid="([^"]+)"', html))
    assert [id for id, count in ids.items() if count > 1] == []
    named = re.findall(r'<section[^>]*aria-labelledby="([^"]+)"', html)
    titles = [re.search(rf'id="{id}"[^>]*>([^<]+)<', html) for id in named]
    names = Counter(title[1].strip() for title in titles if title)
    assert len(names) == len(named) > 5 and set(names.values()) == {1}
