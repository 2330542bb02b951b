"""Who has left with one partner may come with another."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0010_rankings"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="entry",
            name="entry_partner_once",
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("partner__isnull", False), ("state__in", ["active", "waiting"])),
                fields=("tournament", "partner"),
                name="entry_partner_once",
            ),
        ),
    ]
