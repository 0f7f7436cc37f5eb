from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='CallQuota',
            fields=[
                ('key', models.CharField(max_length=200, primary_key=True, serialize=False)),
                ('day', models.DateField()),
                ('used', models.PositiveIntegerField()),
                ('last_used_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='RateCounter',
            fields=[
                ('key', models.CharField(max_length=32, primary_key=True, serialize=False)),
                ('count', models.PositiveIntegerField()),
                ('expires_at', models.DateTimeField(db_index=True)),
            ],
        ),
    ]
