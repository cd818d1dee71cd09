"""Two rule sheets side by side: only what is different."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from meldlog_contracts.table import HouseValue
from meldlog_service.http.sheets import ClauseText, RuleSheet

ABSENT = "-"


class HouseRuleDifference(Struct, frozen=True):
    """A house rule with two values; in a list, since one of the two sheets may not have it at all."""

    name: str
    values: tuple[tuple[HouseValue, ...], tuple[HouseValue, ...]]


class Difference(Struct, frozen=True):
    """What one sheet has and the other has not."""

    names: tuple[str, str]
    house_rules: tuple[HouseRuleDifference, ...]
    only_in_first: tuple[ClauseText, ...]
    only_in_second: tuple[ClauseText, ...]

    def markdown(self) -> str:
        """The difference to be read."""
        first, second = self.names
        lines = [f"# {first} against {second}", ""]
        if self.house_rules:
            lines += [f"| House rule | {first} | {second} |", "|---|---|---|"]
            lines += [
                f"| `{one.name}` | {_text(one.values[0])} | {_text(one.values[1])} |"
                for one in self.house_rules
            ]
            lines.append("")
        for name, clauses in ((first, self.only_in_first), (second, self.only_in_second)):
            if clauses:
                lines += [f"## Only in {name}", "", *(f"- {one.text} `{one.id}`" for one in clauses), ""]
        if len(lines) == len(("title", "")):
            lines.append("There is no difference.")
        return "\n".join(lines).rstrip("\n")


def compared(first: RuleSheet, second: RuleSheet) -> Difference:
    """What is different between two sheets in one language."""
    names = dict.fromkeys([*first.house_rules, *second.house_rules])
    values = {name: (_values(first, name), _values(second, name)) for name in names}
    return Difference(
        (first.name, second.name),
        tuple(HouseRuleDifference(name, both) for name, both in values.items() if both[0] != both[1]),
        _clauses_missing(first, second),
        _clauses_missing(second, first),
    )


def _values(sheet: RuleSheet, name: str) -> tuple[HouseValue, ...]:
    return (sheet.house_rules[name],) if name in sheet.house_rules else ()


def _clauses_missing(here: RuleSheet, there: RuleSheet) -> tuple[ClauseText, ...]:
    told = {(clause.id, clause.text) for clause in there.clauses}
    return tuple(clause for clause in here.clauses if (clause.id, clause.text) not in told)


def _text(values: tuple[HouseValue, ...]) -> str:
    return f"`{msgspec.json.encode(values[0]).decode()}`" if values else ABSENT
