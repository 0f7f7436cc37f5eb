import django.db.models.deletion
import workspace.lib.clock
import workspace.products.reviews.models.page
import workspace.products.reviews.models.testimonial
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
            name='ReviewPage',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('updated_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('hosts', models.JSONField(blank=True, default=list)),
                ('id', models.CharField(default=workspace.products.reviews.models.page._page_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='review_pages', to='accounts.account')),
                ('publication', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='review_page', to='publishing.publication')),
                ('title', models.CharField(max_length=100)),
                ('intro', models.TextField(blank=True)),
                ('questions', models.JSONField(blank=True, default=list)),
                ('consent_text', models.TextField(default='You may show my words, my name, my rating and my photo on your website, in this list and in your social media. I can ask you to take them down at any time.')),
                ('disclosure', models.TextField(blank=True)),
                ('thank_you', models.TextField(blank=True)),
                ('color', models.CharField(blank=True, max_length=7)),
                ('layout', models.CharField(default='grid', max_length=10)),
            ],
            options={
                'ordering': ('-id',),
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('binned_at', None)), fields=['account', '-id'], name='reviews_reviewpage_newest'), models.Index(condition=models.Q(('binned_at__isnull', False)), fields=['account'], name='reviews_reviewpage_binned')],
            },
            bases=(workspace.publishing.models.starter.Startable, models.Model),
        ),
        migrations.CreateModel(
            name='Testimonial',
            fields=[
                ('binned_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('id', models.CharField(default=workspace.products.reviews.models.testimonial._testimonial_id, editable=False, max_length=40, primary_key=True, serialize=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='testimonials', to='accounts.account')),
                ('page', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='testimonials', to='reviews.reviewpage')),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('approved', 'Approved'), ('hidden', 'Hidden')], default='pending', max_length=10)),
                ('featured_at', models.DateTimeField(blank=True, null=True)),
                ('rating', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('text', models.TextField()),
                ('excerpt', models.TextField(blank=True)),
                ('name', models.CharField(max_length=80)),
                ('byline', models.CharField(blank=True, max_length=80)),
                ('email', models.EmailField(blank=True, max_length=254)),
                ('language', models.CharField(blank=True, max_length=8)),
                ('verified_at', models.DateTimeField(blank=True, null=True)),
                ('photo', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.upload')),
                ('consented_at', models.DateTimeField(blank=True, null=True)),
                ('consent_text', models.TextField(blank=True)),
                ('relationship', models.CharField(default='customer', max_length=10)),
                ('source', models.CharField(default='page', max_length=10)),
                ('source_name', models.CharField(blank=True, max_length=60)),
                ('suspicion', models.CharField(blank=True, max_length=10)),
                ('reply', models.TextField(blank=True)),
                ('replied_at', models.DateTimeField(blank=True, null=True)),
                ('tags', models.TextField(blank=True)),
                ('search', models.TextField()),
                ('written_at', models.DateTimeField(default=workspace.lib.clock.now)),
                ('created_at', models.DateTimeField(default=workspace.lib.clock.now)),
            ],
            options={
                'ordering': ('-id',),
                'indexes': [models.Index(condition=models.Q(('binned_at', None)), fields=['page', 'status', 'suspicion', 'source', 'rating', 'consented_at'], name='testimonials_counted'), models.Index(condition=models.Q(('binned_at', None)), fields=['account', 'status', 'page'], name='testimonials_by_status'), models.Index(condition=models.Q(('binned_at', None)), fields=['account', '-created_at', '-id', 'page'], name='testimonials_newest'), models.Index(condition=models.Q(('binned_at', None)), fields=['page', '-created_at', '-id'], name='testimonials_newest_of_page'), models.Index(condition=models.Q(('binned_at', None), models.Q(('tags', ''), _negated=True)), fields=['page', 'tags'], name='testimonials_tags')],
                'constraints': [models.CheckConstraint(condition=models.Q(('rating', None), ('rating__range', (1, 5)), _connector='OR'), name='a_rating_is_1_to_5')],
            },
        ),
    ]
