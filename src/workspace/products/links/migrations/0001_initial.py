import django.db.models.deletion
import workspace.lib.clock
import workspace.products.links.models
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
            name='Page',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('updated_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('id', models.CharField(default=workspace.products.links.models._page_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='link_pages', to='accounts.account')),
                ('publication', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='link_page', to='publishing.publication')),
                ('title', models.CharField(max_length=80)),
                ('bio', models.CharField(blank=True, max_length=300)),
                ('theme', models.CharField(default='brand', max_length=20)),
                ('avatar', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('social_profiles', models.JSONField(blank=True, default=list)),
                ('share_title', models.CharField(blank=True, max_length=90)),
                ('share_description', models.CharField(blank=True, max_length=200)),
                ('share_image', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
            ],
            options={
                'ordering': ('-id',),
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('binned_at', None)), fields=['account', '-id'], name='links_page_newest'), models.Index(condition=models.Q(('binned_at__isnull', False)), fields=['account'], name='links_page_binned')],
            },
            bases=(workspace.publishing.models.starter.Startable, models.Model),
        ),
        migrations.CreateModel(
            name='Element',
            fields=[
                ('id', models.CharField(default=workspace.products.links.models._element_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('page', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='elements', to='links.page')),
                ('position', models.PositiveIntegerField()),
                ('kind', models.CharField(max_length=10)),
                ('title', models.CharField(blank=True, max_length=120)),
                ('url', models.CharField(blank=True, max_length=2048)),
                ('icon', models.CharField(blank=True, max_length=16)),
                ('image', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('text', models.CharField(blank=True, max_length=1000)),
                ('live_block_kind', models.CharField(blank=True, max_length=20)),
                ('live_block_item_id', models.CharField(blank=True, max_length=40)),
                ('is_on', models.BooleanField(default=True)),
                ('shows_from', models.DateTimeField(blank=True, null=True)),
                ('shows_until', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'ordering': ('position', 'id'),
                'indexes': [models.Index(fields=['page', 'position', 'id'], name='links_elements_in_order')],
            },
        ),
    ]
