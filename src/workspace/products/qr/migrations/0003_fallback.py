from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("qr", "0002_published")]

    operations = [
        # apart from the rows that the migration before writes: PostgreSQL alters no table with checks still to come
        migrations.RemoveField(model_name="retarget", name="undone_at"),
        migrations.AddField(
            model_name="code",
            name="fallback_url",
            field=models.CharField(blank=True, max_length=2048),
        ),
    ]
