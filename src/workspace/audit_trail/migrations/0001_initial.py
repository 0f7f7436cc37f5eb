import django.db.models.deletion
import workspace.audit_trail.models
import workspace.lib.clock
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Chain',
            fields=[
                ('id', models.CharField(default=workspace.audit_trail.models._chain_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='chain', to='accounts.account')),
                ('count', models.PositiveBigIntegerField(default=0)),
                ('head', models.CharField(max_length=64)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('former_id', models.CharField(blank=True, db_index=True, default='', editable=False, max_length=40)),
            ],
        ),
        migrations.CreateModel(
            name='Record',
            fields=[
                ('id', models.CharField(editable=False, max_length=40, primary_key=True, serialize=False)),
                ('chain', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='records', to='audit_trail.chain')),
                ('number', models.PositiveBigIntegerField()),
                ('kind', models.CharField(max_length=60)),
                ('thing', models.CharField(blank=True, max_length=60)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('body', models.TextField()),
                ('hash', models.CharField(max_length=64)),
            ],
            options={
                'indexes': [models.Index(fields=['chain', 'thing', 'number'], name='audit_trail_chain_i_3c6eea_idx')],
                'constraints': [models.UniqueConstraint(fields=('chain', 'number'), name='one_record_a_number')],
            },
        ),
        migrations.CreateModel(
            name='PersonalValue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('record', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='personal_values', to='audit_trail.record')),
                ('person', models.CharField(max_length=60)),
                ('name', models.CharField(max_length=60)),
                ('value', models.TextField(null=True)),
                ('salt', models.CharField(max_length=32, null=True)),
                ('erased_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('record', 'person', 'name'), name='one_value_a_name')],
            },
        ),
    ]
