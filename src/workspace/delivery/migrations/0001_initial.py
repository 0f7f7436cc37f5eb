import django.db.models.deletion
import workspace.delivery.models.address_book
import workspace.delivery.models.calendar
import workspace.delivery.models.delivery
import workspace.delivery.models.job
import workspace.delivery.models.webhook
import workspace.lib.clock
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Calendar',
            fields=[
                ('id', models.CharField(default=workspace.delivery.models.calendar._calendar_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='calendars', to='accounts.account')),
                ('kind', models.CharField(choices=[('ics', 'Ics'), ('caldav', 'Caldav')], max_length=10)),
                ('name', models.CharField(max_length=120)),
                ('address', models.TextField()),
                ('host', models.CharField(max_length=300)),
                ('username', models.CharField(blank=True, max_length=254)),
                ('password', models.TextField(blank=True)),
                ('my_addresses', models.JSONField(default=list)),
                ('pages', models.TextField(blank=True)),
                ('block_tentative', models.BooleanField(default=True)),
                ('write_to', models.CharField(blank=True, max_length=2048)),
                ('parts', models.JSONField(default=list)),
                ('etags', models.JSONField(default=dict)),
                ('health', models.CharField(choices=[('new', 'New'), ('good', 'Good'), ('broken', 'Broken')], default='new', max_length=10)),
                ('problem', models.CharField(blank=True, max_length=300)),
                ('remarks', models.JSONField(default=list)),
                ('failing_since', models.DateTimeField(blank=True, null=True)),
                ('owner_warned', models.BooleanField(default=False)),
                ('read_at', models.DateTimeField(blank=True, null=True)),
                ('expanded_at', models.DateTimeField(blank=True, null=True)),
                ('next_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('revision', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'indexes': [models.Index(fields=['account', 'id'], name='calendars_of_an_account'), models.Index(fields=['next_at'], name='calendars_by_their_turn')],
            },
        ),
        migrations.CreateModel(
            name='BusyTime',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('calendar', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='busy_times', to='delivery.calendar')),
                ('part', models.PositiveSmallIntegerField(default=0)),
                ('starts_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
                ('floating', models.BooleanField(default=False)),
                ('title', models.CharField(blank=True, max_length=100)),
            ],
            options={
                'indexes': [models.Index(fields=['calendar', 'ends_at', 'starts_at'], name='busy_times_by_their_end')],
            },
        ),
        migrations.CreateModel(
            name='EventCopy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('calendar', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='copies', to='delivery.calendar')),
                ('subject', models.CharField(max_length=40)),
                ('url', models.CharField(max_length=2048)),
                ('etag', models.CharField(blank=True, max_length=200)),
                ('body', models.TextField(blank=True)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('there', 'There'), ('gone', 'Gone'), ('failed', 'Failed')], default='waiting', max_length=10)),
                ('revision', models.PositiveIntegerField(default=1)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('problem', models.CharField(blank=True, max_length=300)),
                ('next_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('changed_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['next_at'], name='copies_that_wait')],
                'constraints': [models.UniqueConstraint(fields=('calendar', 'subject'), name='one_copy_a_calendar')],
            },
        ),
        migrations.CreateModel(
            name='AddressBook',
            fields=[
                ('id', models.CharField(default=workspace.delivery.models.address_book._address_book_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='address_books', to='accounts.account')),
                ('name', models.CharField(max_length=120)),
                ('url', models.CharField(max_length=2048)),
                ('host', models.CharField(max_length=300)),
                ('username', models.CharField(max_length=254)),
                ('password', models.TextField()),
                ('available_books', models.JSONField(default=list)),
                ('target_book', models.CharField(blank=True, max_length=2048)),
                ('products', models.JSONField(default=list)),
                ('group', models.CharField(blank=True, default='Leads', max_length=60)),
                ('removes_deleted', models.BooleanField(default=True)),
                ('live', models.BooleanField(default=True)),
                ('health', models.CharField(choices=[('new', 'New'), ('good', 'Good'), ('broken', 'Broken')], default='new', max_length=10)),
                ('problem', models.CharField(blank=True, max_length=300)),
                ('failing_since', models.DateTimeField(blank=True, null=True)),
                ('owner_warned', models.BooleanField(default=False)),
                ('reached_at', models.DateTimeField(blank=True, null=True)),
                ('checked_at', models.DateTimeField(blank=True, null=True)),
                ('compared_at', models.DateTimeField(blank=True, null=True)),
                ('cursor', models.CharField(blank=True, max_length=40)),
                ('next_at', models.DateTimeField(blank=True, null=True)),
                ('revision', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'indexes': [models.Index(fields=['account', 'id'], name='address_books_of_an_account'), models.Index(condition=models.Q(('next_at', None), _negated=True), fields=['next_at'], name='address_books_by_their_turn')],
            },
        ),
        migrations.CreateModel(
            name='ContactCopy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address_book', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='copies', to='delivery.addressbook')),
                ('product', models.CharField(max_length=12)),
                ('subject', models.CharField(max_length=40)),
                ('url', models.CharField(max_length=2048)),
                ('digest', models.CharField(max_length=64)),
                ('etag', models.CharField(blank=True, max_length=200)),
                ('rev', models.CharField(blank=True, max_length=14)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('there', 'There'), ('theirs', 'Theirs'), ('failed', 'Failed')], default='waiting', max_length=10)),
                ('pending_removal', models.BooleanField(default=False)),
                ('erased', models.BooleanField(default=False)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('problem', models.CharField(blank=True, max_length=300)),
                ('next_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'indexes': [models.Index(fields=['subject'], name='contact_copies_of_a_person'), models.Index(condition=models.Q(('state', 'waiting')), fields=['address_book', 'next_at'], name='contact_copies_that_wait')],
                'constraints': [models.UniqueConstraint(fields=('address_book', 'subject', 'url'), name='one_copy_an_address')],
            },
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.CharField(default=workspace.delivery.models.delivery._delivery_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=20)),
                ('payload', models.JSONField(null=True)),
                ('account', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='deliveries', to='accounts.account')),
                ('dedupe_key', models.CharField(blank=True, max_length=200, null=True, unique=True)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('leased', 'Leased'), ('sent', 'Sent'), ('kept', 'Kept'), ('parked', 'Parked'), ('withdrawn', 'Withdrawn')], default='waiting', max_length=10)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('next_attempt_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('lease_token', models.CharField(blank=True, max_length=32, null=True)),
                ('last_error', models.CharField(blank=True, max_length=500)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state__in', ['waiting', 'leased'])), fields=['next_attempt_at'], name='delivery_due'), models.Index(condition=models.Q(('payload__isnull', False)), fields=['created_at'], name='delivery_unblanked')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('lease_token__isnull', False), ('state', 'leased')), models.Q(models.Q(('state', 'leased'), _negated=True), ('lease_token__isnull', True)), _connector='OR'), name='delivery_leased_with_a_token')],
            },
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.CharField(default=workspace.delivery.models.job._job_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='accounts.account')),
                ('kind', models.CharField(max_length=60)),
                ('title', models.CharField(max_length=120)),
                ('noun', models.CharField(max_length=60)),
                ('dedupe_key', models.CharField(blank=True, max_length=200, null=True)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('working', 'Working'), ('done', 'Done'), ('stopped', 'Stopped'), ('failed', 'Failed')], default='waiting', max_length=10)),
                ('total', models.PositiveIntegerField()),
                ('done', models.PositiveIntegerField(default=0)),
                ('failed_count', models.PositiveIntegerField(default=0)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('next_run_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('lease_token', models.CharField(blank=True, max_length=32, null=True)),
                ('last_error', models.CharField(blank=True, max_length=500)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('file_name', models.CharField(blank=True, max_length=120)),
                ('file_type', models.CharField(blank=True, max_length=80)),
                ('file_size', models.PositiveIntegerField(default=0)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state__in', ['waiting', 'working'])), fields=['next_run_at'], name='job_next_run'), models.Index(fields=['created_at'], name='job_created')],
                'constraints': [models.UniqueConstraint(fields=('account', 'dedupe_key'), name='one_job_a_dedupe_key'), models.CheckConstraint(condition=models.Q(models.Q(('lease_token__isnull', False), ('state', 'working')), models.Q(models.Q(('state', 'working'), _negated=True), ('lease_token__isnull', True)), _connector='OR'), name='job_working_with_a_token'), models.CheckConstraint(condition=models.Q(('done__lte', models.F('total'))), name='job_within_its_items')],
            },
        ),
        migrations.CreateModel(
            name='JobItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('job', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='delivery.job')),
                ('position', models.PositiveIntegerField()),
                ('name', models.CharField(max_length=120)),
                ('body', models.JSONField()),
                ('result', models.JSONField(null=True)),
                ('error', models.CharField(blank=True, max_length=500)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('error', ''), _negated=True), fields=['job', 'position'], name='job_items_with_an_error')],
                'constraints': [models.UniqueConstraint(fields=('job', 'position'), name='one_item_a_position')],
            },
        ),
        migrations.CreateModel(
            name='NotificationSetting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notification_settings', to='accounts.account')),
                ('kind', models.CharField(max_length=60)),
                ('is_on', models.BooleanField(default=True)),
                ('started_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('sent_count', models.PositiveSmallIntegerField(default=0)),
                ('suppressed_count', models.PositiveIntegerField(default=0)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('suppressed_count__gt', 0)), fields=['started_at'], name='notifications_suppressed')],
                'constraints': [models.UniqueConstraint(fields=('account', 'kind'), name='one_notification_setting_a_kind')],
            },
        ),
        migrations.CreateModel(
            name='Receiver',
            fields=[
            ],
            options={
                'proxy': True,
                'indexes': [],
                'constraints': [],
            },
            bases=('accounts.account',),
        ),
        migrations.CreateModel(
            name='ScheduledTask',
            fields=[
                ('name', models.CharField(max_length=100, primary_key=True, serialize=False)),
                ('due_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Endpoint',
            fields=[
                ('id', models.CharField(default=workspace.delivery.models.webhook._endpoint_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='endpoints', to='accounts.account')),
                ('item_id', models.CharField(blank=True, max_length=40)),
                ('url', models.CharField(max_length=2048)),
                ('events', models.JSONField(default=list)),
                ('live', models.BooleanField(default=True)),
                ('secret', models.TextField()),
                ('previous_secret', models.TextField(blank=True)),
                ('previous_secret_until', models.DateTimeField(blank=True, null=True)),
                ('secret_shown', models.BooleanField(default=False)),
                ('disabled', models.CharField(blank=True, max_length=10)),
                ('failing_since', models.DateTimeField(blank=True, null=True)),
                ('failed_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'indexes': [models.Index(fields=['account', 'item_id'], name='endpoints_of_an_item'), models.Index(fields=['account', '-id'], name='endpoints_newest_first')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('item_id', ''), _negated=True), fields=('account', 'item_id'), name='one_endpoint_an_item')],
            },
        ),
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.CharField(default=workspace.delivery.models.webhook._message_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhook_messages', to='accounts.account')),
                ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='delivery.endpoint')),
                ('event', models.CharField(max_length=40)),
                ('body', models.TextField()),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('delivered', 'Delivered'), ('failed', 'Failed'), ('stopped', 'Stopped')], default='waiting', max_length=10)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('status', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('problem', models.CharField(blank=True, max_length=200)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('tried_at', models.DateTimeField(blank=True, null=True)),
                ('next_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['account', '-id'], name='messages_newest_first'), models.Index(fields=['endpoint', '-id'], name='messages_of_an_endpoint'), models.Index(fields=['created_at'], name='messages_by_age')],
            },
        ),
    ]
