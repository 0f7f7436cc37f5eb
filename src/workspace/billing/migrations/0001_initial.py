import django.db.models.deletion
import workspace.billing.models.invite
import workspace.billing.models.purchase
import workspace.lib.clock
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='BillingEvent',
            fields=[
                ('id', models.CharField(max_length=100, primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=60)),
                ('received_at', models.DateTimeField(db_index=True, default=workspace.lib.clock.now)),
            ],
        ),
        migrations.CreateModel(
            name='InviteMonth',
            fields=[
                ('id', models.CharField(default=workspace.billing.models.invite._month_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invite_months', to='accounts.account')),
                ('pair', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='months', to='accounts.invitepair')),
                ('side', models.CharField(choices=[('friend', 'friend'), ('inviter', 'inviter')], max_length=10)),
                ('state', models.CharField(choices=[('held', 'held'), ('banked', 'banked'), ('sending', 'sending'), ('credited', 'credited'), ('returning', 'returning'), ('gone', 'gone'), ('denied', 'denied')], max_length=10)),
                ('product', models.CharField(max_length=20)),
                ('plan', models.CharField(max_length=20)),
                ('amount', models.PositiveIntegerField()),
                ('paid_at', models.DateTimeField()),
                ('reference', models.CharField(blank=True, max_length=100)),
            ],
            options={
                'ordering': ('id',),
                'constraints': [models.UniqueConstraint(fields=('pair', 'side'), name='one_free_month_a_side')],
            },
        ),
        migrations.CreateModel(
            name='InviteMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invite_mails', to='accounts.account')),
                ('email', models.EmailField(max_length=254)),
                ('sent_at', models.DateTimeField(db_index=True, default=workspace.lib.clock.now)),
            ],
        ),
        migrations.CreateModel(
            name='Subscription',
            fields=[
                ('id', models.CharField(editable=False, max_length=100, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='subscriptions', to='accounts.account')),
                ('live', models.BooleanField()),
                ('status', models.CharField(max_length=30)),
                ('items', models.JSONField(blank=True, default=list)),
                ('renews_at', models.DateTimeField(blank=True, null=True)),
                ('ends_at', models.DateTimeField(blank=True, null=True)),
                ('started_at', models.DateTimeField()),
                ('checked_at', models.DateTimeField()),
            ],
            options={
                'ordering': ('started_at', 'id'),
            },
        ),
        migrations.CreateModel(
            name='PlanGrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='plan_grants', to='accounts.account')),
                ('product', models.CharField(max_length=20)),
                ('plan', models.CharField(max_length=20)),
                ('ends_at', models.DateTimeField(db_index=True)),
                ('is_over', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
        ),
        migrations.CreateModel(
            name='Invoice',
            fields=[
                ('id', models.CharField(editable=False, max_length=100, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invoices', to='accounts.account')),
                ('live', models.BooleanField()),
                ('paid', models.PositiveIntegerField(default=0)),
                ('paid_at', models.DateTimeField(blank=True, null=True)),
                ('refunded', models.PositiveIntegerField(default=0)),
                ('is_lost', models.BooleanField(default=False)),
                ('payment_intent', models.CharField(blank=True, db_index=True, max_length=100)),
                ('subscription', models.CharField(blank=True, max_length=100)),
                ('checked_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Customer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('account', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='customer', to='accounts.account')),
                ('reference', models.CharField(max_length=100, unique=True)),
                ('live', models.BooleanField()),
                ('cards', models.JSONField(blank=True, default=list)),
            ],
        ),
        migrations.CreateModel(
            name='Price',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reference', models.CharField(max_length=100, unique=True)),
                ('live', models.BooleanField()),
                ('product', models.CharField(max_length=20)),
                ('plan', models.CharField(max_length=20)),
                ('amount', models.PositiveIntegerField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('live', 'product', 'plan', 'amount'), name='one_price_a_plan')],
            },
        ),
        migrations.CreateModel(
            name='Purchase',
            fields=[
                ('id', models.CharField(default=workspace.billing.models.purchase._purchase_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='purchases', to='accounts.account')),
                ('kind', models.CharField(choices=[('plan', 'plan'), ('credits', 'credits')], max_length=10)),
                ('product', models.CharField(max_length=20)),
                ('plan', models.CharField(max_length=20)),
                ('quantity', models.PositiveSmallIntegerField(default=1)),
                ('amount', models.PositiveIntegerField()),
                ('live', models.BooleanField()),
                ('state', models.CharField(choices=[('opening', 'opening'), ('open', 'open'), ('processing', 'processing'), ('done', 'done'), ('failed', 'failed'), ('expired', 'expired')], default='opening', max_length=10)),
                ('session', models.CharField(blank=True, db_index=True, max_length=100)),
                ('payment_intent', models.CharField(blank=True, db_index=True, max_length=100)),
                ('refunded', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('checked_at', models.DateTimeField(blank=True, null=True)),
                ('paid_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['state', 'checked_at'], name='purchases_to_ask_for')],
            },
        ),
    ]
