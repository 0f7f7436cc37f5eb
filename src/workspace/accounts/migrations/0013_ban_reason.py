from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0012_closing")]

    operations = [
        migrations.AddField(
            model_name="account",
            name="ban_reason",
            field=models.CharField(blank=True, max_length=200),
        ),
    ]
