import django.db.models.deletion
import workspace.lib.clock
import workspace.products.booking.models.booking
import workspace.products.booking.models.page
import workspace.products.booking.models.service
import workspace.publishing.models.starter
from django.db import migrations, models
from workspace.products.booking.domain import overlap_constraint


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('publishing', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Resource',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='resources', to='accounts.account')),
                ('name', models.CharField(blank=True, max_length=120)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('name', '')), fields=('account',), name='one_resource_for_the_owner')],
            },
        ),
        migrations.CreateModel(
            name='BookingPage',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('updated_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('hosts', models.JSONField(blank=True, default=list)),
                ('id', models.CharField(default=workspace.products.booking.models.page._page_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='booking_pages', to='accounts.account')),
                ('publication', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='booking_page', to='publishing.publication')),
                ('resource', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='pages', to='booking.resource')),
                ('name', models.CharField(max_length=120)),
                ('description', models.TextField(blank=True)),
                ('place', models.CharField(blank=True, max_length=500)),
                ('time_zone', models.CharField(max_length=64)),
                ('currency', models.CharField(default='USD', max_length=3)),
                ('image', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('language', models.CharField(blank=True, max_length=8)),
                ('hours', models.JSONField(blank=True, default=list)),
            ],
            options={
                'verbose_name': 'booking page',
                'ordering': ('-id',),
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('binned_at', None)), fields=['account', '-id'], name='booking_bookingpage_newest'), models.Index(condition=models.Q(('binned_at__isnull', False)), fields=['account'], name='booking_bookingpage_binned')],
            },
            bases=(workspace.publishing.models.starter.Startable, models.Model),
        ),
        migrations.CreateModel(
            name='DateOverride',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('page', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='date_overrides', to='booking.bookingpage')),
                ('date', models.DateField()),
                ('windows', models.JSONField(blank=True, default=list)),
            ],
            options={
                'ordering': ('date',),
                'constraints': [models.UniqueConstraint(fields=('page', 'date'), name='one_date_override_a_date')],
            },
        ),
        migrations.CreateModel(
            name='Block',
            fields=[
                ('id', models.CharField(default=workspace.products.booking.models.page._block_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blocks', to='accounts.account')),
                ('resource', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blocks', to='booking.resource')),
                ('starts_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'ordering': ('starts_at', 'id'),
                'indexes': [models.Index(fields=['resource', 'ends_at'], name='blocks_of_a_resource')],
                'constraints': [models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('starts_at'))), name='block_takes_time')],
            },
        ),
        migrations.CreateModel(
            name='Service',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('id', models.CharField(default=workspace.products.booking.models.service._service_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('page', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='services', to='booking.bookingpage')),
                ('name', models.CharField(max_length=120)),
                ('text', models.TextField(blank=True)),
                ('duration', models.PositiveSmallIntegerField()),
                ('price_minor', models.PositiveIntegerField(blank=True, null=True)),
                ('payment', models.CharField(choices=[('none', 'none'), ('deposit', 'deposit'), ('full', 'full')], default='none', max_length=8)),
                ('deposit_minor', models.PositiveIntegerField(blank=True, null=True)),
                ('buffer_before', models.PositiveSmallIntegerField(default=0)),
                ('buffer_after', models.PositiveSmallIntegerField(default=0)),
                ('min_notice_minutes', models.PositiveIntegerField(default=120)),
                ('max_days_ahead', models.PositiveSmallIntegerField(default=60)),
                ('interval', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('daily_cap', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('approval', models.BooleanField(default=False)),
                ('questions', models.JSONField(blank=True, default=list)),
                ('cancel_until', models.PositiveSmallIntegerField(blank=True, default=24, null=True)),
                ('move_until', models.PositiveSmallIntegerField(blank=True, default=24, null=True)),
                ('hidden', models.BooleanField(default=False)),
                ('position', models.PositiveIntegerField(default=0)),
            ],
            options={
                'ordering': ('position', 'id'),
                'indexes': [models.Index(fields=['page', 'position', 'id'], name='services_in_their_order')],
            },
        ),
        migrations.CreateModel(
            name='Booking',
            fields=[
                ('id', models.CharField(default=workspace.products.booking.models.booking._booking_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bookings', to='accounts.account')),
                ('resource', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='bookings', to='booking.resource')),
                ('page', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bookings', to='booking.bookingpage')),
                ('service', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='bookings', to='booking.service')),
                ('service_name', models.CharField(max_length=120)),
                ('uid', models.CharField(max_length=120)),
                ('sequence', models.PositiveIntegerField(default=0)),
                ('status', models.CharField(choices=[('confirmed', 'Confirmed'), ('pending_payment', 'Pending'), ('cancelled', 'Cancelled'), ('expired', 'Expired')], default='confirmed', max_length=16)),
                ('pending_reason', models.CharField(blank=True, choices=[('', 'Nothing'), ('approval', 'Approval'), ('payment', 'Payment')], max_length=10)),
                ('hold_until', models.DateTimeField(blank=True, null=True)),
                ('starts_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
                ('blocked_from', models.DateTimeField()),
                ('blocked_until', models.DateTimeField()),
                ('local_start', models.CharField(max_length=16)),
                ('local_date', models.DateField()),
                ('time_zone', models.CharField(max_length=64)),
                ('name', models.CharField(max_length=120)),
                ('email', models.CharField(blank=True, max_length=254)),
                ('phone', models.CharField(blank=True, max_length=40)),
                ('answers', models.JSONField(blank=True, default=list)),
                ('language', models.CharField(blank=True, max_length=8)),
                ('guest_zone', models.CharField(blank=True, max_length=64)),
                ('price_minor', models.PositiveIntegerField(blank=True, null=True)),
                ('due_minor', models.PositiveIntegerField(blank=True, null=True)),
                ('paid_minor', models.PositiveIntegerField(default=0)),
                ('refunded_minor', models.PositiveIntegerField(default=0)),
                ('by_owner', models.BooleanField(default=False)),
                ('link_hash', models.CharField(blank=True, db_index=True, max_length=64)),
                ('link_token_encrypted', models.CharField(blank=True, max_length=300)),
                ('invited', models.BooleanField(default=False)),
                ('remind_at', models.DateTimeField(blank=True, null=True)),
                ('expiry_notice_pending', models.BooleanField(default=False)),
                ('dedupe_key', models.CharField(blank=True, max_length=64)),
                ('owner_note', models.TextField(blank=True)),
                ('search', models.TextField(blank=True, default='')),
                ('outcome', models.CharField(blank=True, choices=[('', 'Unknown'), ('attended', 'Attended'), ('no_show', 'No Show')], max_length=10)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('cancelled_at', models.DateTimeField(blank=True, null=True)),
                ('cancelled_by_guest', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('updated_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'ordering': ('starts_at', 'id'),
                'indexes': [models.Index(fields=['resource', 'blocked_until', 'blocked_from'], name='bookings_of_a_resource'), models.Index(fields=['account', 'starts_at', 'id'], name='bookings_by_their_start'), models.Index(fields=['page', 'starts_at', 'id'], name='bookings_of_a_page'), models.Index(condition=models.Q(('status', 'pending_payment')), fields=['hold_until'], name='bookings_that_wait'), models.Index(condition=models.Q(('remind_at__isnull', False)), fields=['remind_at'], name='bookings_to_remind_of'), models.Index(condition=models.Q(('expiry_notice_pending', True)), fields=['id'], name='bookings_with_expiry_notice')],
                'constraints': [models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('starts_at'))), name='booking_takes_time'), models.CheckConstraint(condition=models.Q(('blocked_from__lte', models.F('starts_at')), ('blocked_until__gte', models.F('ends_at'))), name='booking_is_within_blocked_time'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'pending_payment'), _negated=True), ('hold_until__isnull', False), _connector='OR'), name='what_waits_has_an_end'), models.UniqueConstraint(condition=models.Q(('dedupe_key', ''), _negated=True), fields=('page', 'dedupe_key'), name='one_booking_a_key')],
            },
        ),
        migrations.RunPython(overlap_constraint.add_constraint, overlap_constraint.drop_constraint),
    ]
