import workspace.lib.clock
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='SealKey',
            fields=[
                ('number', models.PositiveIntegerField(primary_key=True, serialize=False)),
                ('certificate', models.BinaryField()),
                ('private_key', models.TextField()),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
        ),
    ]
