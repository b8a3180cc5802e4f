"""Independent settlements of hand records, written from the rule sheets alone, to check the product against.

Each module ``tests/oracle/ID.py`` has ``settle(record) -> {"legal": [...], "deltas": [...]}``, which raises
``common.Malformed`` for a record to be refused, and ``random_record(rng) -> record``.
They are slow and plain on purpose and share no code with the engine but the tile notation.
"""
