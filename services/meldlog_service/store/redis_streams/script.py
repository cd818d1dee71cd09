"""The scripts: one appends a commit if it is the next one, and writes what is derived from it in the same step.

The others take a log away that is kept elsewhere, and bring it back.
"""

from collections.abc import Sequence
from hashlib import sha1
from typing import Any

import hiredis

from meldlog_service.store.event_store import Pointer
from meldlog_service.store.redis_streams.keys import index_key, keys_of

FEED_LENGTH = 1_000
"""Pointers that a partition's feed keeps at least; twice what a reader takes at a time (`feed.MOST`), or more."""

# An empty commit means: write only what is derived, if the log still ends with this version.
# What follows the deadline are the commits before this one, of a log that is begun with a past.
# The log comes first: a server that is out of memory refuses the first write of a script and no later one.
APPEND = f"""
local log, feed, clock = KEYS[1], KEYS[2], KEYS[3]
local version, commit, game, type, status, created, deadline = unpack(ARGV, 1, 7)
local past = #ARGV - 7

local tail = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
local last = tail and tonumber(string.match(tail[1], '^%d+')) or 0
if commit == '' then
  if last ~= tonumber(version) then return last end
else
  if last ~= version - 1 - past then return last end
  -- A finished game without a log is kept elsewhere.
  if last == 0 and redis.call('ZSCORE', KEYS[6], game) then return last end
  for i = 1, past do redis.call('XADD', log, i .. '-0', 'commit', ARGV[7 + i]) end
  redis.call('XADD', log, version .. '-0', 'commit', commit)
end

redis.call('XADD', feed, 'MAXLEN', '~', {FEED_LENGTH}, '*', 'game_id', game, 'version', version, 'type', type)
if deadline == '' then
  redis.call('ZREM', clock, game)
else
  redis.call('ZADD', clock, deadline, game)
end
local index = KEYS[status == 'open' and 4 or status == 'playing' and 5 or 6]
if commit == '' or redis.call('ZSCORE', index, game) ~= created then
  for i = 4, 6 do redis.call('ZREM', KEYS[i], game) end
  redis.call('ZADD', index, created, game)
end
return redis.status_reply('OK')
"""
APPEND_SHA = sha1(APPEND.encode(), usedforsecurity=False).hexdigest()

# Takes a log away that is kept elsewhere, unless it has grown since; one that is gone already is fine.
REMOVE = """
local tail = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local last = tail and tonumber(string.match(tail[1], '^%d+')) or 0
if last ~= 0 and last ~= tonumber(ARGV[1]) then return last end
redis.call('DEL', KEYS[1])
return redis.status_reply('OK')
"""

# Brings such a log back, all of it or nothing; one that is there already is left as it is.
RESTORE = """
local log = KEYS[1]
local version, game, status, created = unpack(ARGV, 1, 4)
local tail = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
local last = tail and tonumber(string.match(tail[1], '^%d+')) or 0
if last == tonumber(version) then return redis.status_reply('OK') end
if last ~= 0 then return last end
for i = 5, #ARGV do redis.call('XADD', log, (i - 4) .. '-0', 'commit', ARGV[i]) end
redis.call('ZADD', KEYS[status == 'open' and 4 or status == 'playing' and 5 or 6], created, game)
return redis.status_reply('OK')
"""

# Lists a game whose log is kept elsewhere.
ENLIST = """
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('ZADD', KEYS[2], ARGV[1], ARGV[2]) end
return redis.status_reply('OK')
"""

OK = b"OK"
"""What the scripts answer when they did it; else they answer the version that the log ends with."""


def pack(*arguments: str | bytes | int) -> bytes:
    """One command as the protocol's bytes."""
    # Its stub says that it takes a tuple of one.
    packer: Any = hiredis.pack_command
    packed: bytes = packer(arguments)
    return packed


def append_command(pointer: Pointer, commit: bytes, past: Sequence[bytes] = ()) -> bytes:
    """The call of the script by its digest, as the server knows it after the first time."""
    return pack("EVALSHA", APPEND_SHA, *_arguments(pointer, commit), *past)


def append_command_in_full(pointer: Pointer, commit: bytes, past: Sequence[bytes] = ()) -> bytes:
    """The call with the whole script, for a server that does not know it (any more)."""
    return pack("EVAL", APPEND, *_arguments(pointer, commit), *past)


def remove_command(game_id: str, last: int) -> bytes:
    """The call that takes a log away."""
    return pack("EVAL", REMOVE, 1, keys_of(game_id).log, last)


def restore_command(pointer: Pointer, commits: Sequence[bytes]) -> bytes:
    """The call that brings a log back."""
    keys = keys_of(pointer.game_id).all
    about = (pointer.version, pointer.game_id, pointer.status, pointer.created_ms)
    return pack("EVAL", RESTORE, len(keys), *keys, *about, *commits)


def enlist_command(pointer: Pointer) -> bytes:
    """The call that lists a game whose log is kept elsewhere."""
    keys = keys_of(pointer.game_id)
    index = index_key(keys.partition, pointer.status)
    return pack("EVAL", ENLIST, 2, keys.log, index, pointer.created_ms, pointer.game_id)


def _arguments(pointer: Pointer, commit: bytes) -> tuple[str | bytes | int, ...]:
    keys = keys_of(pointer.game_id).all
    return (
        len(keys),
        *keys,
        pointer.version,
        commit,
        pointer.game_id,
        pointer.type,
        pointer.status,
        pointer.created_ms,
        "" if pointer.deadline_ms is None else pointer.deadline_ms,
    )
