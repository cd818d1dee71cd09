"""Writes the frozen bytes anew: ``python -m tests.contracts.renew``. Look at what changed before it is committed."""

from tests.contracts.examples import snapshot
from tests.contracts.test_stored_shapes import SNAPSHOT

if __name__ == "__main__":
    SNAPSHOT.write_bytes(snapshot())
