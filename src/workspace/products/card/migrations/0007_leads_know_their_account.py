"""Cards are listed by their ids, as all other things are; leads know their account, so that they are found in order
without their cards."""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def fill(apps: Any, schema_editor: Any) -> None:
    cards = apps.get_model("card", "Card")._base_manager.filter(pk=OuterRef("card_id"))
    apps.get_model("card", "Lead")._base_manager.update(account=Subquery(cards.values("account_id")))


class Migration(migrations.Migration):
    dependencies = [("card", "0006_alter_card_colour")]

    operations = [
        migrations.AlterModelOptions("card", {"ordering": ("-id",)}),
        migrations.AddIndex(
            "card",
            models.Index(
                fields=["account", "-id"], name="card_card_newest", condition=models.Q(("binned_at", None))
            ),
        ),
        migrations.AddIndex(
            "card",
            models.Index(
                fields=["account"], name="card_card_binned", condition=models.Q(("binned_at__isnull", False))
            ),
        ),
        migrations.AddField(
            "lead",
            "account",
            models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
            ),
        ),
        # what follows it has a migration of its own: PostgreSQL alters no table whose rows have just got a foreign key
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
