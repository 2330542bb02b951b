from django.db import migrations


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [
        # Counts of a minute: not worth a log entry each, and after a crash everyone starts anew.
        migrations.RunSQL(
            "CREATE UNLOGGED TABLE site_throttle"
            " (key bytea PRIMARY KEY, ends bigint NOT NULL, used bigint NOT NULL) WITH (fillfactor = 50)",
            "DROP TABLE site_throttle",
        ),
        # Throttles counted in the table of a cache, once.
        migrations.RunSQL("DROP TABLE IF EXISTS site_cache", migrations.RunSQL.noop),
    ]
