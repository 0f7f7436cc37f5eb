from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("records", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="chain",
            name="former",
            field=models.CharField(blank=True, db_index=True, default="", editable=False, max_length=40),
        ),
    ]
