from django.db import migrations, models

from workspace.products.booking.domain import overlap_constraint


class Migration(migrations.Migration):
    dependencies = [("booking", "0002_guests_side")]

    operations = [
        migrations.RunPython(migrations.RunPython.noop, overlap_constraint.add_constraint),
        migrations.RemoveIndex(model_name="booking", name="live_bookings_of_a_resource"),
        migrations.RemoveIndex(model_name="booking", name="bookings_of_a_day"),
        migrations.AddField(
            model_name="booking",
            name="search",
            field=models.TextField(blank=True, default=""),
        ),
        migrations.AddIndex(
            model_name="booking",
            index=models.Index(fields=["resource", "protected_until", "protected_from"], name="bookings_of_a_resource"),
        ),
        migrations.RunPython(overlap_constraint.add_constraint, migrations.RunPython.noop),
    ]
