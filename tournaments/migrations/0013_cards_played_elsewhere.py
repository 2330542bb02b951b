"""The cards of an imported result are written once, as all of it is."""

from django.db import migrations, models

DROP = "DROP TRIGGER tournaments_result_written_once ON tournaments_tableresult;"

BEFORE = """
CREATE TRIGGER tournaments_result_written_once BEFORE UPDATE ON tournaments_tableresult FOR EACH ROW
WHEN (
    OLD.superseded_at IS NOT NULL
    OR (NEW.table_id, NEW.match_id, NEW.scores, NEW.best_deals, NEW.source, NEW.record, NEW.entered_by_id,
        NEW.reason, NEW.created_at)
        IS DISTINCT FROM (OLD.table_id, OLD.match_id, OLD.scores, OLD.best_deals, OLD.source, OLD.record,
        OLD.entered_by_id, OLD.reason, OLD.created_at)
)
EXECUTE FUNCTION games_refuse_rewrite('a result is superseded by another one, never changed');
"""

NOW = """
CREATE TRIGGER tournaments_result_written_once BEFORE UPDATE ON tournaments_tableresult FOR EACH ROW
WHEN (
    OLD.superseded_at IS NOT NULL
    OR (NEW.table_id, NEW.match_id, NEW.scores, NEW.best_deals, NEW.source, NEW.record, NEW.cards,
        NEW.entered_by_id, NEW.reason, NEW.created_at)
        IS DISTINCT FROM (OLD.table_id, OLD.match_id, OLD.scores, OLD.best_deals, OLD.source, OLD.record,
        OLD.cards, OLD.entered_by_id, OLD.reason, OLD.created_at)
)
EXECUTE FUNCTION games_refuse_rewrite('a result is superseded by another one, never changed');
"""


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0012_rounds_without_draws"),
    ]

    operations = [
        migrations.AddField(
            model_name="tableresult",
            name="cards",
            field=models.CharField(
                blank=True,
                help_text="The commitment to the cards of a match that is elsewhere.",
                max_length=64,
            ),
        ),
        migrations.RunSQL(DROP + NOW, DROP + BEFORE),
    ]
