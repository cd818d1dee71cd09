"""Finding all logs, and what is derived from logs that are no more."""

from meldlog_service.store.redis_streams.keys import LOGS, PARTITIONS, clock_key, game_of, index_key, log_key
from meldlog_service.store.redis_streams.replies import expect_bytes, expect_list
from meldlog_service.store.redis_streams.script import pack
from meldlog_service.store.redis_streams.servers import Servers

AT_A_TIME = 1_000
"""Keys that a server looks at in one step, while others wait."""

# Takes a game out of a sorted set, unless a log was begun meanwhile.
FORGET = "return redis.call('EXISTS', KEYS[1]) == 1 and 0 or redis.call('ZREM', KEYS[2], ARGV[1])"


async def games_with_logs(servers: Servers) -> set[str]:
    """Every game that has a log."""
    games: set[str] = set()
    for node in await servers.nodes():
        cursor = b"0"
        while True:
            reply = await node.ask_one("SCAN", cursor, "MATCH", LOGS, "COUNT", AT_A_TIME)
            next_cursor, keys = expect_list(reply)
            games |= {game_of(expect_bytes(key)) for key in expect_list(keys)}
            if (cursor := expect_bytes(next_cursor)) == b"0":
                break
    return games


async def forget_others(servers: Servers, games: set[str]) -> None:
    """Take games without a log off the clock and out of the index; a finished one is in the archive and stays."""
    for keys in (
        {partition: index_key(partition, "open") for partition in PARTITIONS},
        {partition: index_key(partition, "playing") for partition in PARTITIONS},
        {partition: clock_key(partition) for partition in PARTITIONS},
    ):
        members = await servers.ask_each({p: pack("ZRANGE", key, 0, -1) for p, key in keys.items()})
        for partition, reply in members.items():
            for member in expect_list(reply):
                game_id = expect_bytes(member).decode()
                if game_id not in games:
                    await servers.ask(
                        partition, "EVAL", FORGET, 2, log_key(game_id), keys[partition], game_id
                    )
