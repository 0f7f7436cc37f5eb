import django.db.models.deletion
import workspace.lib.clock
import workspace.products.certs.models.certificate
import workspace.products.certs.models.issuer
import workspace.products.certs.models.template
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
            name='Issuer',
            fields=[
                ('id', models.CharField(default=workspace.products.certs.models.issuer._issuer_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='cert_issuer', to='accounts.account')),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
        ),
        migrations.CreateModel(
            name='IssuerKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('issuer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='keys', to='certs.issuer')),
                ('number', models.PositiveIntegerField()),
                ('public', models.CharField(max_length=60)),
                ('private', models.TextField()),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('issuer', 'number'), name='one_key_of_a_number')],
            },
        ),
        migrations.CreateModel(
            name='StatusList',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('issuer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lists', to='certs.issuer')),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
        ),
        migrations.CreateModel(
            name='Template',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('updated_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('id', models.CharField(default=workspace.products.certs.models.template._template_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cert_templates', to='accounts.account')),
                ('publication', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='cert_template', to='publishing.publication')),
                ('name', models.CharField(max_length=80)),
                ('title', models.CharField(max_length=120)),
                ('organization', models.CharField(blank=True, max_length=120)),
                ('signers', models.JSONField(blank=True, default=list)),
                ('design', models.CharField(default='classic', max_length=20)),
                ('paper', models.CharField(default='a4', max_length=6)),
                ('landscape', models.BooleanField(default=True)),
                ('colors', models.JSONField(blank=True, default=list)),
                ('fonts', models.CharField(blank=True, max_length=20)),
                ('seal', models.CharField(default='rosette', max_length=10)),
                ('elements', models.JSONField(blank=True, default=list)),
                ('logo', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('background_image', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('signature_1', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('signature_2', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('signature_3', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('signature_4', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('intro', models.CharField(blank=True, max_length=200)),
                ('body', models.CharField(blank=True, max_length=400)),
                ('description', models.CharField(blank=True, max_length=600)),
                ('criteria', models.TextField(blank=True)),
                ('skills', models.JSONField(blank=True, default=list)),
                ('hours_label', models.CharField(blank=True, max_length=40)),
                ('custom_label', models.CharField(blank=True, max_length=40)),
                ('valid_months', models.PositiveSmallIntegerField(default=0)),
                ('language', models.CharField(blank=True, max_length=35)),
                ('mail_subject', models.CharField(blank=True, max_length=150)),
                ('mail_text', models.TextField(blank=True)),
            ],
            options={
                'verbose_name': 'certificate template',
                'ordering': ('-id',),
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('binned_at', None)), fields=['account', '-id'], name='certs_template_newest'), models.Index(condition=models.Q(('binned_at__isnull', False)), fields=['account'], name='certs_template_binned')],
            },
            bases=(workspace.publishing.models.starter.Startable, models.Model),
        ),
        migrations.CreateModel(
            name='Certificate',
            fields=[
                ('id', models.CharField(default=workspace.products.certs.models.certificate._certificate_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='certificates', to='accounts.account')),
                ('template', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='certificates', to='certs.template')),
                ('code', models.CharField(default=workspace.products.certs.models.certificate.new_code, editable=False, max_length=16, unique=True)),
                ('batch', models.CharField(blank=True, max_length=40)),
                ('title', models.CharField(max_length=120)),
                ('organization', models.CharField(blank=True, max_length=120)),
                ('name', models.CharField(max_length=120)),
                ('email', models.CharField(blank=True, max_length=254)),
                ('course', models.CharField(blank=True, max_length=200)),
                ('date', models.CharField(blank=True, max_length=60)),
                ('day', models.DateField(blank=True, null=True)),
                ('hours', models.CharField(blank=True, max_length=40)),
                ('custom', models.CharField(blank=True, max_length=200)),
                ('reference', models.CharField(blank=True, max_length=80)),
                ('language', models.CharField(blank=True, max_length=35)),
                ('expires_on', models.DateField(blank=True, null=True)),
                ('counts_toward_limit', models.BooleanField(default=True)),
                ('is_emailed', models.BooleanField(default=False)),
                ('email_delivery_id', models.CharField(blank=True, max_length=40)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('revoke_reason', models.CharField(blank=True, max_length=300)),
                ('replaced_by', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='replaces', to='certs.certificate')),
                ('record', models.CharField(blank=True, max_length=40)),
                ('pdf_key', models.CharField(blank=True, max_length=60)),
                ('pdf_sha256', models.CharField(blank=True, db_index=True, max_length=64)),
                ('pdf_size', models.PositiveIntegerField(default=0)),
                ('sealed_at', models.DateTimeField(blank=True, null=True)),
                ('badge_key', models.CharField(blank=True, max_length=60)),
                ('status_list', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='certificates', to='certs.statuslist')),
                ('status_index', models.PositiveIntegerField(blank=True, null=True)),
                ('reminded_at', models.DateTimeField(blank=True, null=True)),
                ('search', models.TextField(blank=True)),
            ],
            options={
                'ordering': ('-id',),
                'indexes': [models.Index(fields=['account', '-id'], name='certificates_newest_first'), models.Index(fields=['account', 'email', '-id'], name='certificates_by_email', opclasses=['varchar_ops', 'varchar_pattern_ops', 'varchar_ops']), models.Index(condition=models.Q(('counts_toward_limit', True)), fields=['account', 'created_at'], name='certificates_of_a_month'), models.Index(condition=models.Q(('record', ''), _negated=True), fields=['record'], name='certificate_of_a_record'), models.Index(condition=models.Q(('expires_on__isnull', False), ('reminded_at', None)), fields=['expires_on'], name='certificates_that_expire')],
                'constraints': [models.UniqueConstraint(fields=('status_list', 'status_index'), name='one_certificate_a_status_bit')],
            },
        ),
        migrations.CreateModel(
            name='NameWord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('account', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.account')),
                ('certificate', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='name_words', to='certs.certificate')),
                ('word', models.CharField(max_length=121)),
            ],
            options={
                'indexes': [models.Index(fields=['account', 'word', '-certificate'], name='certificates_by_word', opclasses=['varchar_ops', 'varchar_pattern_ops', 'varchar_ops'])],
            },
        ),
    ]
