import django.db.models.deletion
import workspace.lib.clock
import workspace.products.seat.models.chart
import workspace.products.seat.models.guest
import workspace.products.seat.models.preference
import workspace.products.seat.models.solver_run
import workspace.products.seat.models.table
import workspace.publishing.models.starter
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('delivery', '0001_initial'),
        ('publishing', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Chart',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('updated_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('id', models.CharField(default=workspace.products.seat.models.chart._chart_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seating_charts', to='accounts.account')),
                ('publication', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='seating_chart', to='publishing.publication')),
                ('title', models.CharField(max_length=120)),
                ('date', models.DateField(blank=True, null=True)),
                ('venue', models.CharField(blank=True, max_length=200)),
                ('width', models.FloatField(default=1600)),
                ('depth', models.FloatField(default=1200)),
                ('background_image', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('background_width', models.FloatField(default=0)),
                ('units', models.CharField(default='cm', max_length=2)),
                ('courses', models.JSONField(blank=True, default=list)),
                ('find_table', models.BooleanField(default=False)),
                ('find_from', models.DateTimeField(blank=True, null=True)),
                ('show_names', models.BooleanField(default=False)),
                ('name_order', models.CharField(default='western', max_length=12)),
                ('seat_waiting', models.BooleanField(default=True)),
                ('version', models.PositiveIntegerField(default=1)),
            ],
            options={
                'verbose_name': 'seating chart',
                'ordering': ('-id',),
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('binned_at', None)), fields=['account', '-id'], name='seat_chart_newest'), models.Index(condition=models.Q(('binned_at__isnull', False)), fields=['account'], name='seat_chart_binned')],
            },
            bases=(workspace.publishing.models.starter.Startable, models.Model),
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.CharField(default=workspace.products.seat.models.table._table_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('chart', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='seat.chart')),
                ('kind', models.CharField(default='table', max_length=12)),
                ('name', models.CharField(blank=True, max_length=60)),
                ('shape', models.CharField(default='round', max_length=10)),
                ('capacity', models.PositiveSmallIntegerField(default=0)),
                ('x', models.FloatField(default=0)),
                ('y', models.FloatField(default=0)),
                ('width', models.FloatField(default=152)),
                ('depth', models.FloatField(default=152)),
                ('rotation', models.FloatField(default=0)),
                ('end_seats', models.BooleanField(default=False)),
                ('locked', models.BooleanField(default=False)),
                ('is_closed', models.BooleanField(default=False)),
                ('color', models.CharField(blank=True, max_length=7)),
                ('note', models.CharField(blank=True, max_length=300)),
            ],
            options={
                'ordering': ('id',),
                'constraints': [models.UniqueConstraint(condition=models.Q(('kind', 'table')), fields=('chart', 'name'), name='one_table_of_a_name')],
            },
        ),
        migrations.CreateModel(
            name='Guest',
            fields=[
                ('id', models.CharField(default=workspace.products.seat.models.guest._guest_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('chart', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='guests', to='seat.chart')),
                ('table', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='guests', to='seat.table')),
                ('name', models.CharField(max_length=120)),
                ('sort_name', models.CharField(blank=True, max_length=120)),
                ('party', models.CharField(blank=True, max_length=120)),
                ('meals', models.JSONField(blank=True, default=list)),
                ('diet', models.JSONField(blank=True, default=list)),
                ('notes', models.CharField(blank=True, max_length=500)),
                ('reply', models.CharField(default='waiting', max_length=7)),
                ('chair', models.CharField(blank=True, max_length=5)),
                ('wheelchair', models.BooleanField(default=False)),
                ('tags', models.JSONField(blank=True, default=list)),
                ('email', models.CharField(blank=True, max_length=254)),
                ('phone', models.CharField(blank=True, max_length=40)),
                ('seat', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('locked', models.BooleanField(default=False)),
                ('placeholder', models.BooleanField(default=False)),
                ('checked_in_at', models.DateTimeField(blank=True, null=True)),
                ('sort_key', models.CharField(blank=True, max_length=240)),
                ('search', models.CharField(blank=True, max_length=400)),
            ],
            options={
                'ordering': ('id',),
                'indexes': [models.Index(fields=['chart', 'party'], name='seat_guests_of_a_party'), models.Index(fields=['chart', 'sort_key', 'id'], name='seat_guests_in_order')],
            },
        ),
        migrations.CreateModel(
            name='CheckIn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('guest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='check_ins', to='seat.guest')),
                ('key', models.CharField(max_length=80)),
                ('is_checked_in', models.BooleanField()),
                ('occurred_at', models.DateTimeField()),
                ('device', models.CharField(blank=True, max_length=80)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('guest', 'key'), name='one_check_in_a_key')],
            },
        ),
        migrations.CreateModel(
            name='SeatingPreference',
            fields=[
                ('id', models.CharField(default=workspace.products.seat.models.preference._preference_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('chart', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='preferences', to='seat.chart')),
                ('kind', models.CharField(max_length=8)),
                ('between', models.JSONField(default=list)),
                ('table', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='preferences', to='seat.table')),
                ('weight', models.CharField(default='wanted', max_length=6)),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='SolverRun',
            fields=[
                ('id', models.CharField(default=workspace.products.seat.models.solver_run._run_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='seating', to='delivery.job')),
                ('chart', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='solver_runs', to='seat.chart')),
                ('version', models.PositiveIntegerField(default=0)),
                ('options', models.JSONField(default=dict)),
                ('state', models.JSONField(default=dict)),
                ('moves', models.JSONField(default=list)),
                ('score', models.FloatField(null=True)),
                ('initial_score', models.FloatField(null=True)),
                ('max_score', models.FloatField(null=True)),
                ('first_found_seconds', models.FloatField(null=True)),
                ('has_solution', models.BooleanField(default=False)),
                ('is_optimal', models.BooleanField(default=False)),
            ],
        ),
        migrations.CreateModel(
            name='Step',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('chart', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='seat.chart')),
                ('version', models.PositiveIntegerField()),
                ('actor', models.CharField(blank=True, max_length=80)),
                ('act', models.CharField(max_length=10)),
                ('moves', models.JSONField(default=list)),
                ('guests', models.JSONField(default=list)),
                ('tables', models.JSONField(default=list)),
                ('deleted_ids', models.JSONField(default=list)),
                ('is_undone', models.BooleanField(default=False)),
                ('change', models.CharField(blank=True, max_length=40)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'ordering': ('id',),
                'indexes': [models.Index(fields=['chart', 'version'], name='seat_steps_by_version')],
            },
        ),
    ]
