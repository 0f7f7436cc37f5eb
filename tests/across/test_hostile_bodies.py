"""A body made to be slow: judged in time that grows with its length, and not at all when it is too long."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from workspace.toolkit import json as strict
from workspace.toolkit.errors import InvalidInput


def test_a_name_that_is_repeated_among_many_is_found_at_once() -> None:
    # looking at each name again for each name would take hours, and the time limit of a test ends that
    names = ",".join(f'"k{number}":1' for number in range(300_000))
    with pytest.raises(InvalidInput) as refused:
        strict.parse(f'{{{names},"k299999":2}}'.encode())
    assert refused.value.issues[0].path == "k299999"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/pair/start", "/pair/token"])
def test_a_program_that_nobody_knows_may_send_a_short_body_only(path: str) -> None:
    body = json.dumps({"name": "Command line", "device_code": "x", "more": "x" * 1_000_000})
    response = Client().post(path, body, content_type="application/json")
    assert response.status_code == 413
