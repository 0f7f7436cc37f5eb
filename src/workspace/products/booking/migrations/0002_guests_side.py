from django.db import migrations, models

from workspace.products.booking.domain import overlap_constraint


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0008_lists_in_their_order'),
        ('booking', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='booking',
            name='by_guest',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='booking',
            name='due_minor',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='booking',
            name='invited',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='booking',
            name='link',
            field=models.CharField(blank=True, max_length=300),
        ),
        migrations.AddField(
            model_name='booking',
            name='link_hash',
            field=models.CharField(blank=True, db_index=True, max_length=64),
        ),
        migrations.AddField(
            model_name='booking',
            name='owes_word',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='booking',
            name='paid_minor',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='booking',
            name='refunded_minor',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='booking',
            name='remind_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='bookingpage',
            name='hosts',
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name='service',
            name='deposit_minor',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='service',
            name='payment',
            field=models.CharField(choices=[('none', 'none'), ('deposit', 'deposit'), ('full', 'full')], default='none', max_length=8),
        ),
        migrations.AddIndex(
            model_name='booking',
            index=models.Index(condition=models.Q(('status', 'pending_payment')), fields=['hold_until'], name='bookings_that_wait'),
        ),
        migrations.AddIndex(
            model_name='booking',
            index=models.Index(condition=models.Q(('remind_at__isnull', False)), fields=['remind_at'], name='bookings_to_remind_of'),
        ),
        migrations.AddIndex(
            model_name='booking',
            index=models.Index(condition=models.Q(('owes_word', True)), fields=['id'], name='bookings_that_owe_word'),
        ),
        migrations.RunPython(overlap_constraint.add_constraint, migrations.RunPython.noop),
    ]
