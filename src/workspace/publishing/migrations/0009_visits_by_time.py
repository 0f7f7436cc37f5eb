from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("publishing", "0008_orders_of_lists")]

    operations = [
        migrations.AddIndex(
            model_name="visit",
            index=models.Index(fields=["at"], name="visits_by_time"),
        ),
    ]
