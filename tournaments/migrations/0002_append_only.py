"""The audit log only grows, and what a result was stays readable: whoever does the writing."""

from django.db import migrations

REFUSE = """
CREATE FUNCTION tournaments_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""

AUDIT = """
CREATE TRIGGER tournaments_audit_append_only BEFORE UPDATE OR DELETE ON tournaments_auditlog
FOR EACH ROW EXECUTE FUNCTION tournaments_refuse('the audit log is only ever added to');
"""

RESULT = """
CREATE TRIGGER tournaments_result_written_once BEFORE UPDATE ON tournaments_tableresult FOR EACH ROW
WHEN (
    OLD.superseded_at IS NOT NULL
    OR (NEW.table_id, NEW.scores, NEW.source, NEW.entered_by_id, NEW.reason, NEW.created_at)
        IS DISTINCT FROM (OLD.table_id, OLD.scores, OLD.source, OLD.entered_by_id, OLD.reason, OLD.created_at)
)
EXECUTE FUNCTION tournaments_refuse('a result is superseded by another one, never changed');
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]

    operations = [
        migrations.RunSQL(REFUSE, "DROP FUNCTION tournaments_refuse()"),
        migrations.RunSQL(AUDIT, "DROP TRIGGER tournaments_audit_append_only ON tournaments_auditlog"),
        migrations.RunSQL(RESULT, "DROP TRIGGER tournaments_result_written_once ON tournaments_tableresult"),
    ]
