import django.db.models.deletion
import workspace.lib.clock
import workspace.products.event.models.event
import workspace.products.event.models.speakers_and_blocks
import workspace.products.event.models.session
import workspace.products.event.models.star_list
import workspace.publishing.models.starter
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('publishing', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Event',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('updated_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('id', models.CharField(default=workspace.products.event.models.event._event_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='accounts.account')),
                ('publication', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='event', to='publishing.publication')),
                ('title', models.CharField(max_length=200)),
                ('time_zone', models.CharField(max_length=64)),
                ('venue', models.CharField(blank=True, max_length=200)),
                ('address', models.CharField(blank=True, max_length=300)),
                ('description', models.TextField(blank=True)),
                ('image', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('color', models.CharField(blank=True, max_length=7)),
                ('language', models.CharField(blank=True, max_length=8)),
                ('tracks', models.JSONField(blank=True, default=list)),
                ('was_published', models.BooleanField(default=False, editable=False)),
                ('paid_at', models.DateTimeField(blank=True, editable=False, null=True)),
            ],
            options={
                'verbose_name': 'program',
                'ordering': ('-id',),
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('binned_at', None)), fields=['account', '-id'], name='event_event_newest'), models.Index(condition=models.Q(('binned_at__isnull', False)), fields=['account'], name='event_event_binned')],
            },
            bases=(workspace.publishing.models.starter.Startable, models.Model),
        ),
        migrations.CreateModel(
            name='Day',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('id', models.CharField(default=workspace.products.event.models.event._day_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='days', to='event.event')),
                ('date', models.DateField()),
                ('label', models.CharField(blank=True, max_length=80)),
            ],
            options={
                'ordering': ('date', 'id'),
                'constraints': [models.UniqueConstraint(condition=models.Q(('binned_at', None)), fields=('event', 'date'), name='one_event_day_a_date')],
            },
        ),
        migrations.CreateModel(
            name='Room',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('id', models.CharField(default=workspace.products.event.models.event._room_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rooms', to='event.event')),
                ('name', models.CharField(max_length=100)),
                ('name_key', models.CharField(max_length=200)),
                ('position', models.PositiveIntegerField(default=0)),
            ],
            options={
                'ordering': ('position', 'id'),
                'constraints': [models.UniqueConstraint(condition=models.Q(('binned_at', None)), fields=('event', 'name_key'), name='one_event_room_a_name')],
            },
        ),
        migrations.CreateModel(
            name='Speaker',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('image', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('position', models.PositiveIntegerField(default=0)),
                ('id', models.CharField(default=workspace.products.event.models.speakers_and_blocks._speaker_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='speakers', to='event.event')),
                ('name', models.CharField(max_length=120)),
                ('role', models.CharField(blank=True, max_length=120)),
                ('organization', models.CharField(blank=True, max_length=120)),
                ('bio', models.TextField(blank=True)),
                ('links', models.JSONField(blank=True, default=list)),
            ],
            options={
                'ordering': ('position', 'id'),
                'indexes': [models.Index(fields=['event', 'position', 'id'], name='speakers_in_their_order')],
            },
        ),
        migrations.CreateModel(
            name='Block',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('image', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('position', models.PositiveIntegerField(default=0)),
                ('id', models.CharField(default=workspace.products.event.models.speakers_and_blocks._block_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blocks', to='event.event')),
                ('kind', models.CharField(max_length=10)),
                ('title', models.CharField(blank=True, max_length=120)),
                ('text', models.TextField(blank=True)),
                ('tier', models.CharField(blank=True, max_length=60)),
                ('url', models.CharField(blank=True, max_length=2048)),
                ('alt', models.CharField(blank=True, max_length=200)),
                ('place', models.CharField(default='end', max_length=10)),
                ('shows_from', models.DateTimeField(blank=True, null=True)),
                ('shows_until', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ('position', 'id'),
                'indexes': [models.Index(fields=['event', 'position', 'id'], name='event_blocks_in_their_order')],
            },
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('id', models.CharField(default=workspace.products.event.models.session._session_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to='event.event')),
                ('day', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to='event.day')),
                ('room', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='sessions', to='event.room')),
                ('title', models.CharField(max_length=200)),
                ('time_label', models.CharField(blank=True, max_length=60)),
                ('start', models.CharField(blank=True, max_length=5)),
                ('end', models.CharField(blank=True, max_length=5)),
                ('starts_at', models.DateTimeField(blank=True, null=True)),
                ('ends_at', models.DateTimeField(blank=True, null=True)),
                ('description', models.TextField(blank=True)),
                ('kind', models.CharField(default='talk', max_length=10)),
                ('track', models.CharField(blank=True, max_length=60)),
                ('links', models.JSONField(blank=True, default=list)),
                ('cancelled', models.BooleanField(default=False)),
                ('position', models.PositiveIntegerField(default=0)),
                ('sequence', models.PositiveIntegerField(default=0)),
                ('changed_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'ordering': ('day__date', 'position', 'id'),
                'indexes': [models.Index(fields=['event', 'position', 'id'], name='sessions_in_their_order')],
            },
        ),
        migrations.CreateModel(
            name='SessionSpeaker',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links_to_speakers', to='event.session')),
                ('speaker', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links_to_sessions', to='event.speaker')),
                ('position', models.PositiveIntegerField(default=0)),
            ],
            options={
                'ordering': ('position', 'id'),
                'constraints': [models.UniqueConstraint(fields=('session', 'speaker'), name='a_speaker_once_a_session')],
            },
        ),
        migrations.CreateModel(
            name='StarList',
            fields=[
                ('token', models.CharField(default=workspace.products.event.models.star_list._token, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='star_lists', to='event.event')),
                ('sessions', models.JSONField(blank=True, default=list)),
                ('changed_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'indexes': [models.Index(fields=['event', 'changed_at'], name='star_lists_by_age')],
            },
        ),
    ]
