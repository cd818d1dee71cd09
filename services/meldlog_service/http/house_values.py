"""House rules in a body that do not fit: told by what each rule itself takes."""

from __future__ import annotations

from typing import Any, cast

from litestar.connection import ASGIConnection

from meldlog_contracts.problems import Refused
from meldlog_service.http.service import Service
from meldlog_service.misfits import Misfit

HOUSE_RULES = "house_rules"


def check(connection: ASGIConnection[Any, Any, Any, Any], found: Misfit, document: object) -> None:
    """Look again at a value that no house rule could have; any other misfit is as it is.

    A body describes only what values there are at all. What a rule takes is known with the variant, which stands
    beside it in the body or in the path, and with the options.

    Raises:
        Refused: ``invalid``, with a pointer, where the rule says more than the body's own description.
    """
    match found.steps, document:
        case (first, name, *_), dict() if first == HOUSE_RULES:
            body = cast("dict[str, Any]", document)
        case _:
            return
    variant = body.get("variant", connection.path_params.get("name"))
    options = body.get("options", [])
    if not (
        isinstance(variant, str) and isinstance(options, list) and all(isinstance(o, str) for o in options)
    ):
        return
    service: Service = connection.app.state["service"]
    try:
        service.catalogue.check_house_rules(variant, options, {name: body[HOUSE_RULES][name]})
    except Refused as refused:
        if all(fault.pointer.startswith(f"/{HOUSE_RULES}/") for fault in refused.faults):
            raise
