from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("storage", "0003_fact")]

    operations = [
        migrations.CreateModel(
            name="Cached",
            fields=[
                ("cache_key", models.CharField(max_length=255, primary_key=True, serialize=False)),
                ("value", models.TextField()),
                ("expires", models.DateTimeField(db_index=True)),
            ],
        ),
    ]
