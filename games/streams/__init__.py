"""The live streams of matches and accounts, in an ASGI process of their own: docs/streams.md.

`app` is the door, `hub` knows who follows what and is woken by `listener`, `matches` and `accounts` decide
what a stream gets, `reading` is all that touches the database. Everything but `reading` runs in the event
loop, so nothing here needs a lock.
"""
