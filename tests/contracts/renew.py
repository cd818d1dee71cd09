"""Writes what is frozen of the stored format anew: ``python -m tests.contracts.renew``.

It writes only where something was added. Where something that was there has changed, old logs would mean something
else: the format needs a new schema, and a lift from the one before (`meldlog_contracts.stored`).
"""

import json
import sys

from tests.contracts.examples import snapshot
from tests.contracts.growth import changes
from tests.contracts.test_stored_shapes import SHAPES, SNAPSHOT
from tests.support.schema import events_schema

if __name__ == "__main__":
    now = snapshot()
    if SNAPSHOT.exists() and not set(SNAPSHOT.read_bytes().splitlines()) <= set(now.splitlines()):
        sys.exit(f"{SNAPSHOT.name}: a frozen line has changed or is gone; give the format a new SCHEMA")
    schema = json.loads(events_schema())
    if SHAPES.exists() and (found := changes(json.loads(SHAPES.read_text(encoding="utf-8")), schema)):
        sys.exit("\n".join([f"{SHAPES.name}: give the format a new SCHEMA, for these have changed:", *found]))
    SNAPSHOT.write_bytes(now)
    SHAPES.write_text(events_schema(), encoding="utf-8")
