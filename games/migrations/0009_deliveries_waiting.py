"""How many deliveries wait for one webhook is looked at whenever it is told something."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0008_accounts_for_good"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("status", "pending")), fields=["webhook"], name="delivery_waiting"
            ),
        ),
    ]
