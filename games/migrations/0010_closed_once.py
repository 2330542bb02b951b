"""An account that its owner deleted stays deleted, even for a form that was loaded before."""

from django.db import migrations

CLOSED = """
CREATE TRIGGER games_player_closed_once BEFORE UPDATE ON games_player FOR EACH ROW
WHEN (
    OLD.closed_at IS NOT NULL
    AND (NEW.closed_at, NEW.username) IS DISTINCT FROM (OLD.closed_at, OLD.username)
)
EXECUTE FUNCTION games_refuse_rewrite('an account that was deleted stays so');
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0009_deliveries_waiting")]

    operations = [migrations.RunSQL(CLOSED, "DROP TRIGGER games_player_closed_once ON games_player")]
