"""What services never do the database refuses: of stages, groups, dates, penalties, points and results."""

from django.conf import settings
from django.db import migrations, models

STAGE = """
ALTER TABLE tournaments_round ADD CONSTRAINT round_in_the_tournament_of_its_stage
FOREIGN KEY (stage_id, tournament_id) REFERENCES tournaments_stage (id, tournament_id);
"""


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0011_match_watched_until"),
        ("tournaments", "0013_cards_played_elsewhere"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="stage",
            name="stage_rounds",
        ),
        migrations.RemoveConstraint(
            model_name="stage",
            name="stage_minutes",
        ),
        migrations.RemoveConstraint(
            model_name="table",
            name="table_number",
        ),
        migrations.RemoveConstraint(
            model_name="tableresult",
            name="table_result_four_scores",
        ),
        migrations.RemoveConstraint(
            model_name="tableseat",
            name="table_seat_of_entry_or_bot",
        ),
        migrations.RemoveConstraint(
            model_name="tournament",
            name="tournament_division",
        ),
        migrations.AddConstraint(
            model_name="penalty",
            constraint=models.CheckConstraint(
                condition=models.Q(("revoked_by", None), ("revoked_at__isnull", False), _connector="OR"),
                name="penalty_revoked",
            ),
        ),
        migrations.AddConstraint(
            model_name="rounddate",
            constraint=models.CheckConstraint(
                condition=models.Q(("number__gte", 1), ("number__lte", 99)), name="round_date_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.UniqueConstraint(fields=("id", "tournament"), name="stage_of_tournament"),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("format__in", ["swiss", "round_robin"]),
                        ("rounds__gte", 1),
                        ("rounds__isnull", False),
                        ("rounds__lte", 99),
                    ),
                    models.Q(("format__in", ["knockout", "arena"]), ("rounds", None)),
                    _connector="OR",
                ),
                name="stage_rounds",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("format", "arena"), ("minutes__gte", 1), ("minutes__isnull", False)),
                    models.Q(models.Q(("format", "arena"), _negated=True), ("minutes", None)),
                    _connector="OR",
                ),
                name="stage_minutes",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("groups__gte", 1), ("groups__lte", 1000)), name="stage_groups"
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("cut", None),
                    models.Q(("cut__gte", 2), ("cut__lte", 10000), ("number__gte", 2)),
                    _connector="OR",
                ),
                name="stage_cut",
            ),
        ),
        migrations.AddConstraint(
            model_name="stageentry",
            constraint=models.CheckConstraint(
                condition=models.Q(("group__gte", 1), ("seed__gte", 1)), name="stage_entry_place"
            ),
        ),
        migrations.AddConstraint(
            model_name="table",
            constraint=models.CheckConstraint(
                condition=models.Q(("group__gte", 1), ("number__gte", 1)), name="table_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="tableresult",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("scores", None), ("source", "annulled")),
                    models.Q(
                        models.Q(("source", "annulled"), _negated=True),
                        ("scores__isnull", False),
                        ("scores__len", 4),
                    ),
                    _connector="OR",
                ),
                name="table_result_four_scores",
            ),
        ),
        migrations.AddConstraint(
            model_name="tableseat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("bot", ""), ("entry__isnull", False), ("player__isnull", False)),
                    models.Q(("entry", None), ("no_show_at", None), ("player", None)),
                    _connector="OR",
                ),
                name="table_seat_of_entry_or_bot",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("visibility", "code"), _negated=True),
                    models.Q(("join_code", ""), _negated=True),
                    _connector="OR",
                ),
                name="tournament_join_code",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("bye_points__gte", 0), ("bye_points__lte", 100), ("place_points__len", 4)
                ),
                name="tournament_points",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("metrics__len__gte", 1)), name="tournament_metrics"
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("division", None), ("season", None)),
                    models.Q(("division__gte", 1), ("division__isnull", False), ("season__isnull", False)),
                    _connector="OR",
                ),
                name="tournament_division",
            ),
        ),
        migrations.RunSQL(
            STAGE, "ALTER TABLE tournaments_round DROP CONSTRAINT round_in_the_tournament_of_its_stage"
        ),
    ]
