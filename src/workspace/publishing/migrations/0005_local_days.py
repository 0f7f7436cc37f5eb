"""Counters by the account's days, and windows without reading every day of them. What was counted by the hour in UTC
stays on the local day on which that hour began, where it was shown until now."""

from collections import defaultdict
from datetime import UTC, datetime, time
from itertools import groupby
from zoneinfo import ZoneInfo

import django.db.models.deletion
from django.db import migrations, models
from django.db.migrations.exceptions import IrreversibleError

ALL, BOT, PART = "all", "bot", "part"
VISITS = 5000  # at a time
HOURS = [f"h{hour:02}" for hour in range(24)]


def forwards(apps, schema_editor):
    Publication = apps.get_model("publishing", "Publication")
    zones = defaultdict(lambda: ZoneInfo("UTC"))  # for what was deleted, and for accounts that were closed
    for id, name in Publication.objects.exclude(account=None).values_list("pk", "account__time_zone"):
        zones[id] = ZoneInfo(name)
    Tally = apps.get_model("publishing", "Tally")
    for tally in list(Tally.objects.order_by("pk")):
        _carry_over(apps, tally, zones[tally.publication_id])
    _date_visits(apps, zones)


def backwards(apps, schema_editor):
    if apps.get_model("publishing", "Tally").objects.exists():
        raise IrreversibleError("What was counted by days cannot be told by hours again")


def _carry_over(apps, tally, zone):
    counted = apps.get_model("publishing", "Slot").objects.filter(
        publication_id=tally.publication_id, event=tally.event
    )
    DaySlot = apps.get_model("publishing", "DaySlot")
    days = {}
    facets = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for slot in counted.filter(part=tally.part).iterator():
        local = slot.hour.astimezone(zone)
        if slot.dimension not in (ALL, BOT):
            _add(facets[slot.dimension, slot.value][local.date()], slot)
            continue
        day = days.get(local.date())
        if day is None:
            begins = datetime.combine(local.date(), time.min, zone).astimezone(UTC)
            day = days[local.date()] = DaySlot(tally_id=tally.pk, day=local.date(), begins_at=begins)
        if slot.dimension == BOT:
            day.bots += slot.count
            continue
        day.count += slot.count
        day.uniques += slot.uniques
        setattr(day, HOURS[local.hour], getattr(day, HOURS[local.hour]) + slot.count)
    if not tally.part:
        for slot in counted.filter(dimension=ALL).exclude(part="").iterator():
            _add(facets[PART, slot.part][slot.hour.astimezone(zone).date()], slot)
    DaySlot.objects.bulk_create(days.values(), batch_size=500)
    _make_facets(apps, tally, facets)


def _add(sums, slot):
    sums[0] += slot.count
    sums[1] += slot.uniques


def _make_facets(apps, tally, facets):
    Facet, FacetSlot = apps.get_model("publishing", "Facet"), apps.get_model("publishing", "FacetSlot")
    made, slots = [], []
    for (dimension, value), days in facets.items():
        facet = Facet(tally_id=tally.pk, dimension=dimension, value=value, count=0, uniques=0, last_day=max(days))
        for day, (count, uniques) in sorted(days.items()):
            slots.append((facet, day, facet.count, facet.uniques))
            facet.count += count
            facet.uniques += uniques
        made.append(facet)
    Facet.objects.bulk_create(made, batch_size=500)
    FacetSlot.objects.bulk_create(
        [
            FacetSlot(facet_id=facet.pk, day=day, before_count=count, before_uniques=uniques)
            for facet, day, count, uniques in slots
        ],
        batch_size=500,
    )


def _date_visits(apps, zones):
    """Each visit gets the day of the slot in which it was counted, so that the export agrees with the figures."""
    Visit = apps.get_model("publishing", "Visit")

    def day(visit):
        return visit[2].replace(minute=0, second=0, microsecond=0).astimezone(zones[visit[1]]).date()

    last = 0
    while found := list(
        Visit.objects.filter(pk__gt=last).order_by("pk").values_list("pk", "publication_id", "at")[:VISITS]
    ):
        last = found[-1][0]
        for one, visits in groupby(sorted(found, key=day), key=day):
            Visit.objects.filter(pk__in=[visit[0] for visit in visits]).update(day=one)


def _below(model):
    return models.ForeignKey(
        db_constraint=False,
        db_index=False,
        on_delete=django.db.models.deletion.CASCADE,
        related_name="+",
        to=f"publishing.{model}",
    )


def in_key_order(model):
    """The operations that make a table whose rows SQLite keeps in its key, as PostgreSQL's index would: half as large, and
    found by one look-up. On PostgreSQL a plain table."""

    def make(apps, schema_editor):
        sql, params = schema_editor.table_sql(apps.get_model("publishing", model.name))
        schema_editor.execute(sql + (" WITHOUT ROWID" if schema_editor.connection.vendor == "sqlite" else ""), params)

    def unmake(apps, schema_editor):
        schema_editor.delete_model(apps.get_model("publishing", model.name))

    return [
        migrations.SeparateDatabaseAndState(state_operations=[model]),
        migrations.RunPython(make, unmake),
    ]


class Migration(migrations.Migration):

    dependencies = [
        ("publishing", "0004_words"),
    ]

    operations = [
        migrations.AddField(model_name="visit", name="day", field=models.DateField(null=True)),
        *in_key_order(migrations.CreateModel(
            name="DaySlot",
            fields=[
                ("pk", models.CompositePrimaryKey("tally_id", "day", blank=True, editable=False, primary_key=True, serialize=False)),
                ("tally", _below("tally")),
                ("day", models.DateField()),
                ("begins_at", models.DateTimeField()),
                ("count", models.IntegerField(default=0)),
                ("uniques", models.IntegerField(default=0)),
                ("bots", models.IntegerField(default=0)),
                *[(hour, models.IntegerField(default=0)) for hour in HOURS],
            ],
        )),
        migrations.CreateModel(
            name="Facet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("tally", _below("tally")),
                ("dimension", models.CharField(max_length=10)),
                ("value", models.CharField(blank=True, max_length=100)),
                ("count", models.PositiveBigIntegerField()),
                ("uniques", models.PositiveBigIntegerField()),
                ("last_day", models.DateField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=["tally", "dimension", "value"], name="one_facet_a_value")],
            },
        ),
        *in_key_order(migrations.CreateModel(
            name="FacetSlot",
            fields=[
                ("pk", models.CompositePrimaryKey("facet_id", "day", blank=True, editable=False, primary_key=True, serialize=False)),
                ("facet", _below("facet")),
                ("day", models.DateField()),
                ("before_count", models.PositiveIntegerField()),
                ("before_uniques", models.PositiveIntegerField()),
            ],
        )),
        migrations.RunPython(forwards, backwards),
        migrations.AlterField(model_name="visit", name="day", field=models.DateField()),
        migrations.DeleteModel(name="Slot"),
    ]
