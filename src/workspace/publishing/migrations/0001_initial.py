import django.db.models.deletion
import workspace.lib.clock
import workspace.publishing.models.publication
from django.db import migrations, models
from workspace.storage.database.key_ordered_table import CreateModelInKeyOrder


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Publication',
            fields=[
                ('id', models.CharField(default=workspace.publishing.models.publication._publication_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='publications', to='accounts.account')),
                ('kind', models.CharField(max_length=12)),
                ('slug', models.CharField(max_length=50)),
                ('version', models.PositiveIntegerField(default=1)),
                ('paused_at', models.DateTimeField(blank=True, null=True)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('code_style', models.JSONField(blank=True, default=dict)),
                ('password', models.CharField(blank=True, max_length=128)),
                ('banned_at', models.DateTimeField(blank=True, null=True)),
                ('ban_reason', models.CharField(blank=True, max_length=200)),
                ('deleted_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('is_starter', models.BooleanField(default=False)),
            ],
        ),
        migrations.CreateModel(
            name='Address',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=12)),
                ('slug', models.CharField(max_length=50)),
                ('publication', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='addresses', to='publishing.publication')),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('kind', 'slug'), name='one_publication_an_address')],
            },
        ),
        migrations.CreateModel(
            name='Visit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('publication', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='publishing.publication')),
                ('event', models.CharField(max_length=12)),
                ('detail', models.CharField(blank=True, max_length=40)),
                ('occurred_at', models.DateTimeField()),
                ('day', models.DateField()),
                ('bot', models.BooleanField()),
                ('device', models.CharField(max_length=10)),
                ('city', models.CharField(max_length=100)),
                ('country', models.CharField(max_length=100)),
                ('referrer', models.CharField(blank=True, max_length=100)),
                ('visitor', models.CharField(max_length=32)),
            ],
            options={
                'indexes': [models.Index(fields=['publication', 'event', 'occurred_at'], name='visits_of_a_publication'), models.Index(fields=['occurred_at'], name='visits_by_time')],
            },
        ),
        migrations.CreateModel(
            name='UniqueVisitor',
            fields=[
                ('visitor_day_key', models.CharField(max_length=32, primary_key=True, serialize=False)),
                ('day', models.DateField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='VisitCounter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('publication', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='publishing.publication')),
                ('event', models.CharField(max_length=12)),
                ('detail', models.CharField(blank=True, max_length=40)),
                ('total', models.PositiveBigIntegerField(default=0)),
                ('uniques', models.PositiveBigIntegerField(default=0)),
                ('bots', models.PositiveBigIntegerField(default=0)),
                ('last_visit_at', models.DateTimeField(null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('publication', 'event', 'detail'), name='one_counter_a_detail')],
            },
        ),
        CreateModelInKeyOrder(
            name='DailyCounter',
            fields=[
                ('pk', models.CompositePrimaryKey('counter_id', 'day', blank=True, editable=False, primary_key=True, serialize=False)),
                ('counter', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='publishing.visitcounter')),
                ('day', models.DateField()),
                ('begins_at', models.DateTimeField()),
                ('count', models.IntegerField(default=0)),
                ('uniques', models.IntegerField(default=0)),
                ('bots', models.IntegerField(default=0)),
                ('h00', models.IntegerField(default=0)),
                ('h01', models.IntegerField(default=0)),
                ('h02', models.IntegerField(default=0)),
                ('h03', models.IntegerField(default=0)),
                ('h04', models.IntegerField(default=0)),
                ('h05', models.IntegerField(default=0)),
                ('h06', models.IntegerField(default=0)),
                ('h07', models.IntegerField(default=0)),
                ('h08', models.IntegerField(default=0)),
                ('h09', models.IntegerField(default=0)),
                ('h10', models.IntegerField(default=0)),
                ('h11', models.IntegerField(default=0)),
                ('h12', models.IntegerField(default=0)),
                ('h13', models.IntegerField(default=0)),
                ('h14', models.IntegerField(default=0)),
                ('h15', models.IntegerField(default=0)),
                ('h16', models.IntegerField(default=0)),
                ('h17', models.IntegerField(default=0)),
                ('h18', models.IntegerField(default=0)),
                ('h19', models.IntegerField(default=0)),
                ('h20', models.IntegerField(default=0)),
                ('h21', models.IntegerField(default=0)),
                ('h22', models.IntegerField(default=0)),
                ('h23', models.IntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='Breakdown',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('counter', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='publishing.visitcounter')),
                ('dimension', models.CharField(max_length=10)),
                ('value', models.CharField(blank=True, max_length=100)),
                ('count', models.PositiveBigIntegerField()),
                ('uniques', models.PositiveBigIntegerField()),
                ('last_day', models.DateField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('counter', 'dimension', 'value'), name='one_breakdown_a_value')],
            },
        ),
        CreateModelInKeyOrder(
            name='DailyBreakdown',
            fields=[
                ('pk', models.CompositePrimaryKey('breakdown_id', 'day', blank=True, editable=False, primary_key=True, serialize=False)),
                ('breakdown', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='publishing.breakdown')),
                ('day', models.DateField()),
                ('before_count', models.PositiveIntegerField()),
                ('before_uniques', models.PositiveIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='SearchDocument',
            fields=[
                ('publication', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='search_document', serialize=False, to='publishing.publication')),
                ('account', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.account')),
                ('kind', models.CharField(max_length=12)),
                ('item_id', models.CharField(max_length=40)),
                ('title', models.CharField(max_length=200)),
                ('text', models.TextField()),
                ('changed_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'indexes': [models.Index(fields=['account', 'kind'], name='search_of_an_account'), models.Index(fields=['account', 'kind', 'title', 'item_id'], name='search_by_title'), models.Index(fields=['account', 'kind', '-changed_at', '-item_id'], name='search_by_change')],
            },
        ),
        migrations.CreateModel(
            name='GuestLink',
            fields=[
                ('token_hash', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.account')),
                ('purpose', models.CharField(max_length=40)),
                ('subject', models.CharField(max_length=64)),
                ('to_hash', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('expires_at', models.DateTimeField()),
            ],
            options={
                'indexes': [models.Index(fields=['purpose', 'subject'], name='guest_links_of_a_subject'), models.Index(fields=['to_hash', 'created_at'], name='guest_links_to_an_address'), models.Index(fields=['expires_at'], name='guest_links_by_end')],
            },
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('publication', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='publishing.publication')),
                ('reason', models.CharField(max_length=20)),
                ('note', models.TextField(blank=True, max_length=2000)),
                ('email', models.EmailField(blank=True, max_length=254)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('resolved_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ('-created_at',),
            },
        ),
    ]
