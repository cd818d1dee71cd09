"""What was read lately, as much as fits."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

Kept = TypeVar("Kept")


class Recent(Generic[Kept]):
    """Things by name, the least recently used go first.

    Args:
        bound: What the sizes of all of them may add up to.
    """

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._size = 0
        self._kept: OrderedDict[str, tuple[Kept, int]] = OrderedDict()

    def get(self, name: str) -> Kept | None:
        """The thing of that name, which is thereby the most recently used."""
        found = self._kept.get(name)
        if found is None:
            return None
        self._kept.move_to_end(name)
        return found[0]

    def put(self, name: str, thing: Kept, size: int = 1) -> None:
        """Keep a thing; one that is larger than the bound is not kept."""
        self.drop(name)
        self._kept[name] = (thing, size)
        self._size += size
        while self._size > self._bound:
            _, (_, gone) = self._kept.popitem(last=False)
            self._size -= gone

    def drop(self, name: str) -> None:
        """Forget a thing."""
        found = self._kept.pop(name, None)
        if found is not None:
            self._size -= found[1]
