"""`meldlog judge`: what could these cards be?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import rich_click as click

from meldlog_service.cli.faults import FOUND_A_FAULT, WRONG_USAGE, Fault
from meldlog_service.cli.helping import examples, json_option
from meldlog_service.cli.rule_options import house_rule_option

if TYPE_CHECKING:
    from meldlog_contracts.table import HouseValue
    from meldlog_service.http.judge import Judgement


@click.command(
    "judge",
    epilog=examples(
        "meldlog judge 7H 8H 9C --variant crazy-rummy --wild 9",
        "meldlog judge 9C --variant crazy-rummy --wild 9 --meld '4C 5C 6C' --reads-as '4C 5C 6C'",
        "meldlog judge QH KH AH --variant crazy-rummy --house-rule ace_in_runs=low_or_high",
    ),
)
@click.argument("cards", nargs=-1, required=True)
@click.option(
    "--variant", metavar="NAME", help="By whose rules, always needed; `meldlog variants` lists them."
)
@click.option(
    "--wild",
    multiple=True,
    metavar="RANK",
    help="A rank that is wild (`9`, `T`, `K`), or `JK`; may be repeated.",
)
@house_rule_option
@click.option("--ordered", is_flag=True, help="The cards lie as they are given, low to high.")
@click.option("--meld", metavar="CARDS", help="A meld on the table that they are to be laid off on.")
@click.option("--reads-as", metavar="CARDS", help="What its cards stand for, if not for themselves.")
@json_option
def command(
    cards: tuple[str, ...],
    variant: str | None,
    wild: tuple[str, ...],
    house_rules: dict[str, HouseValue],
    ordered: bool,
    meld: str | None,
    reads_as: str | None,
    as_json: bool,
) -> None:
    """Say everything that CARDS could be laid as, or where they could be laid off.

    A card is its rank and its suit: `7H`, `TD` (ten), `AS`; `JK` is a joker. In what a wild of a set stands for, X is
    any suit: `QX`. The rules of this environment are asked, no service.

    Exit status: 0 when there is a reading, 1 when the cards can be nothing (and why), 2 for what is no card.
    """
    if reads_as is not None and meld is None:
        raise click.UsageError("--reads-as says what the cards of --meld stand for")
    question: dict[str, object] = {
        "cards": _split(*cards),
        "wild": _split(*wild),
        "house_rules": house_rules,
        "ordered": ordered,
    }
    if meld is not None:
        question["meld"] = {"cards": _split(meld), "reads_as": _split(reads_as or meld)}
    judgement = _judged(_known(variant), question)
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode(judgement))
    else:
        for reading in judgement.readings:
            click.echo(
                f"{reading.kind}: {' '.join(reading.reads_as)}{f' ({reading.end})' if reading.end else ''}"
            )
        if (refusal := judgement.refusal) is not None:
            click.echo(f"nothing: {refusal.detail} (clause {refusal.rule})")
    if judgement.refusal is not None:
        sys.exit(FOUND_A_FAULT)


def _known(variant: str | None) -> str:
    """The variant that was named; cards alone do not say by whose rules, so it is told which there are."""
    from meldlog_service.cli.installed import installed

    if variant is None:
        there_are = installed().there_are("variant")
        raise Fault(f"say by whose rules, with --variant NAME: {there_are}", WRONG_USAGE)
    return variant


def _judged(variant: str, asked: dict[str, object]) -> Judgement:
    """What the service would answer to the same question; raises Fault for what makes no sense."""
    import msgspec

    from meldlog_contracts.problems import Refused
    from meldlog_service.cli.installed import installed
    from meldlog_service.http.judge import Question, judge
    from meldlog_service.http.problems import Rejected
    from meldlog_service.misfits import misfit

    try:
        question = msgspec.convert(asked, Question)
        rules = installed().ruleset_for_new(variant, house_rules=question.house_rules)
        return judge(question, rules)
    except msgspec.ValidationError as error:
        raise Fault(misfit(error, Question, asked).detail, WRONG_USAGE) from error
    except (Refused, Rejected) as refused:
        raise Fault(refused.detail, WRONG_USAGE) from refused


def _split(*texts: str) -> list[str]:
    """Cards as they were typed: upper or lower case, spaces or commas between."""
    return " ".join(texts).replace(",", " ").upper().split()
