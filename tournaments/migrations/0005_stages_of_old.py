"""What was stored before there were stages: a Swiss stage each, players at seats, results of matches."""

from django.db import migrations

STAGES = """
INSERT INTO tournaments_stage (tournament_id, number, format, rounds, groups, advance, started_at)
SELECT id, 1, 'swiss', rounds_planned, 1, 2, started_at FROM tournaments_tournament;
UPDATE tournaments_round AS round SET stage_id = stage.id
FROM tournaments_stage AS stage WHERE stage.tournament_id = round.tournament_id;
INSERT INTO tournaments_stageentry (stage_id, entry_id, "group", seed)
SELECT stage.id, entry.id, 1, row_number() OVER (PARTITION BY stage.id ORDER BY entry.id)
FROM tournaments_entry AS entry JOIN tournaments_stage AS stage USING (tournament_id)
WHERE stage.started_at IS NOT NULL;
UPDATE tournaments_tableseat AS seat SET player_id = entry.player_id
FROM tournaments_entry AS entry WHERE entry.id = seat.entry_id;
"""

# A draw had one input and one report; now it has one of each for every group.
DRAWS = """
UPDATE tournaments_round SET inputs = jsonb_build_array(inputs), report = jsonb_build_array(report)
"""

RESULTS = """
DROP TRIGGER tournaments_result_written_once ON tournaments_tableresult;
UPDATE tournaments_tableresult AS result SET match_id = place.match_id
FROM tournaments_table AS place WHERE place.id = result.table_id AND result.source = 'played';
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_formats")]

    operations = [migrations.RunSQL(STAGES), migrations.RunSQL(DRAWS), migrations.RunSQL(RESULTS)]
