import django.db.models.deletion
import workspace.lib.clock
import workspace.products.qr.models
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
            name='Code',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('updated_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('id', models.CharField(default=workspace.products.qr.models.new_code_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='codes', to='accounts.account')),
                ('publication', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='code', to='publishing.publication')),
                ('name', models.CharField(max_length=120)),
                ('target_url', models.CharField(blank=True, max_length=2048)),
                ('fallback_url', models.CharField(blank=True, max_length=2048)),
                ('content', models.JSONField(blank=True, default=dict)),
                ('secret', models.CharField(blank=True, max_length=500)),
                ('folder', models.CharField(blank=True, max_length=60)),
                ('search', models.TextField()),
                ('style', models.JSONField(blank=True, default=dict)),
                ('logo', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
            ],
            options={
                'ordering': ('-id',),
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('binned_at', None)), fields=['account', '-id'], name='qr_code_newest'), models.Index(condition=models.Q(('binned_at__isnull', False)), fields=['account'], name='qr_code_binned'), models.Index(condition=models.Q(('binned_at', None)), fields=['account', 'folder', '-id'], name='qr_codes_of_a_folder')],
            },
            bases=(workspace.publishing.models.starter.Startable, models.Model),
        ),
        migrations.CreateModel(
            name='DestinationChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='destination_changes', to='qr.code')),
                ('from_url', models.CharField(max_length=2048)),
                ('to_url', models.CharField(max_length=2048)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'ordering': ('-created_at', '-id'),
            },
        ),
    ]
