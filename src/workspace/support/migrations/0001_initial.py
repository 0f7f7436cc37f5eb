import django.db.models.deletion
import workspace.lib.clock
import workspace.support.models.inbound_mail
import workspace.support.models.ticket
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Ticket',
            fields=[
                ('number', models.BigAutoField(primary_key=True, serialize=False)),
                ('key', models.CharField(default=workspace.support.models.ticket._ticket_key, editable=False, max_length=40, unique=True)),
                ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='tickets', to='accounts.account')),
                ('email', models.CharField(max_length=254)),
                ('subject', models.CharField(max_length=150)),
                ('product', models.CharField(blank=True, max_length=20)),
                ('status', models.CharField(choices=[('open', 'open'), ('answered', 'answered'), ('closed', 'closed')], default='open', max_length=10)),
                ('previous_ticket', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='next_tickets', to='support.ticket')),
                ('is_flagged', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('updated_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('waiting_since', models.DateTimeField(default=workspace.lib.clock.now, null=True)),
                ('closed_at', models.DateTimeField(null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['account', '-number'], name='tickets_of_an_account'), models.Index(fields=['status', 'waiting_since'], name='tickets_by_waiting')],
            },
        ),
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.CharField(default=workspace.support.models.ticket._message_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('ticket', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='support.ticket')),
                ('author', models.CharField(choices=[('you', 'you'), ('team', 'team')], max_length=4)),
                ('text', models.TextField(max_length=10000)),
                ('quoted', models.TextField(blank=True)),
                ('html', models.TextField(blank=True)),
                ('message_id', models.CharField(max_length=250, null=True, unique=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'ordering': ('created_at', 'id'),
            },
        ),
        migrations.CreateModel(
            name='Attachment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('message', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attachments', to='support.message')),
                ('upload', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.upload')),
            ],
        ),
        migrations.CreateModel(
            name='InboundMail',
            fields=[
                ('id', models.CharField(default=workspace.support.models.inbound_mail._mail_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('sender', models.CharField(blank=True, max_length=254)),
                ('subject', models.CharField(blank=True, max_length=200)),
                ('outcome', models.CharField(choices=[('joined', 'joined'), ('new', 'new'), ('held', 'held'), ('ignored', 'ignored')], max_length=10)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('ticket', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='mails', to='support.ticket')),
                ('received_at', models.DateTimeField(db_index=True, default=workspace.lib.clock.now)),
                ('size', models.PositiveIntegerField()),
                ('raw', models.BinaryField()),
            ],
        ),
    ]
