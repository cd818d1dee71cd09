"""How a call can fail: the service said no, or it could not be reached."""

import msgspec
from msgspec import Struct


class Fault(Struct, frozen=True):
    """One thing wrong in a body: a JSON pointer (RFC 6901) and a sentence."""

    pointer: str
    detail: str


class Shortfall(Struct, frozen=True):
    """What was reached of what is needed, as the 46 of 51 points of an opening."""

    points: int
    needed: int


class _Document(Struct):
    """A problem document (RFC 9457) with the service's own members."""

    status: int
    code: str
    title: str = ""
    detail: str = ""
    rule: str | None = None
    shortfall: Shortfall | None = None
    version: int | None = None
    request_id: str | None = None
    errors: tuple[Fault, ...] = ()


class MeldlogProblem(Exception):
    """The service said no. Nothing was changed by the call, unless the status is 5xx: then that is not known.

    Attributes:
        status: HTTP status.
        code: stable name, as in ``illegal_move``; ``http_<status>`` when something between answered in its own words.
        detail: a sentence for people.
        rule: id of the clause of the rule sheet that was broken.
        shortfall: what was counted, where the clause asks for more of it.
        version: of the game, where one is concerned.
        errors: for ``invalid``, what is wrong where.
        request_id: what the service's log calls the request.
    """

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        rule: str | None = None,
        shortfall: Shortfall | None = None,
        version: int | None = None,
        errors: tuple[Fault, ...] = (),
        request_id: str | None = None,
    ) -> None:
        super().__init__(f"{detail} ({code}{f', clause {rule}' if rule else ''})")
        self.status = status
        self.code = code
        self.detail = detail
        self.rule = rule
        self.shortfall = shortfall
        self.version = version
        self.errors = errors
        self.request_id = request_id

    @classmethod
    def read(cls, status: int, body: bytes) -> "MeldlogProblem":
        """Make the exception of an answer's body; one that is no problem document is quoted."""
        try:
            document = msgspec.json.decode(body, type=_Document)
        except msgspec.DecodeError:
            words = " ".join(body[:200].decode(errors="replace").split())
            return cls(status, f"http_{status}", words or f"HTTP status {status}")
        return cls(
            status,
            document.code,
            document.detail or document.title,
            rule=document.rule,
            shortfall=document.shortfall,
            version=document.version,
            errors=document.errors,
            request_id=document.request_id,
        )


class MeldlogUnreachable(Exception):
    """The service could not be reached, for as long as the client was told to be patient.

    Whether it did what the last attempt asked for is not known; a command sent again under its key is safe.
    """


class MeldlogUnintelligible(Exception):
    """The service answered with success, but not in the shape that this release of the client knows."""
