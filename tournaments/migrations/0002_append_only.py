"""What models cannot say: the audit log only grows, results stay readable, a seat is in its table's round."""

from django.db import migrations

AUDIT = """
CREATE TRIGGER tournaments_audit_append_only BEFORE UPDATE OR DELETE ON tournaments_auditlog
FOR EACH ROW EXECUTE FUNCTION games_refuse_rewrite('the audit log is only ever added to');
"""

CHANGED = """
CREATE TRIGGER tournaments_result_written_once BEFORE UPDATE ON tournaments_tableresult FOR EACH ROW
WHEN (
    OLD.superseded_at IS NOT NULL
    OR (NEW.table_id, NEW.scores, NEW.source, NEW.entered_by_id, NEW.reason, NEW.created_at)
        IS DISTINCT FROM (OLD.table_id, OLD.scores, OLD.source, OLD.entered_by_id, OLD.reason, OLD.created_at)
)
EXECUTE FUNCTION games_refuse_rewrite('a result is superseded by another one, never changed');
"""

DELETED = """
CREATE TRIGGER tournaments_result_stays BEFORE DELETE ON tournaments_tableresult
FOR EACH ROW EXECUTE FUNCTION games_refuse_rewrite('a result is superseded by another one, never deleted');
"""

SEAT = """
ALTER TABLE tournaments_tableseat ADD CONSTRAINT table_seat_in_the_round_of_its_table
FOREIGN KEY (table_id, round_id) REFERENCES tournaments_table (id, round_id);
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0002_written_once"), ("tournaments", "0001_initial")]

    operations = [
        migrations.RunSQL(AUDIT, "DROP TRIGGER tournaments_audit_append_only ON tournaments_auditlog"),
        migrations.RunSQL(CHANGED, "DROP TRIGGER tournaments_result_written_once ON tournaments_tableresult"),
        migrations.RunSQL(DELETED, "DROP TRIGGER tournaments_result_stays ON tournaments_tableresult"),
        migrations.RunSQL(
            SEAT, "ALTER TABLE tournaments_tableseat DROP CONSTRAINT table_seat_in_the_round_of_its_table"
        ),
    ]
