from django.db import migrations, models


# what menus had that nobody had given colours; the brand's is the same until somebody chooses another
def take_the_brands(apps, schema_editor):
    apps.get_model("menu", "Menu")._base_manager.filter(theme="linen").update(theme="brand")


class Migration(migrations.Migration):

    dependencies = [
        ('menu', '0004_lists_in_their_order'),
    ]

    operations = [
        migrations.AlterField(
            model_name='menu',
            name='theme',
            field=models.CharField(default='brand', max_length=20),
        ),
        migrations.RunPython(take_the_brands, migrations.RunPython.noop),
    ]
