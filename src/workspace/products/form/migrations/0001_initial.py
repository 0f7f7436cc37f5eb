import django.db.models.deletion
import workspace.lib.clock
import workspace.products.form.models.file
import workspace.products.form.models.form
import workspace.products.form.models.response
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
            name='Form',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('updated_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('hosts', models.JSONField(blank=True, default=list)),
                ('id', models.CharField(default=workspace.products.form.models.form._form_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='forms', to='accounts.account')),
                ('publication', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='form', to='publishing.publication')),
                ('title', models.CharField(max_length=200)),
                ('version', models.PositiveIntegerField(default=1)),
                ('keys', models.JSONField(blank=True, default=dict)),
                ('accepting', models.BooleanField(default=True)),
                ('closes_at', models.DateTimeField(blank=True, null=True)),
                ('max_responses', models.PositiveIntegerField(blank=True, null=True)),
                ('notified_max_responses', models.PositiveIntegerField(blank=True, editable=False, null=True)),
                ('notified_closes_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('one_per_email', models.BooleanField(default=False)),
                ('one_at_a_time', models.BooleanField(default=False)),
                ('thank_you', models.TextField(blank=True)),
                ('redirect_url', models.CharField(blank=True, max_length=2000)),
                ('notify', models.JSONField(blank=True, default=list)),
                ('receipt', models.BooleanField(default=False)),
                ('language', models.CharField(blank=True, max_length=8)),
                ('color', models.CharField(blank=True, max_length=7)),
            ],
            options={
                'verbose_name': 'form',
                'ordering': ('-id',),
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('binned_at', None)), fields=['account', '-id'], name='form_form_newest'), models.Index(condition=models.Q(('binned_at__isnull', False)), fields=['account'], name='form_form_binned'), models.Index(condition=models.Q(('closes_at__isnull', False)), fields=['closes_at'], name='form_that_closes')],
            },
            bases=(workspace.publishing.models.starter.Startable, models.Model),
        ),
        migrations.CreateModel(
            name='Response',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('id', models.CharField(default=workspace.products.form.models.response._response_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.account')),
                ('form', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='responses', to='form.form')),
                ('version', models.PositiveIntegerField()),
                ('answers', models.JSONField(blank=True, default=dict)),
                ('folder', models.CharField(default='inbox', max_length=10)),
                ('suspicion', models.CharField(blank=True, max_length=10)),
                ('read_at', models.DateTimeField(blank=True, null=True)),
                ('by_owner', models.BooleanField(default=False)),
                ('is_over_limit', models.BooleanField(default=False)),
                ('dedupe_key', models.CharField(max_length=64)),
                ('email', models.CharField(blank=True, max_length=254)),
                ('page', models.CharField(blank=True, max_length=60)),
                ('language', models.CharField(blank=True, max_length=8)),
                ('search', models.TextField(blank=True, default='')),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'ordering': ('-created_at', '-id'),
                'indexes': [models.Index(condition=models.Q(('binned_at', None)), fields=['form', 'folder', '-created_at', '-id'], name='form_responses_newest'), models.Index(condition=models.Q(('binned_at', None)), fields=['account', 'folder', '-created_at', '-id', 'form'], name='form_responses_all'), models.Index(condition=models.Q(('binned_at', None), models.Q(('email', ''), _negated=True)), fields=['form', 'email'], name='form_responses_of_email'), models.Index(fields=['form', 'version'], name='form_responses_of_version'), models.Index(condition=models.Q(('folder', 'partial')), fields=['created_at'], name='form_responses_begun')],
                'constraints': [models.UniqueConstraint(fields=('form', 'dedupe_key'), name='one_response_a_form')],
            },
        ),
        migrations.CreateModel(
            name='GuestFile',
            fields=[
                ('id', models.CharField(default=workspace.products.form.models.file._file_id, editable=False, max_length=60, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.account')),
                ('form', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='files', to='form.form')),
                ('response', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='files', to='form.response')),
                ('field', models.CharField(max_length=60)),
                ('name', models.CharField(max_length=120)),
                ('media_type', models.CharField(max_length=100)),
                ('size', models.PositiveIntegerField()),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'indexes': [models.Index(fields=['account', 'size'], name='form_files_size'), models.Index(condition=models.Q(('response', None)), fields=['created_at'], name='form_files_waiting')],
            },
        ),
        migrations.CreateModel(
            name='FormVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('form', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='form.form')),
                ('number', models.PositiveIntegerField()),
                ('body', models.JSONField()),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'ordering': ('number',),
                'constraints': [models.UniqueConstraint(fields=('form', 'number'), name='one_form_version_a_number')],
            },
        ),
    ]
