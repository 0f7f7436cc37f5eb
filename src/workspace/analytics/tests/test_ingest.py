from datetime import UTC, datetime

import pytest
import time_machine
from django.db import connection

from workspace.analytics.queries import load_totals
from workspace.analytics.visit_writer import record_visit
from workspace.analytics.visitor import build_visitor
from workspace.publishing.account_lifecycle.closed_account_publications import list_guest_data
from workspace.publishing.models import (
    Breakdown,
    DailyBreakdown,
    DailyCounter,
    Publication,
    UniqueVisitor,
    Visit,
    VisitCounter,
)
from workspace.testing.publications import IPHONE, build_guest, publish

MORNING = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


@pytest.fixture
def code(db: None) -> Publication:
    return publish()


def _tally(code: Publication, event: str = "scan", part: str = "") -> tuple[int, int, int]:
    return VisitCounter.objects.values_list("total", "uniques", "bots").get(publication=code, event=event, detail=part)


def test_a_scan_counts_once_and_adds_a_row(code: Publication) -> None:
    with time_machine.travel(MORNING, tick=False):
        record_visit(code.pk, "scan", build_guest(city="Linz", referrer_host="example.com"))
    assert _tally(code) == (1, 1, 0)
    visit = Visit.objects.get()
    assert (visit.publication, visit.event, visit.occurred_at, visit.bot) == (code, "scan", MORNING, False)
    assert (visit.device, visit.city, visit.country, visit.referrer) == ("phone", "Linz", "Austria", "example.com")
    assert VisitCounter.objects.get().last_visit_at == MORNING


def test_a_repeated_visit_counts_in_the_total_and_not_as_unique(code: Publication) -> None:
    with time_machine.travel(MORNING, tick=False) as travel:
        record_visit(code.pk, "scan", build_guest("Ann"))
        record_visit(code.pk, "scan", build_guest("Ann"))
        record_visit(code.pk, "scan", build_guest("Bob"))
        assert _tally(code) == (3, 2, 0)
        travel.shift(86_400)
        record_visit(code.pk, "scan", build_guest("Ann"))
    assert _tally(code) == (4, 3, 0)


def test_a_guest_has_another_hash_on_another_day_and_for_another_code(code: Publication) -> None:
    with time_machine.travel(MORNING, tick=False) as travel:
        record_visit(code.pk, "scan", build_guest("Ann"))
        record_visit(publish(code.account).pk, "scan", build_guest("Ann"))
        travel.shift(86_400)
        record_visit(code.pk, "scan", build_guest("Ann"))
    assert Visit.objects.values("visitor").distinct().count() == 3


def test_a_bot_is_counted_separately(code: Publication) -> None:
    record_visit(code.pk, "scan", build_guest(bot=True))
    record_visit(code.pk, "scan", build_guest())
    assert _tally(code) == (1, 1, 1)
    assert Visit.objects.filter(bot=True).count() == 1
    assert DailyCounter.objects.values_list("count", "bots").get() == (1, 1)
    assert Breakdown.objects.get(dimension="device").count == 1
    assert UniqueVisitor.objects.count() == 1


def test_a_bot_does_not_set_the_last_visit(code: Publication) -> None:
    record_visit(code.pk, "scan", build_guest(bot=True))
    assert VisitCounter.objects.get().last_visit_at is None
    with time_machine.travel(MORNING, tick=False):
        record_visit(code.pk, "scan", build_guest())
    record_visit(code.pk, "scan", build_guest(bot=True))
    assert VisitCounter.objects.get().last_visit_at == MORNING


def test_a_click_counts_for_its_part_and_for_the_whole_page(code: Publication) -> None:
    record_visit(code.pk, "click", build_guest("Ann"), part="menu")
    record_visit(code.pk, "click", build_guest("Ann"), part="phone")
    record_visit(code.pk, "click", build_guest("Ann"), part="phone")
    assert _tally(code, "click") == (3, 1, 0)
    assert _tally(code, "click", "menu") == (1, 1, 0)
    assert _tally(code, "click", "phone") == (2, 1, 0)


def test_events_are_counted_separately(code: Publication) -> None:
    record_visit(code.pk, "view", build_guest("Ann"))
    record_visit(code.pk, "click", build_guest("Ann"))
    assert _tally(code, "view") == _tally(code, "click") == (1, 1, 0)


def test_totals_of_a_list_need_one_query(code: Publication, django_assert_num_queries: pytest.FixtureRequest) -> None:
    others = [publish(code.account) for _ in range(3)]
    record_visit(code.pk, "scan", build_guest())
    with django_assert_num_queries(1):
        found = load_totals([code.pk, *(other.pk for other in others)], "scan")
    assert [found[each.pk].total for each in (code, *others)] == [1, 0, 0, 0]


def test_a_deleted_publication_does_not_affect_others(code: Publication) -> None:
    record_visit("pub_gone", "scan", build_guest())
    record_visit(code.pk, "scan", build_guest())
    connection.check_constraints()
    assert _tally(code) == (1, 1, 0)


def test_deleting_a_publication_deletes_its_visits_and_counters(code: Publication) -> None:
    other = publish(code.account)
    for each in (code, other):
        record_visit(each.pk, "scan", build_guest())
    code.addresses.all().delete()
    code.delete()
    for model in (Visit, VisitCounter):
        assert set(model.objects.values_list("publication_id", flat=True)) == {other.pk}
    left = VisitCounter.objects.get()
    for model in (DailyCounter, Breakdown):
        assert set(model.objects.values_list("counter", flat=True)) == {left.pk}
    assert set(DailyBreakdown.objects.values_list("breakdown__counter", flat=True)) == {left.pk}


def test_no_counters_outlive_their_account(code: Publication) -> None:
    kept = publish()
    for each in (code, kept):
        record_visit(each.pk, "click", build_guest(), part="menu")
    assert code.account is not None
    for rows in list_guest_data(code.account):
        rows.delete()
    assert set(Visit.objects.values_list("publication", flat=True)) == {kept.pk}
    assert set(VisitCounter.objects.values_list("publication", flat=True)) == {kept.pk}
    assert (DailyCounter.objects.count(), Breakdown.objects.count(), DailyBreakdown.objects.count()) == (2, 9, 9)


def test_no_ip_address_reaches_the_database(code: Publication) -> None:
    referrer = "https://example.com/?me=203.0.113.77"
    ann = build_visitor(address="203.0.113.77", user_agent=IPHONE, referrer=referrer, headers={})
    record_visit(code.pk, "scan", ann)
    record_visit(code.pk, "scan", ann)
    assert _tally(code) == (2, 1, 0)
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            found = repr(cursor.fetchall())
            assert "203.0.113" not in found, table
            assert ann.address_key not in found, table


def test_a_flood_of_forged_referrers_does_not_grow_the_counters(
    code: Publication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workspace.analytics.cardinality_limit.MAX_NEW_VALUES", 3)
    with time_machine.travel(MORNING, tick=False):
        for number in range(10):
            record_visit(code.pk, "scan", build_guest(referrer_host=f"s{number}.example"))
    found = dict(Breakdown.objects.filter(dimension="referrer").values_list("value", "count"))
    assert found == {"s0.example": 1, "s1.example": 1, "s2.example": 1, "Other": 7}
