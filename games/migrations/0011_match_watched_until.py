"""NOTIFY makes commits wait for each other, each until the one before is on disk: a move pays for it only
while somebody follows the match. `games.services.presence` says until when, under the match's lock, so that
a move that is under way is either seen by whoever begins to follow, or tells him.
"""

from django.db import migrations, models

OLD = """
CREATE TRIGGER games_match_wakes AFTER INSERT OR UPDATE OR DELETE ON games_match FOR EACH ROW
EXECUTE FUNCTION games_wake_match();
"""
NEW = """
DROP TRIGGER games_match_wakes ON games_match;

CREATE TRIGGER games_match_wakes AFTER UPDATE ON games_match FOR EACH ROW
WHEN (NEW.watched_until > now() AND NEW.watched_until IS NOT DISTINCT FROM OLD.watched_until)
EXECUTE FUNCTION games_wake_match();

CREATE TRIGGER games_match_end_wakes AFTER DELETE ON games_match FOR EACH ROW
EXECUTE FUNCTION games_wake_match();
"""
BACK = f"""
DROP TRIGGER games_match_wakes ON games_match;
DROP TRIGGER games_match_end_wakes ON games_match;
{OLD}
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0010_closed_once")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="watched_until",
            field=models.DateTimeField(
                null=True,
                editable=False,
                help_text="Until when open streams want to be told of its changes.",
            ),
        ),
        migrations.RunSQL(NEW, BACK),
    ]
