"""The administrator's commands for plans and invitations: plans with an end, and invite rewards under review."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from click.testing import CliRunner, Result

from workspace.accounts.models import Account, InvitePair
from workspace.accounts.models.invite_pair import HELD
from workspace.interfaces.admin_cli.__main__ import main
from workspace.interfaces.admin_cli.checks import check_instance_state
from workspace.lib import clock
from workspace.payments.models import Connection
from workspace.testing.api import Api, make_account

pytestmark = pytest.mark.django_db


def typed(*words: str) -> Result:
    return CliRunner().invoke(main, list(words), prog_name="bin/workspace")


def plan_of(account: Account, product: str) -> str:
    return Account.objects.get(pk=account.pk).plan(product)


def test_a_plan_is_granted_through_a_day_and_ends_automatically() -> None:
    from workspace.billing import effective_plans

    account = make_account(qr="free", quote="free")
    until = (clock.today() + timedelta(days=10)).isoformat()
    done = typed("grant", account.owner.email, "quote=pro", "qr=pro", "--until", until)
    assert done.exit_code == 0 and "is now on the pro plan" in done.output and "through" in done.output
    assert (plan_of(account, "quote"), plan_of(account, "qr")) == ("pro", "pro")
    # a smaller plan does not replace one granted without an end
    given = make_account(qr="pro")
    assert "keeps its larger plan" in typed("grant", given.pk, "qr=free", "--until", until).output
    assert plan_of(given, "qr") == "pro"
    with time_machine.travel(clock.now() + timedelta(days=12)):
        effective_plans.expire_plans()
        assert (plan_of(account, "quote"), plan_of(account, "qr")) == ("free", "free")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("acc_nobody", "qr=pro", "--until", "2100-01-01"), "has no account"),
        (("ACCOUNT", "--until", "2100-01-01"), "Enter a plan"),
        (("ACCOUNT", "qr", "--until", "2100-01-01"), "PRODUCT=PLAN"),
        (("ACCOUNT", "qr=gold", "--until", "2100-01-01"), "Unknown plan of qr"),
        (("ACCOUNT", "moon=pro", "--until", "2100-01-01"), "Unknown product"),
        (("ACCOUNT", "qr=pro", "--until", "tomorrow"), "is not a date"),
        (("ACCOUNT", "qr=pro", "--until", "2020-01-01"), "is in the past"),
    ],
)
def test_an_invalid_grant_is_explained_and_changes_nothing(words: tuple[str, ...], told: str) -> None:
    account = make_account(qr="free")
    done = typed("grant", *(account.pk if word == "ACCOUNT" else word for word in words))
    assert done.exit_code != 0 and told in done.output and "Traceback" not in done.output
    assert plan_of(account, "qr") == "free"


def test_withheld_invitations_are_listed_and_decided_once() -> None:
    assert "No invitations are waiting for review" in typed("invites").output
    inviter, friend = make_account(name="Café"), make_account(name="Bookshop")
    pair = InvitePair.objects.create(
        inviter=inviter, friend=friend, state=HELD, reason="the same card", paid_at=clock.now()
    )
    listed = typed("invites").output
    assert "Bookshop" in listed and "Café" in listed and "the same card" in listed
    assert "release, or deny" in typed("invites", str(pair.pk)).output
    assert "Invitation 999 is not waiting for review" in typed("invites", "999", "deny").output
    assert "Free months denied" in typed("invites", str(pair.pk), "deny").output
    assert "is not waiting for review" in typed("invites", str(pair.pk), "release").output  # already decided
    assert not friend.invite_months.exists() and not inviter.invite_months.exists()


def test_check_reports_payment_keys_without_webhook_secrets(api: Api, settings) -> None:
    def check_text() -> str:
        return " ".join(str(one) for one in check_instance_state())

    assert "STRIPE_WEBHOOK_SECRET" not in check_text() and "webhook secret" not in check_text()
    settings.STRIPE_KEY = "sk_test_x"
    assert "without WORKSPACE_STRIPE_WEBHOOK_SECRET" in check_text()
    settings.STRIPE_WEBHOOK_SECRET = "whsec_x"
    assert "STRIPE_WEBHOOK_SECRET" not in check_text()
    Connection.objects.create(account=api.account, provider="stripe", key="sealed", live=False)
    assert "1 account connected payments without a webhook secret" in check_text()
    Connection.objects.update(webhook_secret="sealed")
    assert "webhook secret" not in check_text()
