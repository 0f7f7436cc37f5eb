from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("storage", "0004_cached")]

    operations = [
        migrations.CreateModel(
            name="BlobPiece",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveIntegerField()),
                ("content", models.BinaryField()),
                (
                    "blob",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pieces", to="storage.blob"
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="blobpiece",
            constraint=models.UniqueConstraint(fields=("blob", "place"), name="one_piece_a_place"),
        ),
    ]
