from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0006_colour'),
    ]

    operations = [
        migrations.AddField(
            model_name='reviewpage',
            name='layout',
            field=models.CharField(default='grid', max_length=10),
        ),
    ]
