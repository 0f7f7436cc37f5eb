import workspace.lib.clock
from django.db import migrations, models


def forget(apps, schema_editor):
    """They are written anew when the server starts, with the moment of the last change."""
    apps.get_model("publishing", "Words").objects.all().delete()


class Migration(migrations.Migration):

    dependencies = [
        ('publishing', '0007_code_style'),
    ]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop),
        migrations.AddField(
            model_name='words',
            name='changed_at',
            field=models.DateTimeField(default=workspace.lib.clock.now),
        ),
        migrations.AddIndex(
            model_name='words',
            index=models.Index(fields=['account', 'kind', 'title', 'thing_id'], name='words_by_title'),
        ),
        migrations.AddIndex(
            model_name='words',
            index=models.Index(fields=['account', 'kind', '-changed_at', '-thing_id'], name='words_by_change'),
        ),
    ]
