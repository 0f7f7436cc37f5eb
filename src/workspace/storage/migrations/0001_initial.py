import django.db.models.deletion
import workspace.lib.clock
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Blob',
            fields=[
                ('key', models.CharField(max_length=120, primary_key=True, serialize=False)),
                ('content', models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name='BlobPiece',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('blob', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pieces', to='storage.blob')),
                ('position', models.PositiveIntegerField()),
                ('content', models.BinaryField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('blob', 'position'), name='one_piece_a_position')],
            },
        ),
        migrations.CreateModel(
            name='CacheEntry',
            fields=[
                ('cache_key', models.CharField(max_length=255, primary_key=True, serialize=False)),
                ('value', models.TextField()),
                ('expires', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='SealingKey',
            fields=[
                ('name', models.CharField(max_length=12, primary_key=True, serialize=False)),
            ],
        ),
        migrations.CreateModel(
            name='InstanceFact',
            fields=[
                ('name', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('value', models.JSONField()),
                ('updated_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
        ),
        migrations.CreateModel(
            name='SetAside',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.CharField(max_length=100)),
                ('row', models.CharField(blank=True, max_length=200)),
                ('error', models.CharField(max_length=500)),
                ('attempts', models.PositiveIntegerField(default=1)),
                ('failing_since', models.DateTimeField(default=workspace.lib.clock.now)),
                ('failed_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('next_at', models.DateTimeField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('task', 'row'), name='set_aside_once')],
            },
        ),
        migrations.CreateModel(
            name='VisitorSalt',
            fields=[
                ('day', models.DateField(primary_key=True, serialize=False)),
                ('value', models.CharField(max_length=64)),
            ],
        ),
    ]
