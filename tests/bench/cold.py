"""The first decisions of strong in a fresh process: `python -m tests.bench.cold`; prints its memory in MB."""

import resource

import django

if __name__ == "__main__":
    django.setup()
    from games.bots import LEVELS
    from games.bots.warming import warm

    warm(LEVELS["strong"])
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
