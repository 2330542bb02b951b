"""Time banks are never negative, and what a deal began with stays written."""

from django.db import migrations, models

TRIGGER = """
DROP TRIGGER games_deal_written_once ON games_deal;
CREATE TRIGGER games_deal_written_once BEFORE UPDATE ON games_deal FOR EACH ROW
WHEN (
    OLD.scores IS NOT NULL
    OR substr(NEW.actions, 1, length(OLD.actions)) <> OLD.actions
    OR substr(NEW.times, 1, length(OLD.times)) <> OLD.times
    OR (NEW.match_id, NEW.number, NEW.owner, NEW.first_version, NEW.started_at{banks})
        IS DISTINCT FROM (OLD.match_id, OLD.number, OLD.owner, OLD.first_version, OLD.started_at{old_banks})
)
EXECUTE FUNCTION games_refuse_rewrite('a deal only grows, and its scores are written once');
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0005_accounts_closed")]

    operations = [
        migrations.AddConstraint(
            model_name="deal",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("banks", None),
                    models.Q(
                        ("banks__0__gte", 0),
                        ("banks__1__gte", 0),
                        ("banks__2__gte", 0),
                        ("banks__3__gte", 0),
                        ("banks__len", 4),
                    ),
                    _connector="OR",
                ),
                name="deal_four_banks",
            ),
        ),
        migrations.RunSQL(
            TRIGGER.format(banks=", NEW.banks", old_banks=", OLD.banks"),
            TRIGGER.format(banks="", old_banks=""),
        ),
    ]
