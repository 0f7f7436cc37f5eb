"""The next number followed from the highest that there was, and came again when that one was deleted for good."""

import django.db.models.deletion
from django.db import migrations, models


def begin(apps, schema_editor):
    Numbering = apps.get_model("bid", "Numbering")
    highest = apps.get_model("bid", "Proposal").objects.order_by().values("account").annotate(last=models.Max("number"))
    Numbering.objects.bulk_create(Numbering(account_id=one["account"], last=one["last"]) for one in highest)


class Migration(migrations.Migration):
    dependencies = [("bid", "0001_initial"), ("accounts", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Numbering",
            fields=[
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="bid_numbering",
                        serialize=False,
                        to="accounts.account",
                    ),
                ),
                ("last", models.PositiveIntegerField()),
            ],
        ),
        migrations.RunPython(begin, migrations.RunPython.noop, elidable=True),
    ]
