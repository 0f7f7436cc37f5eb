"""Visits counted by UTC hour in an earlier version are migrated, and pages have their slug."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.apps import apps as registry
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.exceptions import IrreversibleError
from django.db.migrations.loader import MigrationLoader

from workspace.accounts.models import Account
from workspace.analytics.queries import DayCount, ValueCount, compute_statistics, stream_visits
from workspace.analytics.visit_writer import record_visit
from workspace.publishing.models import DailyBreakdown, DailyCounter, Publication, Visit
from workspace.testing.api import make_account
from workspace.testing.publications import guest, publish

EARLIER = ("publishing", "0004_words")
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
KATHMANDU = ZoneInfo("Asia/Kathmandu")

pytestmark = pytest.mark.django_db(transaction=True)


def test_earlier_counts_and_publications_are_migrated_and_continue() -> None:
    """Run each story up to the migration, migrate the tables, then run the rest of the stories.

    Tables that other packages have added since are not removed, because that would take a minute."""
    loader = MigrationLoader(connection)
    [latest] = loader.graph.leaf_nodes("publishing")
    since = [key for key in loader.graph.forwards_plan(latest) if key[0] == "publishing" and key > EARLIER]
    for key in reversed(since):
        with connection.schema_editor() as editor:
            loader.get_migration(*key).unapply(loader.project_state(key, at_end=False), editor)
    apps = loader.project_state([EARLIER]).apps
    stories = [story(apps) for story in (_by_the_hour, _going_on, _of_nobody, _moved_and_moved_back)]
    for story in stories:
        next(story)
    for key in since:
        with connection.schema_editor() as editor:
            loader.get_migration(*key).apply(loader.project_state(key, at_end=False), editor)
    for story in stories:
        assert next(story, "the end") == "the end"


def _publish(apps: Apps, account: Account) -> Publication:
    """Publish as in the earlier version, without columns that were added since."""
    made = apps.get_model("publishing", "Publication").objects.create(
        pk=f"pub_{account.pk[4:]}", account_id=account.pk, kind="qr"
    )
    return Publication(pk=made.pk)


def _count(apps: Apps, code: Publication, at: datetime, *, event: str = "scan", part: str = "", **facts: Any) -> None:
    """Add a visit as in the earlier version: a row, and slots by the hour."""
    who = guest(**facts)
    values = {"device": who.device, "city": who.city, "country": who.country, "referrer": who.referrer_host}
    place = {"publication_id": code.pk, "event": event}
    apps.get_model("publishing", "Visit").objects.create(
        **place, detail=part, occurred_at=at, bot=who.bot, visitor="0" * 32, **values
    )
    for own in {"", part}:
        tally, _ = apps.get_model("publishing", "Tally").objects.get_or_create(**place, part=own)
        tally.total += not who.bot
        tally.bots += who.bot
        tally.save()
        counted = {"bot": ""} if who.bot else {"all": "", **values}
        for dimension, value in counted.items():
            slot, is_new = apps.get_model("publishing", "Slot").objects.get_or_create(
                **place,
                part=own,
                hour=at.replace(minute=0, second=0),
                dimension=dimension,
                value=value,
                defaults={"count": 1, "uniques": not who.bot},
            )
            if not is_new:
                slot.count += 1
                slot.save()


def _by_the_hour(earlier: Apps) -> Iterator[None]:
    """Check that visits counted by the hour stay on their day."""
    code = _publish(earlier, make_account(time_zone="Asia/Kathmandu"))
    # midnight is at 18:15 UTC: the hour until 19:00 started on the 20th
    _count(earlier, code, datetime(2026, 11, 20, 17, 59, tzinfo=UTC), city="Linz")
    _count(earlier, code, datetime(2026, 11, 20, 18, 30, tzinfo=UTC))
    _count(earlier, code, datetime(2026, 11, 20, 18, 40, tzinfo=UTC), device="desktop", referrer_host="example.com")
    _count(earlier, code, datetime(2026, 11, 20, 19, 0, tzinfo=UTC))
    _count(earlier, code, datetime(2026, 11, 20, 19, 1, tzinfo=UTC), bot=True)
    yield
    with time_machine.travel(NOW, tick=False):
        found = compute_statistics(code.pk, "scan", days=2, zone=KATHMANDU)
        assert len(list(stream_visits(code.pk, "scan", days=1, zone=KATHMANDU))) == 2
        assert compute_statistics(code.pk, "scan", days=1, zone=KATHMANDU).by_device == [ValueCount("phone", 1, 1)]
    assert (found.total, found.total_in_window, found.bots) == (4, 4, 1)
    assert found.by_day == [DayCount(date(2026, 11, 20), 3, 2), DayCount(date(2026, 11, 21), 1, 1)]
    assert {hour: n for hour, n in enumerate(found.by_hour) if n} == {22: 1, 23: 2, 0: 1}
    assert found.by_device == [ValueCount("phone", 3, 3), ValueCount("desktop", 1, 1)]
    assert found.by_city == [ValueCount("Graz", 3, 2), ValueCount("Linz", 1, 1)]
    assert found.by_referrer == [ValueCount("Direct", 3, 3), ValueCount("example.com", 1, 1)]


def _going_on(earlier: Apps) -> Iterator[None]:
    """Check that counting continues from earlier counts."""
    code = _publish(earlier, make_account(time_zone="Asia/Kathmandu"))
    for part in ("menu", "menu", "phone"):
        _count(earlier, code, datetime(2026, 11, 20, 6, tzinfo=UTC), event="click", part=part)
    yield
    with time_machine.travel(NOW, tick=False):
        record_visit(code.pk, "click", guest("Bob", city="Linz"), part="menu")
        found = compute_statistics(code.pk, "click", days=2, zone=KATHMANDU)
        menu = compute_statistics(code.pk, "click", days=2, zone=KATHMANDU, part="menu")
        today = compute_statistics(code.pk, "click", days=1, zone=KATHMANDU)
    assert (found.total, [day.count for day in found.by_day]) == (4, [3, 1])
    assert [(share.value, share.count) for share in found.by_part] == [("menu", 3), ("phone", 1)]
    assert [(share.value, share.count) for share in found.by_city] == [("Graz", 3), ("Linz", 1)]
    assert (menu.total, [day.count for day in menu.by_day]) == (3, [2, 1])
    assert (today.by_city, today.by_part) == ([ValueCount("Linz", 1, 1)], [ValueCount("menu", 1, 1)])


def _of_nobody(earlier: Apps) -> Iterator[None]:
    """Check that data of a closed account or without an owner is migrated too."""
    code = _publish(earlier, make_account())
    Publication.objects.filter(pk=code.pk).update(account=None)
    _count(earlier, code, NOW)
    _count(earlier, Publication(pk="pub_gone"), NOW)
    yield
    ours = [code.pk, "pub_gone"]
    assert sorted(Visit.objects.filter(publication_id__in=ours).values_list("publication_id", "day")) == sorted(
        (one, NOW.date()) for one in ours
    )
    days = DailyCounter.objects.filter(counter__publication_id__in=ours)
    assert list(days.values_list("day", "count")) == [(NOW.date(), 1)] * 2
    assert DailyBreakdown.objects.filter(breakdown__counter__publication_id__in=ours).count() == 8


def _moved_and_moved_back(earlier: Apps) -> Iterator[None]:
    """Check that a publication from before the slug column gets its newest address."""
    code = _publish(earlier, make_account())
    addresses = earlier.get_model("publishing", "Address").objects
    for slug in ("first", "second"):
        addresses.create(kind="qr", slug=slug, publication_id=code.pk)
    addresses.filter(slug="first").delete()  # migrating back creates it again, as the newest
    addresses.create(kind="qr", slug="first", publication_id=code.pk)
    yield
    assert Publication.objects.get(pk=code.pk).slug == "first"


def test_days_are_not_migrated_back_to_hours() -> None:
    record_visit(publish().pk, "scan", guest())
    migration = importlib.import_module("workspace.publishing.migrations.0005_local_days")
    with pytest.raises(IrreversibleError):
        migration.backwards(registry, None)
    assert DailyCounter.objects.get().count == 1


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no such tables")
def test_days_are_stored_in_the_order_of_their_key() -> None:
    """Check that no migration has let Django create one of these tables again.

    That would lose the order and double their size."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM pragma_table_list WHERE wr = 1 AND name LIKE 'publishing_%%'")
        assert {name for (name,) in cursor.fetchall()} == {"publishing_dailycounter", "publishing_dailybreakdown"}
