from __future__ import annotations

from django.db import migrations, models

import workspace.lib.clock


class Migration(migrations.Migration):
    dependencies = [("storage", "0005_blob_pieces")]

    operations = [
        migrations.CreateModel(
            name="SetAside",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("task", models.CharField(max_length=100)),
                ("row", models.CharField(blank=True, max_length=200)),
                ("error", models.CharField(max_length=500)),
                ("tries", models.PositiveIntegerField(default=1)),
                ("since", models.DateTimeField(default=workspace.lib.clock.now)),
                ("failed_at", models.DateTimeField(default=workspace.lib.clock.now)),
                ("next_at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("task", "row"), name="set_aside_once")],
            },
        ),
    ]
