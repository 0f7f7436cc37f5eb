from django.db import migrations, models


def mark_used(apps, schema_editor):
    apps.get_model("accounts", "Upload").objects.filter(uses__gt=0).update(was_used=True)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_changes")]

    operations = [
        migrations.AddField("upload", "was_used", models.BooleanField(default=False)),
        migrations.RunPython(mark_used, migrations.RunPython.noop),
    ]
