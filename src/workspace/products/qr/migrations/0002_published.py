"""A code lies in the bin for 30 days before it goes, and what took a change of target back is a change of its own."""

from django.db import migrations, models


def backs_as_changes(apps, schema_editor):
    retargets = apps.get_model("qr", "Retarget").objects
    undone = retargets.exclude(undone_at=None).order_by("undone_at")
    for change in undone.iterator():
        retargets.create(code_id=change.code_id, from_url=change.to_url, to_url=change.from_url, at=change.undone_at)


class Migration(migrations.Migration):
    dependencies = [("qr", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="code",
            name="binned_at",
            field=models.DateTimeField(blank=True, db_index=True, null=True),
        ),
        migrations.AlterModelOptions(name="retarget", options={"ordering": ("-at", "-id")}),
        migrations.RunPython(backs_as_changes, migrations.RunPython.noop),
    ]
