import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Brand',
            fields=[
                ('account', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='brand', serialize=False, to='accounts.account')),
                ('logo', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('image', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('colors', models.JSONField(blank=True, default=list)),
                ('fonts', models.CharField(default='system', max_length=20)),
                ('corner_style', models.CharField(default='soft', max_length=20)),
                ('slogan', models.CharField(blank=True, max_length=160)),
                ('address', models.CharField(blank=True, max_length=300)),
                ('phone', models.CharField(blank=True, max_length=40)),
                ('hours', models.JSONField(blank=True, default=list)),
                ('country', models.CharField(blank=True, max_length=2)),
                ('currency', models.CharField(blank=True, max_length=3)),
                ('languages', models.JSONField(blank=True, default=list)),
                ('trade', models.CharField(blank=True, max_length=20)),
                ('qr_style_source_id', models.CharField(blank=True, max_length=40)),
                ('version', models.CharField(blank=True, default='', max_length=16)),
            ],
        ),
    ]
