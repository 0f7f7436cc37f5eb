import django.db.models.deletion
import workspace.lib.clock
import workspace.products.bid.models.decision
import workspace.products.bid.models.library
import workspace.products.bid.models.message
import workspace.products.bid.models.proposal
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
            name='NumberSequence',
            fields=[
                ('account', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='bid_number_sequence', serialize=False, to='accounts.account')),
                ('last_number', models.PositiveIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='Proposal',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('updated_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('id', models.CharField(default=workspace.products.bid.models.proposal._bid_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='proposals', to='accounts.account')),
                ('publication', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='proposal', to='publishing.publication')),
                ('number', models.PositiveIntegerField()),
                ('status', models.CharField(choices=[('draft', 'Draft'), ('sent', 'Sent'), ('viewed', 'Viewed'), ('approved', 'Approved'), ('declined', 'Declined')], default='draft', max_length=10)),
                ('title', models.CharField(max_length=200)),
                ('client_name', models.CharField(blank=True, max_length=120)),
                ('client_email', models.CharField(blank=True, max_length=254)),
                ('client_company', models.CharField(blank=True, max_length=120)),
                ('intro', models.TextField(blank=True)),
                ('line_items', models.JSONField(blank=True, default=list)),
                ('packages', models.JSONField(blank=True, default=list)),
                ('discount', models.JSONField(blank=True, default=dict)),
                ('deposit', models.JSONField(blank=True, default=dict)),
                ('currency', models.CharField(default='USD', max_length=3)),
                ('tax_rate', models.CharField(default='0', max_length=12)),
                ('tax_label', models.CharField(blank=True, max_length=40)),
                ('tax_inclusive', models.BooleanField(default=False)),
                ('notes', models.TextField(blank=True)),
                ('image', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('video_url', models.CharField(blank=True, max_length=500)),
                ('numbers', models.JSONField(blank=True, default=list)),
                ('valid_until', models.DateField()),
                ('language', models.CharField(default='en', max_length=8)),
                ('revision', models.PositiveIntegerField(default=1)),
                ('revision_hash', models.CharField(blank=True, max_length=64)),
                ('total', models.BigIntegerField(default=0)),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('mailed_at', models.DateTimeField(blank=True, null=True)),
                ('viewed_at', models.DateTimeField(blank=True, null=True)),
                ('last_viewed_at', models.DateTimeField(blank=True, null=True)),
                ('views', models.PositiveIntegerField(default=0)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('archived_at', models.DateTimeField(blank=True, null=True)),
                ('version_of', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='versions', to='bid.proposal')),
            ],
            options={
                'verbose_name': 'proposal',
                'ordering': ('-id',),
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('binned_at', None)), fields=['account', '-id'], name='bid_proposal_newest'), models.Index(condition=models.Q(('binned_at__isnull', False)), fields=['account'], name='bid_proposal_binned'), models.Index(condition=models.Q(('archived_at', None), ('binned_at', None)), fields=['account', 'status', '-id'], name='bid_proposal_by_status'), models.Index(fields=['account', 'created_at'], name='bid_proposal_of_month')],
                'constraints': [models.UniqueConstraint(fields=('account', 'number'), name='one_proposal_a_number')],
            },
            bases=(workspace.publishing.models.starter.Startable, models.Model),
        ),
        migrations.CreateModel(
            name='Revision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('proposal', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='revisions', to='bid.proposal')),
                ('number', models.PositiveIntegerField()),
                ('body', models.TextField()),
                ('hash', models.CharField(max_length=64)),
                ('total', models.BigIntegerField()),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('erased_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ('number',),
                'constraints': [models.UniqueConstraint(fields=('proposal', 'number'), name='one_revision_a_number')],
            },
        ),
        migrations.CreateModel(
            name='Decision',
            fields=[
                ('id', models.CharField(default=workspace.products.bid.models.decision._decision_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('proposal', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='decisions', to='bid.proposal')),
                ('revision', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='decisions', to='bid.revision')),
                ('outcome', models.CharField(choices=[('approved', 'Approved'), ('declined', 'Declined'), ('withdrawn', 'Withdrawn')], max_length=10)),
                ('decided_by', models.CharField(choices=[('client', 'Client'), ('owner', 'Owner')], max_length=10)),
                ('is_current', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('name', models.CharField(blank=True, max_length=120)),
                ('email', models.CharField(blank=True, max_length=254)),
                ('verified', models.BooleanField(default=False)),
                ('signature_strokes', models.JSONField(blank=True, default=list)),
                ('consent', models.TextField(blank=True)),
                ('consent_version', models.CharField(blank=True, max_length=20)),
                ('selection', models.JSONField(blank=True, default=dict)),
                ('totals', models.JSONField(blank=True, default=dict)),
                ('reason', models.CharField(blank=True, max_length=20)),
                ('comment', models.TextField(blank=True)),
                ('language', models.CharField(blank=True, max_length=8)),
                ('record', models.CharField(blank=True, max_length=40)),
                ('pdf_key', models.CharField(blank=True, max_length=60)),
                ('pdf_sha256', models.CharField(blank=True, db_index=True, max_length=64)),
                ('pdf_size', models.PositiveIntegerField(default=0)),
                ('sealed_at', models.DateTimeField(blank=True, null=True)),
                ('deposit_paid_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ('created_at', 'id'),
                'constraints': [models.UniqueConstraint(condition=models.Q(('is_current', True)), fields=('proposal',), name='one_current_decision')],
            },
        ),
        migrations.CreateModel(
            name='BidEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('proposal', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='bid.proposal')),
                ('kind', models.CharField(choices=[('sent', 'Sent'), ('mailed', 'Mailed'), ('revised', 'Revised'), ('viewed', 'Viewed'), ('reminded', 'Reminded'), ('asked', 'Asked'), ('answered', 'Answered'), ('code_sent', 'Code Sent'), ('code_right', 'Code Right'), ('code_wrong', 'Code Wrong'), ('approved', 'Approved'), ('declined', 'Declined'), ('withdrawn', 'Withdrawn'), ('reopened', 'Reopened'), ('sealed', 'Sealed'), ('downloaded', 'Downloaded'), ('deposit_paid', 'Deposit Paid'), ('deposit_coming', 'Deposit Coming'), ('deposit_failed', 'Deposit Failed'), ('deposit_back', 'Deposit Back'), ('bounced', 'Bounced'), ('quiet', 'Quiet')], max_length=14)),
                ('actor', models.CharField(max_length=10)),
                ('status', models.CharField(max_length=10)),
                ('revision', models.PositiveIntegerField(default=1)),
                ('details', models.JSONField(blank=True, default=dict)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'ordering': ('created_at', 'id'),
                'indexes': [models.Index(fields=['proposal', 'created_at'], name='bid_event_in_order')],
            },
        ),
        migrations.CreateModel(
            name='LibraryItem',
            fields=[
                ('id', models.CharField(default=workspace.products.bid.models.library._item_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bid_items', to='accounts.account')),
                ('name', models.CharField(max_length=200)),
                ('description', models.TextField(blank=True)),
                ('unit', models.CharField(blank=True, max_length=40)),
                ('unit_price', models.CharField(blank=True, max_length=20)),
                ('taxable', models.BooleanField(default=True)),
                ('position', models.PositiveIntegerField(default=0)),
                ('search', models.TextField(default='')),
            ],
            options={
                'ordering': ('position', 'id'),
                'indexes': [models.Index(fields=['account', 'position', 'id'], name='bid_items_in_order')],
            },
        ),
        migrations.CreateModel(
            name='Template',
            fields=[
                ('id', models.CharField(default=workspace.products.bid.models.library._template_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bid_templates', to='accounts.account')),
                ('name', models.CharField(max_length=200)),
                ('content', models.JSONField(default=dict)),
                ('search', models.TextField(default='')),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'ordering': ('name', 'id'),
                'indexes': [models.Index(fields=['account', 'name', 'id'], name='bid_templates_by_name')],
            },
        ),
        migrations.CreateModel(
            name='Message',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('id', models.CharField(default=workspace.products.bid.models.message._message_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.account')),
                ('proposal', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='bid.proposal')),
                ('author', models.CharField(max_length=10)),
                ('dedupe_key', models.CharField(max_length=64)),
                ('name', models.CharField(blank=True, max_length=120)),
                ('email', models.CharField(blank=True, max_length=254)),
                ('text', models.TextField()),
                ('search', models.TextField(default='')),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'ordering': ('created_at', 'id'),
                'indexes': [models.Index(condition=models.Q(('binned_at', None)), fields=['account', '-created_at', '-id'], name='bid_message_newest')],
                'constraints': [models.UniqueConstraint(fields=('proposal', 'dedupe_key'), name='one_message_a_form')],
            },
        ),
    ]
