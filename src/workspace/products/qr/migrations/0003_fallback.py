from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("qr", "0002_published")]

    operations = [
        migrations.AddField(
            model_name="code",
            name="fallback_url",
            field=models.CharField(blank=True, max_length=2048),
        ),
    ]
