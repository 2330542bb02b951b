"""What is written once stays written: the last guard, whoever does the writing."""

from django.db import migrations

REFUSE = """
CREATE FUNCTION games_refuse_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""

DEAL = """
CREATE TRIGGER games_deal_written_once BEFORE UPDATE ON games_deal FOR EACH ROW
WHEN (
    OLD.scores IS NOT NULL
    OR substr(NEW.actions, 1, length(OLD.actions)) <> OLD.actions
    OR substr(NEW.times, 1, length(OLD.times)) <> OLD.times
    OR (NEW.match_id, NEW.number, NEW.owner, NEW.first_version, NEW.started_at)
        IS DISTINCT FROM (OLD.match_id, OLD.number, OLD.owner, OLD.first_version, OLD.started_at)
)
EXECUTE FUNCTION games_refuse_rewrite('a deal only grows, and its scores are written once');
"""

MATCH = """
CREATE TRIGGER games_match_written_once BEFORE UPDATE ON games_match FOR EACH ROW
WHEN (
    NEW.secret <> OLD.secret
    OR NEW.code <> OLD.code
    OR NEW.version < OLD.version
    OR (OLD.status <> 'open' AND (NEW.rules, NEW.options) IS DISTINCT FROM (OLD.rules, OLD.options))
    OR (
        OLD.status IN ('finished', 'cancelled')
        AND (NEW.status, NEW.version, NEW.totals, NEW.winners, NEW.finished_at)
            IS DISTINCT FROM (OLD.status, OLD.version, OLD.totals, OLD.winners, OLD.finished_at)
    )
)
EXECUTE FUNCTION games_refuse_rewrite('the secret and the result of a match are written once');
"""

PLAYER = """
CREATE TRIGGER games_player_is_bot_for_good BEFORE UPDATE ON games_player FOR EACH ROW
WHEN (OLD.is_bot AND NOT NEW.is_bot)
EXECUTE FUNCTION games_refuse_rewrite('an account that a program plays for stays one');
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [
        migrations.RunSQL(REFUSE, "DROP FUNCTION games_refuse_rewrite()"),
        migrations.RunSQL(DEAL, "DROP TRIGGER games_deal_written_once ON games_deal"),
        migrations.RunSQL(MATCH, "DROP TRIGGER games_match_written_once ON games_match"),
        migrations.RunSQL(PLAYER, "DROP TRIGGER games_player_is_bot_for_good ON games_player"),
    ]
