"""`meldlog verify`."""

import hashlib
import json
import subprocess
import sys
from importlib import resources
from pathlib import Path

from tests.cli.commands import environ, meldlog, write_log
from tests.support.games import Game
from tests.support.tamper import edited, export


def test_a_log_is_verified(log_file: Path, finished: Game, tmp_path: Path) -> None:
    """The report names the game and says what was proved."""
    done = meldlog("verify", log_file, home=tmp_path)
    assert done.returncode == 0, done.stdout
    assert finished.table.game_id in done.stdout
    assert "No fault was found." in done.stdout


def test_a_log_is_read_from_standard_input(finished: Game, tmp_path: Path) -> None:
    """As at the end of a pipe."""
    done = meldlog(
        "verify", "-", "--json", home=tmp_path, stdin=b"".join(line + b"\n" for line in finished.lines)
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["versions"] == finished.version


def test_one_byte_changed_is_found(log_file: Path, tmp_path: Path) -> None:
    """Wherever it is."""
    log = bytearray(log_file.read_bytes())
    place = len(log) // 2
    while not chr(log[place]).isdigit():
        place += 1
    log[place] = ord("1") if log[place] != ord("1") else ord("2")
    log_file.write_bytes(log)
    done = meldlog("verify", log_file, home=tmp_path)
    assert done.returncode == 1
    assert "FAULT in version" in done.stdout


def test_a_forgery_with_fitting_hashes_is_found_by_the_noted_head(finished: Game, tmp_path: Path) -> None:
    """Whoever noted the last hash elsewhere need not believe the file."""
    head = finished.commits[-1].hash
    forged = edited(
        export(finished.lines, None), 5, lambda commit: commit.update(at="2020-01-01T00:00:00.000Z")
    )
    file = write_log(tmp_path / "forged.ndjson", forged)
    assert meldlog("verify", file, home=tmp_path).returncode == 0
    assert meldlog("verify", file, "--head", head, home=tmp_path).returncode == 1


def test_a_file_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    """Status 2, and no traceback."""
    done = meldlog("verify", tmp_path / "nothing.ndjson", home=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_hash_kept_during_the_game_says_up_to_where_this_is_the_log(
    log_file: Path, finished: Game, tmp_path: Path
) -> None:
    """An earlier commit's hash is as good as the last one's, up to its version."""
    done = meldlog("verify", log_file, "--head", finished.commits[6].hash, home=tmp_path)
    assert done.returncode == 0
    assert "up to version 7, whose hash you gave, this is the log you knew" in " ".join(done.stdout.split())


def test_the_verifier_is_written_into_a_file_that_runs_by_itself(finished: Game, tmp_path: Path) -> None:
    """In an empty folder, with an isolated Python that has no packages at all."""
    folder = tmp_path / "empty"
    folder.mkdir()
    done = meldlog("verify", "--write-standalone", folder / "meldlog_verify.py", home=tmp_path)
    assert done.returncode == 0, done.stderr
    content = (folder / "meldlog_verify.py").read_bytes()
    assert done.stdout.split()[:2] == ["SHA-256", hashlib.sha256(content).hexdigest()]
    write_log(folder / "log.ndjson", finished.lines)
    write_log(folder / "cut.ndjson", finished.lines[:-1])

    def alone(log: str) -> subprocess.CompletedProcess[str]:
        head = finished.commits[-1].hash
        command = [sys.executable, "-I", "-S", "meldlog_verify.py", log, "--head", head]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, env={}, check=False)

    assert (alone("log.ndjson").returncode, alone("cut.ndjson").returncode) == (0, 1)
    assert alone("log.ndjson").stdout.endswith("No fault was found.\n")
    nowhere = alone("nowhere.ndjson")
    assert (nowhere.returncode, nowhere.stdout) == (2, "")
    assert nowhere.stderr == "meldlog_verify.py: cannot read nowhere.ndjson: No such file or directory\n"


def test_the_verifier_for_pages_and_node_is_written_too(tmp_path: Path) -> None:
    """The ending says which; nothing is written over."""
    module = tmp_path / "verifier.mjs"
    assert meldlog("verify", "--write-standalone", module, home=tmp_path).returncode == 0
    assert (
        module.read_bytes() == resources.files("meldlog_web").joinpath("static", "verifier.js").read_bytes()
    )
    again = meldlog("verify", "--write-standalone", module, home=tmp_path)
    told = f"meldlog: {module} exists already: name another file, or say --force\n"
    assert (again.returncode, again.stderr) == (2, told)
    assert meldlog("verify", "--write-standalone", module, "--force", home=tmp_path).returncode == 0
    assert meldlog("verify", "--write-standalone", tmp_path / "verifier.txt", home=tmp_path).returncode == 2
    assert meldlog("verify", home=tmp_path).returncode == 2


def test_verifying_imports_nothing_of_the_service(log_file: Path, tmp_path: Path) -> None:
    """No web framework, no store, no rules: it starts at once, and trusts nobody."""
    code = (
        "import sys\n"
        f"sys.argv = ['meldlog', 'verify', {str(log_file)!r}]\n"
        "from meldlog_service.cli import main\n"
        "try:\n    main()\nfinally:\n    print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environ(tmp_path), check=True
    )
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert not loaded & {"litestar", "uvicorn", "redis", "httpx", "pluggy", "msgspec", "meldlog_variants"}
