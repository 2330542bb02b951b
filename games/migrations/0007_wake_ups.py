"""What changes at a table wakes the streams that show it: NOTIFY on the channel `trix`, by triggers, so that
no writer can forget it and a move needs no statement more.

Payloads: `match CODE`, `chat CODE`, `player ID`; `news JSON` comes from games/services/news.py. The first
three say where to look and not what there is to see. PostgreSQL sends each once a transaction, on commit.
"""

from django.db import migrations

FUNCTIONS = """
CREATE FUNCTION games_wake_match() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('trix', 'match ' || CASE TG_OP WHEN 'DELETE' THEN OLD.code ELSE NEW.code END);
    RETURN NULL;
END $$;

-- For rows that belong to a match. TG_ARGV[0]: what to look at there, `match` or `chat`.
CREATE FUNCTION games_wake_its_match() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    row_match bigint := CASE TG_OP WHEN 'DELETE' THEN OLD.match_id ELSE NEW.match_id END;
BEGIN
    PERFORM pg_notify('trix', TG_ARGV[0] || ' ' || code) FROM games_match WHERE id = row_match;
    RETURN NULL;
END $$;

CREATE FUNCTION games_wake_player() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'DELETE' AND NEW.player_id IS NOT NULL THEN
        PERFORM pg_notify('trix', 'player ' || NEW.player_id);
    END IF;
    IF TG_OP <> 'INSERT' AND OLD.player_id IS NOT NULL THEN
        PERFORM pg_notify('trix', 'player ' || OLD.player_id);
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION games_wake_matches_of_player() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('trix', 'match ' || code) FROM games_match
    WHERE status IN ('open', 'running') AND id IN (SELECT match_id FROM games_seat WHERE player_id = NEW.id);
    RETURN NULL;
END $$;
"""

# A player's open stream moves his seat's seen_at every few seconds: that alone changes what others see only
# where he had been gone (GONE_AFTER in games/selectors.py).
TRIGGERS = {
    "games_match_wakes": """
        AFTER INSERT OR UPDATE OR DELETE ON games_match FOR EACH ROW
        EXECUTE FUNCTION games_wake_match()""",
    "games_seat_wakes": """
        AFTER INSERT OR DELETE ON games_seat FOR EACH ROW
        EXECUTE FUNCTION games_wake_its_match('match')""",
    "games_seat_change_wakes": """
        AFTER UPDATE ON games_seat FOR EACH ROW
        WHEN (
            NEW.seen_at IS NOT DISTINCT FROM OLD.seen_at
            OR NEW.seen_at > OLD.seen_at + interval '45 seconds'
        )
        EXECUTE FUNCTION games_wake_its_match('match')""",
    "games_seat_wakes_player": """
        AFTER INSERT OR UPDATE OF player_id OR DELETE ON games_seat FOR EACH ROW
        EXECUTE FUNCTION games_wake_player()""",
    "games_invitation_wakes": """
        AFTER INSERT OR UPDATE OR DELETE ON games_invitation FOR EACH ROW
        EXECUTE FUNCTION games_wake_its_match('match')""",
    "games_invitation_wakes_player": """
        AFTER INSERT OR UPDATE OR DELETE ON games_invitation FOR EACH ROW
        EXECUTE FUNCTION games_wake_player()""",
    "games_chatmessage_wakes": """
        AFTER INSERT ON games_chatmessage FOR EACH ROW
        EXECUTE FUNCTION games_wake_its_match('chat')""",
    "games_player_name_wakes": """
        AFTER UPDATE OF username ON games_player FOR EACH ROW
        WHEN (NEW.username <> OLD.username)
        EXECUTE FUNCTION games_wake_matches_of_player()""",
}


def table_of(trigger: str) -> str:
    return TRIGGERS[trigger].split(" ON ")[1].split()[0]


class Migration(migrations.Migration):
    dependencies = [("games", "0006_banks_written_once")]

    operations = [
        migrations.RunSQL(
            FUNCTIONS,
            "DROP FUNCTION games_wake_match(), games_wake_its_match(), games_wake_player(),"
            " games_wake_matches_of_player()",
        ),
        *(
            migrations.RunSQL(f"CREATE TRIGGER {name} {text}", f"DROP TRIGGER {name} ON {table_of(name)}")
            for name, text in TRIGGERS.items()
        ),
    ]
