import django.db.models.deletion
import workspace.lib.clock
import workspace.products.card.models
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
            name='Card',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('updated_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('id', models.CharField(default=workspace.products.card.models._card_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cards', to='accounts.account')),
                ('publication', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='card', to='publishing.publication')),
                ('full_name', models.CharField(max_length=120)),
                ('given_name', models.CharField(blank=True, max_length=120)),
                ('family_name', models.CharField(blank=True, max_length=120)),
                ('name_prefix', models.CharField(blank=True, max_length=60)),
                ('name_suffix', models.CharField(blank=True, max_length=60)),
                ('title', models.CharField(blank=True, max_length=120)),
                ('company', models.CharField(blank=True, max_length=120)),
                ('phone', models.CharField(blank=True, max_length=40)),
                ('more_phones', models.JSONField(blank=True, default=list)),
                ('email', models.CharField(blank=True, max_length=254)),
                ('more_emails', models.JSONField(blank=True, default=list)),
                ('website', models.CharField(blank=True, max_length=2048)),
                ('address', models.CharField(blank=True, max_length=300)),
                ('bio', models.TextField(blank=True)),
                ('links', models.JSONField(blank=True, default=list)),
                ('lead_capture', models.BooleanField(default=True)),
                ('consent_text', models.CharField(blank=True, max_length=500)),
                ('theme', models.CharField(default='classic', max_length=20)),
                ('color', models.CharField(blank=True, max_length=7)),
                ('photo', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('logo', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
            ],
            options={
                'ordering': ('-id',),
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('binned_at', None)), fields=['account', '-id'], name='card_card_newest'), models.Index(condition=models.Q(('binned_at__isnull', False)), fields=['account'], name='card_card_binned')],
            },
            bases=(workspace.publishing.models.starter.Startable, models.Model),
        ),
        migrations.CreateModel(
            name='Lead',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('id', models.CharField(default=workspace.products.card.models._lead_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.account')),
                ('card', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='leads', to='card.card')),
                ('dedupe_key', models.CharField(max_length=64)),
                ('name', models.CharField(max_length=120)),
                ('email', models.CharField(blank=True, max_length=254)),
                ('phone', models.CharField(blank=True, max_length=40)),
                ('note', models.TextField(blank=True)),
                ('consent', models.CharField(max_length=500)),
                ('search', models.TextField(default='')),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'ordering': ('-created_at', '-id'),
                'indexes': [models.Index(condition=models.Q(('binned_at', None)), fields=['card', '-created_at', '-id'], name='leads_newest_of_card'), models.Index(condition=models.Q(('binned_at', None)), fields=['account', '-created_at', '-id', 'card'], name='leads_newest')],
                'constraints': [models.UniqueConstraint(fields=('card', 'dedupe_key'), name='one_lead_a_form')],
            },
        ),
    ]
