from datetime import timedelta

from django.db import migrations, models
from django.db.models import F, Q


def mark_published(apps, schema_editor):
    """A program that was paused later than it was made, or was paid for, was published before."""
    event = apps.get_model("event", "Event")
    later = Q(publication__paused_at__gt=F("created_at") + timedelta(minutes=1))
    found = event.objects.filter(later | Q(paid_at__isnull=False)).order_by()
    event.objects.filter(pk__in=found.values("pk")).update(was_published=True)


class Migration(migrations.Migration):
    dependencies = [("event", "0002_stars")]

    operations = [
        migrations.AddField(
            model_name="event",
            name="was_published",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.RunPython(mark_published, migrations.RunPython.noop),
    ]
