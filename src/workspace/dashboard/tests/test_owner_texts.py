"""Owners' pages mention settings and commands of the instance only to administrators."""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string
from django.test import RequestFactory

from workspace.accounts.models import Account
from workspace.dashboard.tests.test_content_security_policy import SOURCE, TEMPLATES

OPERATORS = re.compile(r"{% if request\.user\.is_operator %}.*?{% (?:else|endif) %}", re.DOTALL)
TECHNICAL = re.compile(r"WORKSPACE_|bin/(?:serve|workspace)|--lan")


OWNERS_OWN = [path for path in TEMPLATES if "operator_pages" not in path.parts]


def test_a_page_names_settings_and_commands_only_for_the_administrator() -> None:
    named = [path for path in OWNERS_OWN if TECHNICAL.search(OPERATORS.sub("", path.read_text()))]
    assert OWNERS_OWN
    assert [str(path.relative_to(SOURCE)) for path in named] == []


@pytest.mark.parametrize("part", ["no_places", "this_machine"])
def test_the_administrator_sees_what_to_do_and_an_owner_whom_to_ask(part: str, account: Account) -> None:
    request = RequestFactory().get("/")
    for is_operator in (False, True):
        request.user = account.owner
        request.user.is_operator = is_operator
        html = render_to_string(f"dashboard/parts/{part}.html", {"request": request})
        assert bool(TECHNICAL.search(html)) is is_operator
        assert ("The administrator" in html) is not is_operator
