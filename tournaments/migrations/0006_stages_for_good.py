"""Every round is in a stage, every seat has its player; new columns of results are written once."""

import django.db.models.deletion
from django.db import migrations, models

WRITTEN_ONCE = """
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


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_stages_of_old")]

    operations = [
        migrations.RemoveConstraint(
            model_name="tournament",
            name="tournament_rounds",
        ),
        migrations.RemoveField(
            model_name="tournament",
            name="rounds_planned",
        ),
        migrations.AlterField(
            model_name="round",
            name="stage",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="played", to="tournaments.stage"
            ),
        ),
        migrations.AddConstraint(
            model_name="tableseat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("bot", ""), ("entry__isnull", False), ("player__isnull", False)),
                    models.Q(("entry", None), ("player", None)),
                    _connector="OR",
                ),
                name="table_seat_of_entry_or_bot",
            ),
        ),
        migrations.RunSQL(
            WRITTEN_ONCE, "DROP TRIGGER tournaments_result_written_once ON tournaments_tableresult"
        ),
    ]
