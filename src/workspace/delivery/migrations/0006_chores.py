from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("delivery", "0005_receiver")]

    operations = [
        migrations.CreateModel(
            name="Chore",
            fields=[
                ("name", models.CharField(max_length=100, primary_key=True, serialize=False)),
                ("due_at", models.DateTimeField()),
            ],
        ),
    ]
