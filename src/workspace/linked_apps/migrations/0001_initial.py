import django.db.models.deletion
import workspace.lib.clock
import workspace.linked_apps.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='LinkedApp',
            fields=[
                ('id', models.CharField(default=workspace.linked_apps.models._grant_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='linked_apps', to='accounts.account')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('application', models.CharField(max_length=20)),
                ('issuer', models.TextField()),
                ('resource', models.TextField()),
                ('token_url', models.TextField()),
                ('revocation_url', models.TextField(blank=True)),
                ('client_id', models.TextField()),
                ('client_secret', models.TextField(blank=True)),
                ('access_token_encrypted', models.TextField()),
                ('refresh_token_encrypted', models.TextField(blank=True)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('refresh_lease_until', models.DateTimeField(blank=True, null=True)),
                ('last_error', models.CharField(blank=True, max_length=300)),
                ('protocol_version', models.CharField(blank=True, max_length=20)),
                ('tools', models.JSONField(default=list)),
                ('tools_at', models.DateTimeField(blank=True, null=True)),
                ('checked_at', models.DateTimeField(blank=True, null=True)),
                ('rejected_tools', models.JSONField(default=list)),
                ('plan', models.CharField(blank=True, max_length=40)),
                ('remote_name', models.CharField(blank=True, max_length=120)),
                ('connected_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('used_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('account', 'person', 'application'), name='one_linked_app_an_application')],
            },
        ),
        migrations.CreateModel(
            name='Registration',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('application', models.CharField(max_length=20)),
                ('issuer', models.TextField()),
                ('redirect_uri', models.TextField()),
                ('client_id', models.TextField()),
                ('client_secret', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('application', 'issuer', 'redirect_uri'), name='one_registration_a_server')],
            },
        ),
        migrations.CreateModel(
            name='AppHealth',
            fields=[
                ('application', models.CharField(max_length=20, primary_key=True, serialize=False)),
                ('failures', models.PositiveIntegerField(default=0)),
                ('down_since', models.DateTimeField(blank=True, null=True)),
                ('last_error', models.CharField(blank=True, max_length=300)),
                ('next_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
    ]
