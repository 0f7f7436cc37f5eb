"""Demo data: the waiver of a café with kayak tours, signed by a mother for two children."""

from __future__ import annotations

from typing import Any

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.waiver.domain import signings
from workspace.products.waiver.domain.signings import SigningContext
from workspace.products.waiver.models import Waiver
from workspace.products.waiver.rules.definition_input import parse_clauses, parse_questions

_SAMPLE_TEXT = """I take part in a tour in single kayaks. It stays in sight of the bank and takes an hour and a half.

- I will keep the life jacket that I get on.
- I can swim 200 meters.
- If the weather changes, the guide decides whether the tour continues."""
_SAMPLE_CLAUSES = [
    {
        "title": "Risk",
        "text": "I understand that kayaking carries a risk of injury and drowning. The kayak may turn over, and the "
        "water is cold.",
        "initials": True,
    },
    {
        "title": "Photos and videos",
        "text": "I agree that photos of me may be shown on your website.",
        "initials": True,
        "required": False,
    },
]
_SAMPLE_QUESTIONS = [
    {"key": "emergency", "label": "Who should we call in an emergency?", "required": True},
    {"label": "Is there anything we should know?", "type": "long_text", "flag": True},
]


def fill_account(account: Account) -> None:
    if account.waivers.exists():
        return
    waiver = Waiver.create_waiver(
        account,
        title="Kayak trip on the river",
        text=_SAMPLE_TEXT,
        clauses=parse_clauses(_SAMPLE_CLAUSES)[0],
        questions=parse_questions(_SAMPLE_QUESTIONS)[0],
    )
    year = clock.today(account.time_zone).year
    family: dict[str, Any] = {
        "signer": {"name": "Amira Said", "email": "amira@example.net", "birth_date": f"{year - 38}-04-12"},
        "signer_participates": True,
        "participants": [
            {"name": "Noor Said", "birth_date": f"{year - 12}-09-02", "relationship": "Mother"},
            {"name": "Sami Said", "birth_date": f"{year - 9}-02-20", "relationship": "Mother"},
        ],
    }
    alone: dict[str, Any] = {
        "signer": {"name": "Ben Okafor", "email": "ben@example.org", "birth_date": f"{year - 29}-07-01"}
    }
    for number, who in enumerate((family, alone)):
        fields: dict[str, Any] = {
            **who,
            "version": 1,
            "initials": {"risk": "AS" if number == 0 else "BO"},
            "answers": {"emergency": "+43 660 1234567"},
            "signature": {"kind": "typed", "text": who["signer"]["name"]},
            "consent": True,
            "token": f"demo-{number}-{waiver.pk}"[:64],
        }
        signings.sign_waiver(waiver, signings.parse_submission(waiver, fields), SigningContext())
