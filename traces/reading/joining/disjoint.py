"""Parts of traces that belong together, put together two by two."""

from __future__ import annotations

from collections.abc import Iterable

from traces.reading.joining.units import Unit


class DisjointSets:
    """Units, each in a set with those that belong together with it; at first every one is alone."""

    def __init__(self, units: Iterable[Unit]) -> None:
        self._above: dict[Unit, Unit] = {unit: unit for unit in units}

    def join(self, one: Unit, other: Unit) -> None:
        """Puts two units together. A unit with an id stands for both."""
        first, second = self.of(one), self.of(other)
        if first != second:
            if (first[1] is None, first) > (second[1] is None, second):
                first, second = second, first
            self._above[second] = first

    def of(self, unit: Unit) -> Unit:
        """The unit that stands for all that are put together with this one; one that is new is alone."""
        above = self._above
        above.setdefault(unit, unit)
        while above[unit] != unit:
            above[unit] = above[above[unit]]  # the way up gets shorter
            unit = above[unit]
        return unit
