from __future__ import annotations

from django.db import migrations, models

import workspace.lib.clock


class Migration(migrations.Migration):
    dependencies = [("storage", "0002_sealing_keys")]

    operations = [
        migrations.CreateModel(
            name="Fact",
            fields=[
                ("name", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("value", models.JSONField()),
                ("at", models.DateTimeField(default=workspace.lib.clock.now)),
            ],
        ),
    ]
