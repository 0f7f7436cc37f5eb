import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial"), ("bid", "0002_numbers_counted_apart")]

    operations = [
        migrations.AddField(
            model_name="proposal",
            name="picture",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="+",
                to="accounts.upload",
            ),
        ),
        migrations.AddField(
            model_name="proposal",
            name="video_url",
            field=models.CharField(blank=True, max_length=500, default=""),
            preserve_default=False,
        ),
    ]
