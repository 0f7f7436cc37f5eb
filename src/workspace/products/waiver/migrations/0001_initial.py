import django.db.models.deletion
import workspace.lib.clock
import workspace.products.waiver.models.invitation
import workspace.products.waiver.models.signature
import workspace.products.waiver.models.waiver
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
            name='Waiver',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('updated_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('hosts', models.JSONField(blank=True, default=list)),
                ('id', models.CharField(default=workspace.products.waiver.models.waiver._waiver_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='waivers', to='accounts.account')),
                ('publication', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='waiver', to='publishing.publication')),
                ('title', models.CharField(max_length=200)),
                ('text', models.TextField(blank=True)),
                ('clauses', models.JSONField(blank=True, default=list)),
                ('questions', models.JSONField(blank=True, default=list)),
                ('marketing_opt_in', models.CharField(blank=True, max_length=300)),
                ('version', models.PositiveIntegerField(default=1)),
                ('required_version', models.PositiveIntegerField(default=1)),
                ('accepting', models.BooleanField(default=True)),
                ('valid_for', models.JSONField(default=workspace.products.waiver.models.waiver.usual_span)),
                ('age_of_majority', models.PositiveSmallIntegerField(default=18)),
                ('minors', models.CharField(default='guardian', max_length=10)),
                ('guardian_participates', models.CharField(default='ask', max_length=4)),
                ('max_minors', models.PositiveSmallIntegerField(default=10)),
                ('signature', models.CharField(default='either', max_length=7)),
                ('email_required', models.BooleanField(default=True)),
                ('phone_required', models.BooleanField(default=False)),
                ('language', models.CharField(blank=True, max_length=8)),
                ('reminders_enabled', models.BooleanField(default=False)),
                ('kiosk', models.JSONField(blank=True, default=dict)),
                ('redirect_url', models.CharField(blank=True, max_length=2048)),
                ('signed_count', models.PositiveIntegerField(default=0)),
                ('archived_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name': 'waiver',
                'ordering': ('-id',),
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('binned_at', None)), fields=['account', '-id'], name='waiver_waiver_newest'), models.Index(condition=models.Q(('binned_at__isnull', False)), fields=['account'], name='waiver_waiver_binned')],
            },
            bases=(workspace.publishing.models.starter.Startable, models.Model),
        ),
        migrations.CreateModel(
            name='WaiverVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('waiver', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='waiver.waiver')),
                ('number', models.PositiveIntegerField()),
                ('material', models.BooleanField(default=False)),
                ('body', models.TextField()),
                ('hash', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'ordering': ('number',),
                'constraints': [models.UniqueConstraint(fields=('waiver', 'number'), name='one_waiver_version_a_number')],
            },
        ),
        migrations.CreateModel(
            name='SigningInvitation',
            fields=[
                ('id', models.CharField(default=workspace.products.waiver.models.invitation._invitation_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='signing_invitations', to='accounts.account')),
                ('waiver', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='waiver.waiver')),
                ('email', models.CharField(max_length=254)),
                ('language', models.CharField(max_length=8)),
                ('send_count', models.PositiveIntegerField(default=1)),
                ('last_sent_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('signed_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['account', 'last_sent_at'], name='waiver_invitations_of_a_day'), models.Index(fields=['waiver', '-last_sent_at'], name='waiver_invitations_newest')],
                'constraints': [models.UniqueConstraint(fields=('waiver', 'email'), name='one_signing_invitation_an_address')],
            },
        ),
        migrations.CreateModel(
            name='Signing',
            fields=[
                ('id', models.CharField(default=workspace.products.waiver.models.signature._signing_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='signings', to='accounts.account')),
                ('waiver', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='signings', to='waiver.waiver')),
                ('version', models.PositiveIntegerField()),
                ('token', models.CharField(max_length=64)),
                ('name', models.CharField(max_length=120)),
                ('email', models.CharField(blank=True, max_length=254)),
                ('phone', models.CharField(blank=True, max_length=40)),
                ('birth_date', models.DateField(blank=True, null=True)),
                ('answers', models.JSONField(blank=True, default=dict)),
                ('initials', models.JSONField(blank=True, default=dict)),
                ('signature_kind', models.CharField(choices=[('typed', 'Typed'), ('drawn', 'Drawn')], max_length=5)),
                ('typed_name', models.CharField(blank=True, max_length=120)),
                ('strokes', models.JSONField(blank=True, default=list)),
                ('consent', models.TextField(blank=True)),
                ('marketing', models.BooleanField(default=False)),
                ('language', models.CharField(blank=True, max_length=8)),
                ('time_zone', models.CharField(max_length=64)),
                ('signed_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('record', models.CharField(blank=True, max_length=40)),
                ('renewal_version', models.PositiveIntegerField(blank=True, null=True)),
                ('expiry_notice_at', models.DateTimeField(blank=True, null=True)),
                ('muted', models.BooleanField(default=False)),
                ('pdf_key', models.CharField(blank=True, max_length=60)),
                ('pdf_sha256', models.CharField(blank=True, db_index=True, max_length=64)),
                ('pdf_size', models.PositiveIntegerField(default=0)),
                ('sealed_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['account', 'signed_at'], name='signings_of_a_month'), models.Index(condition=models.Q(('record', ''), _negated=True), fields=['record'], name='signing_of_a_record')],
                'constraints': [models.UniqueConstraint(fields=('waiver', 'token'), name='one_signing_a_token')],
            },
        ),
        migrations.CreateModel(
            name='Signature',
            fields=[
                ('id', models.CharField(default=workspace.products.waiver.models.signature._signature_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='signatures', to='accounts.account')),
                ('waiver', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='signatures', to='waiver.waiver')),
                ('signing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='signatures', to='waiver.signing')),
                ('version', models.PositiveIntegerField()),
                ('name', models.CharField(max_length=120)),
                ('person', models.CharField(max_length=160)),
                ('birth_date', models.DateField(blank=True, null=True)),
                ('relationship', models.CharField(blank=True, max_length=60)),
                ('is_signer', models.BooleanField(default=False)),
                ('email', models.CharField(blank=True, max_length=254)),
                ('phone', models.CharField(blank=True, max_length=24)),
                ('phone_national', models.CharField(blank=True, max_length=24)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('of_age_at', models.DateTimeField(blank=True, null=True)),
                ('voided_at', models.DateTimeField(blank=True, null=True)),
                ('void_reason', models.CharField(blank=True, max_length=300)),
                ('search', models.TextField(blank=True)),
            ],
            options={
                'ordering': ('-id',),
                'indexes': [models.Index(fields=['waiver', '-id'], name='signatures_of_a_waiver'), models.Index(fields=['account', '-id'], name='signatures_newest_first'), models.Index(fields=['account', 'person', 'birth_date'], name='signatures_of_a_person'), models.Index(fields=['account', 'email', '-id'], name='signatures_by_email', opclasses=['varchar_ops', 'varchar_pattern_ops', 'varchar_ops']), models.Index(fields=['account', 'phone', '-id'], name='signatures_by_phone', opclasses=['varchar_ops', 'varchar_pattern_ops', 'varchar_ops']), models.Index(fields=['account', 'phone_national', '-id'], name='signatures_by_digits', opclasses=['varchar_ops', 'varchar_pattern_ops', 'varchar_ops'])],
            },
        ),
        migrations.CreateModel(
            name='NameWord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('account', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.account')),
                ('signature', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='name_words', to='waiver.signature')),
                ('word', models.CharField(max_length=120)),
                ('of_signer', models.BooleanField(default=False)),
            ],
            options={
                'indexes': [models.Index(fields=['account', 'word', 'of_signer', '-signature'], name='signatures_by_word', opclasses=['varchar_ops', 'varchar_pattern_ops', 'bool_ops', 'varchar_ops'])],
            },
        ),
        migrations.CreateModel(
            name='Attendance',
            fields=[
                ('id', models.CharField(default=workspace.products.waiver.models.signature._visit_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attendances', to='accounts.account')),
                ('signature', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attendances', to='waiver.signature')),
                ('occurred_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('validity', models.CharField(default='valid', max_length=10)),
            ],
            options={
                'ordering': ('-id',),
                'indexes': [models.Index(fields=['account', '-id'], name='waiver_attendance_newest_first')],
            },
        ),
    ]
