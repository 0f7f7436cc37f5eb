import django.db.models.deletion
import workspace.lib.clock
import workspace.products.menu.models
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
            name='Menu',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('updated_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('id', models.CharField(default=workspace.products.menu.models._menu_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='menus', to='accounts.account')),
                ('publication', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='menu', to='publishing.publication')),
                ('restaurant_name', models.CharField(max_length=120)),
                ('currency', models.CharField(default='USD', max_length=3)),
                ('address', models.TextField(blank=True)),
                ('intro', models.TextField(blank=True)),
                ('theme', models.CharField(default='brand', max_length=20)),
                ('logo', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('hours', models.JSONField(blank=True, default=list)),
                ('languages', models.JSONField(blank=True, default=list)),
                ('translations', models.JSONField(blank=True, default=dict)),
                ('sold_out_resets_at', models.CharField(blank=True, max_length=5)),
            ],
            options={
                'ordering': ('-id',),
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('binned_at', None)), fields=['account', '-id'], name='menu_menu_newest'), models.Index(condition=models.Q(('binned_at__isnull', False)), fields=['account'], name='menu_menu_binned')],
            },
            bases=(workspace.publishing.models.starter.Startable, models.Model),
        ),
        migrations.CreateModel(
            name='Section',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('id', models.CharField(default=workspace.products.menu.models._section_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('menu', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sections', to='menu.menu')),
                ('name', models.CharField(max_length=80)),
                ('description', models.TextField(blank=True)),
                ('translations', models.JSONField(blank=True, default=dict)),
                ('hours', models.JSONField(blank=True, default=list)),
                ('hidden', models.BooleanField(default=False)),
                ('position', models.PositiveIntegerField(default=0)),
            ],
            options={
                'ordering': ('position', 'id'),
                'indexes': [models.Index(fields=['menu', 'position', 'id'], name='menu_sections_in_their_order')],
            },
        ),
        migrations.CreateModel(
            name='Item',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('id', models.CharField(default=workspace.products.menu.models._item_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('section', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='menu.section')),
                ('name', models.CharField(max_length=120)),
                ('description', models.TextField(blank=True)),
                ('translations', models.JSONField(blank=True, default=dict)),
                ('price_minor', models.PositiveIntegerField(blank=True, null=True)),
                ('price_from', models.BooleanField(default=False)),
                ('price_note', models.CharField(blank=True, max_length=60)),
                ('tags', models.JSONField(blank=True, default=list)),
                ('allergens', models.JSONField(blank=True, default=dict)),
                ('allergens_checked', models.BooleanField(default=False)),
                ('variants', models.JSONField(blank=True, default=list)),
                ('add_ons', models.JSONField(blank=True, default=list)),
                ('photo', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('marked_sold_out', models.BooleanField(default=False)),
                ('sold_out_until', models.DateTimeField(blank=True, null=True)),
                ('hidden', models.BooleanField(default=False)),
                ('position', models.PositiveIntegerField(default=0)),
            ],
            options={
                'ordering': ('position', 'id'),
                'indexes': [models.Index(fields=['section', 'position', 'id'], name='menu_items_in_their_order')],
            },
        ),
    ]
