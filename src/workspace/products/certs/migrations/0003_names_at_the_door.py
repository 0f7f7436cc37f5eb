import django.db.models.deletion
from django.db import migrations, models

from workspace.lib import name_key


def fill(apps, schema_editor):
    Certificate, NameWord = apps.get_model("certs", "Certificate"), apps.get_model("certs", "NameWord")
    last = ""
    while some := list(Certificate.objects.exclude(search="").filter(pk__gt=last).order_by("pk")[:500]):
        NameWord.objects.bulk_create(
            NameWord(account_id=one.account_id, certificate_id=one.pk, word=word)
            for one in some
            for word in dict.fromkeys(
                (*(word[:120] for word in name_key.split_words(one.name)), f"={name_key.build_key(one.name)}"[:121])
            )
        )
        last = some[-1].pk


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0010_invites'),
        ('certs', '0002_badges'),
    ]

    operations = [
        migrations.CreateModel(
            name='NameWord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('word', models.CharField(max_length=121)),
            ],
        ),
        migrations.AddIndex(
            model_name='certificate',
            index=models.Index(fields=['account', 'email', '-id'], name='certificates_by_email', opclasses=['varchar_ops', 'varchar_pattern_ops', 'varchar_ops']),
        ),
        migrations.AddField(
            model_name='nameword',
            name='account',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.account'),
        ),
        migrations.AddField(
            model_name='nameword',
            name='certificate',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='name_words', to='certs.certificate'),
        ),
        migrations.AddIndex(
            model_name='nameword',
            index=models.Index(fields=['account', 'word', '-certificate'], name='certificates_by_word', opclasses=['varchar_ops', 'varchar_pattern_ops', 'varchar_ops']),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
