from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from workspace.lib.text import search_key


def fill(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    leads = apps.get_model("card", "Lead")
    for lead in leads.objects.iterator(chunk_size=500):
        lead.search = search_key("\n".join([lead.name, lead.email, lead.phone, lead.note]))
        lead.save(update_fields=["search"])


class Migration(migrations.Migration):
    dependencies = [("card", "0002_bin")]

    operations = [
        migrations.AddField(model_name="lead", name="search", field=models.TextField(default="")),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
