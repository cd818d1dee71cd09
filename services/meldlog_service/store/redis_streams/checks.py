"""Is the server set up so that it keeps games? Looked at once, at the start of the service."""

from collections.abc import Sequence
from typing import Protocol

from meldlog_service.settings import Durability
from meldlog_service.store.event_store import ConfigurationRefused
from meldlog_service.store.redis_streams.replies import Reply, ServerSaid, expect_bytes, expect_list
from meldlog_service.store.redis_streams.script import pack

OLDEST = (6, 2)
"""The first version of Redis with all the commands used here."""


class Asked(Protocol):
    """A server that can be asked."""

    async def ask(self, commands: Sequence[bytes]) -> list[Reply]:
        """See `Node.ask`."""
        ...


async def check_node(node: Asked, durability: Durability) -> list[str]:
    """The warnings about one server; raises ConfigurationRefused."""
    info, config, waitaof = await node.ask(
        [pack("INFO"), pack("CONFIG", "GET", "*"), pack("COMMAND", "INFO", "WAITAOF")]
    )
    facts = _facts(info)
    _check_version(facts)
    warnings = []
    if isinstance(config, ServerSaid):
        # Managed servers hide their configuration, but INFO tells some of it.
        warnings.append(
            "The server does not show its configuration (CONFIG is refused); make sure that it keeps an "
            "append-only file and that maxmemory-policy is noeviction."
        )
        options = {"appendonly": "yes" if facts.get("aof_enabled", "1") == "1" else "no"}
        options |= {name: facts[name] for name in ("maxmemory", "maxmemory_policy") if name in facts}
        options["maxmemory-policy"] = options.pop("maxmemory_policy", "noeviction")
    else:
        texts = [expect_bytes(part).decode(errors="replace") for part in expect_list(config)]
        options = dict(zip(texts[::2], texts[1::2], strict=True))
    warnings += _check_eviction(options)
    warnings += _check_file(options, durability)
    if durability.kind == "fsync" and (isinstance(waitaof, ServerSaid) or expect_list(waitaof) == [None]):
        raise ConfigurationRefused(
            "Durability fsync needs WAITAOF, which Redis has since 7.2 and Valkey always had; this server has not. "
            "Use such a server, or set durability to process or replicas=N."
        )
    replicas = int(facts.get("connected_slaves", "0"))
    if replicas < durability.replicas:
        warnings.append(
            f"Durability {durability} waits for {durability.replicas} replicas, but the server has {replicas} now; "
            "no command is answered with success before there are enough."
        )
    return warnings


def _facts(info: Reply) -> dict[str, str]:
    """INFO as a dictionary; empty where it is refused."""
    if isinstance(info, ServerSaid):
        return {}
    lines = expect_bytes(info).decode(errors="replace").splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)


def _check_version(facts: dict[str, str]) -> None:
    text = facts.get("redis_version", "")
    numbers = tuple(int(part) for part in text.split(".")[:2] if part.isdecimal())
    if numbers and numbers < OLDEST:
        raise ConfigurationRefused(f"The server is Redis {text}; it must be Redis 6.2 or later, or Valkey.")


def _check_eviction(options: dict[str, str]) -> list[str]:
    policy = options.get("maxmemory-policy", "noeviction")
    if policy == "noeviction":
        return []
    fault = f"maxmemory-policy is {policy}, so the server throws games away when its memory is full"
    if options.get("maxmemory", "0") != "0":
        raise ConfigurationRefused(f"{fault}. Set it to noeviction.")
    return [f"{fault}; it has no limit now (maxmemory 0), but set the policy to noeviction."]


def _check_file(options: dict[str, str], durability: Durability) -> list[str]:
    if options.get("appendonly", "yes") != "yes":
        if durability.kind == "fsync":
            raise ConfigurationRefused("Durability fsync needs an append-only file. Set appendonly to yes.")
        return [
            "The server keeps no append-only file: games are lost when it restarts. Set appendonly to yes."
        ]
    if durability.kind == "fsync":
        match options.get("appendfsync"):
            case "no":
                raise ConfigurationRefused(
                    "Durability fsync needs a server that syncs its file: set appendfsync to always (or everysec)."
                )
            case "everysec":
                return [
                    "appendfsync is everysec, so with durability fsync every command waits for the next sync, up to "
                    "a second; set appendfsync to always for quick answers."
                ]
            case _:
                pass
    return []
