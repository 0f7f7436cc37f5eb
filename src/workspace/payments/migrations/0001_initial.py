import django.db.models.deletion
import workspace.lib.clock
import workspace.payments.models.connection
import workspace.payments.models.payment
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Connection',
            fields=[
                ('id', models.CharField(default=workspace.payments.models.connection._id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='payment_connection', to='accounts.account')),
                ('provider', models.CharField(max_length=20)),
                ('key', models.TextField(blank=True)),
                ('key_end', models.CharField(blank=True, max_length=4)),
                ('live', models.BooleanField()),
                ('provider_account', models.CharField(blank=True, max_length=60)),
                ('name', models.CharField(blank=True, max_length=200)),
                ('token', models.CharField(default=workspace.payments.models.connection._token, max_length=40, unique=True)),
                ('webhook_id', models.CharField(blank=True, max_length=80)),
                ('webhook_secret', models.TextField(blank=True)),
                ('webhook_problem', models.CharField(blank=True, max_length=300)),
                ('last_event_at', models.DateTimeField(blank=True, null=True)),
                ('reconciled_at', models.DateTimeField(blank=True, null=True)),
                ('last_error', models.CharField(blank=True, max_length=300)),
                ('is_ending', models.BooleanField(default=False)),
                ('connected_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
        ),
        migrations.CreateModel(
            name='ProviderEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='provider_events', to='accounts.account')),
                ('event', models.CharField(max_length=100)),
                ('kind', models.CharField(max_length=60)),
                ('received_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'indexes': [models.Index(fields=['received_at'], name='provider_events_by_age')],
                'constraints': [models.UniqueConstraint(fields=('account', 'event'), name='an_event_once')],
            },
        ),
        migrations.CreateModel(
            name='Payment',
            fields=[
                ('id', models.CharField(default=workspace.payments.models.payment._payment_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='payments', to='accounts.account')),
                ('provider', models.CharField(max_length=20)),
                ('live', models.BooleanField()),
                ('provider_account', models.CharField(blank=True, max_length=60)),
                ('purpose', models.CharField(max_length=40)),
                ('subject', models.CharField(max_length=40)),
                ('title', models.CharField(max_length=200)),
                ('amount', models.BigIntegerField()),
                ('currency', models.CharField(max_length=3)),
                ('email', models.CharField(blank=True, max_length=254)),
                ('language', models.CharField(blank=True, max_length=8)),
                ('return_url', models.CharField(max_length=200)),
                ('state', models.CharField(choices=[('opening', 'opening'), ('open', 'open'), ('processing', 'processing'), ('paid', 'paid'), ('failed', 'failed'), ('expired', 'expired')], default='opening', max_length=10)),
                ('is_current', models.BooleanField(default=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('session', models.CharField(blank=True, db_index=True, max_length=100)),
                ('url', models.TextField(blank=True)),
                ('payment_intent', models.CharField(blank=True, db_index=True, max_length=100)),
                ('refunded', models.BigIntegerField(default=0)),
                ('dispute', models.CharField(blank=True, max_length=10)),
                ('problem', models.CharField(blank=True, max_length=300)),
                ('version', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('expires_at', models.DateTimeField()),
                ('hold_until', models.DateTimeField(blank=True, null=True)),
                ('returned_at', models.DateTimeField(blank=True, null=True)),
                ('checked_at', models.DateTimeField(blank=True, null=True)),
                ('paid_at', models.DateTimeField(blank=True, null=True)),
                ('applied_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['account', '-id'], name='payments_newest_first'), models.Index(fields=['account', 'purpose', 'subject'], name='payments_of_a_subject'), models.Index(fields=['state', 'checked_at'], name='payments_to_ask_for')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('is_current', True), ('state__in', ('opening', 'open'))), fields=('account', 'purpose', 'subject'), name='one_open_payment_a_subject')],
            },
        ),
        migrations.CreateModel(
            name='Refund',
            fields=[
                ('id', models.CharField(default=workspace.payments.models.payment._refund_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('payment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='refunds', to='payments.payment')),
                ('amount', models.BigIntegerField()),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('done', 'done'), ('failed', 'failed')], default='waiting', max_length=10)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('reference', models.CharField(blank=True, max_length=100)),
                ('problem', models.CharField(blank=True, max_length=300)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'ordering': ('id',),
            },
        ),
    ]
