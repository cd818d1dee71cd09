"""The client knows every field that the service answers: what one side gains and the other lacks is found here."""

from __future__ import annotations

import msgspec
import pytest

from meldlog_client import shapes
from meldlog_service.app import audit_report, differences, summaries
from meldlog_service.core import views
from meldlog_service.http import forks, listing

PAIRS = [
    (shapes.TableView, views.TableView),
    (shapes.SeatView, views.SeatView),
    (shapes.DealView, views.DealView),
    (shapes.Offer, views.OfferView),
    (shapes.MeldView, views.MeldView),
    (shapes.MeldCard, views.MeldCardView),
    (shapes.Result, views.ResultView),
    (shapes.Origin, views.OriginView),
    (shapes.GamePage, listing.GamePage),
    (shapes.GameSummary, summaries.GameSummary),
    (shapes.SeatSummary, summaries.SeatSummary),
    (shapes.Begun, forks.GoneOn),
    (shapes.Audit, audit_report.AuditReport),
    (shapes.Check, audit_report.Check),
    (shapes.Difference, differences.Difference),
    (shapes.Change, differences.Change),
]


@pytest.mark.parametrize(("known", "said"), PAIRS, ids=lambda one: one.__name__)
def test_both_have_the_same_fields(known: type[msgspec.Struct], said: type[msgspec.Struct]) -> None:
    """By name."""
    assert set(known.__struct_fields__) == set(said.__struct_fields__)
