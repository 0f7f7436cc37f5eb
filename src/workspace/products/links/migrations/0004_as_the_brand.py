from django.db import migrations, models


# what pages had that nobody had given a look; the brand's stays until somebody chooses another
def take_the_brands(apps, schema_editor):
    apps.get_model("links", "Page")._base_manager.filter(theme="paper").update(theme="brand")


class Migration(migrations.Migration):

    dependencies = [
        ('links', '0003_lists_in_their_order'),
    ]

    operations = [
        migrations.AlterField(
            model_name='page',
            name='theme',
            field=models.CharField(default='brand', max_length=20),
        ),
        migrations.RunPython(take_the_brands, migrations.RunPython.noop),
    ]
