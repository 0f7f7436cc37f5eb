"""The current slug stands on the publication's own row."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def fill(apps: Any, schema_editor: Any) -> None:
    newest = apps.get_model("publishing", "Address").objects.filter(publication=OuterRef("pk")).order_by("-pk")
    known = apps.get_model("publishing", "Publication").objects.filter(addresses__isnull=False)
    apps.get_model("publishing", "Publication").objects.filter(pk__in=known.values("pk")).update(
        slug=Subquery(newest.values("slug")[:1])
    )


class Migration(migrations.Migration):
    dependencies = [("publishing", "0005_local_days")]

    operations = [
        migrations.AddField("publication", "slug", models.CharField(max_length=50, default=""), preserve_default=False),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
