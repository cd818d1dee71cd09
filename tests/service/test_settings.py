"""Settings are read loudly, told without their secrets, and handed on unchanged."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldlog_service.settings import (
    Age,
    Durability,
    InvalidSettingsError,
    RateLimit,
    Settings,
    describe,
    variable,
    without_password,
)

TOKEN = "a-token-that-nobody-may-read"


def test_an_empty_environment_gives_the_defaults() -> None:
    """What the documentation promises when nothing is set."""
    settings = Settings.from_environment({})
    assert settings == Settings()
    assert (settings.host, settings.port, settings.create, settings.body_limit) == (
        "127.0.0.1",
        8000,
        "anybody",
        65_536,
    )
    assert settings.durability == Durability("process")
    assert settings.rate_limit is None


def test_every_variable_is_read_with_its_type() -> None:
    """Text from the environment becomes numbers, paths and structs."""
    settings = Settings.from_environment(
        {
            "MELDLOG_PORT": "9000",
            "MELDLOG_DATA_DIR": "/srv/meldlog",
            "MELDLOG_DURABILITY": "replicas=2",
            "MELDLOG_RATE_LIMIT": "50/second",
            "MELDLOG_CREATE": "operator",
        }
    )
    assert settings.port == 9000
    assert settings.data_dir == Path("/srv/meldlog")
    assert settings.durability == Durability("replicas", 2)
    assert settings.rate_limit == RateLimit(50)
    assert settings.create == "operator"


def test_an_override_beats_its_variable() -> None:
    """A command-line option is nearer than the environment; one not given is None and changes nothing."""
    environ = {"MELDLOG_PORT": "9000", "MELDLOG_HOST": "::1"}
    settings = Settings.from_environment(environ, port=9001, host=None, durability="fsync")
    assert (settings.port, settings.host, settings.durability) == (9001, "::1", Durability("fsync"))


def test_an_empty_variable_is_not_set() -> None:
    """Compose files and unit files set empty variables for "leave it alone"."""
    assert Settings.from_environment({"MELDLOG_REDIS_URL": "", "MELDLOG_PORT": ""}) == Settings()


def test_a_rate_limit_can_be_turned_off() -> None:
    """`off` beats nothing, since off is the default, but may be said."""
    assert Settings.from_environment({"MELDLOG_RATE_LIMIT": "off"}).rate_limit is None


def test_all_faults_are_told_at_once_by_their_variables() -> None:
    """Nobody starts a service five times to learn of five mistakes."""
    with pytest.raises(InvalidSettingsError) as caught:
        Settings.from_environment(
            {"MELDLOG_PORT": "80000", "MELDLOG_POTR": "1", "MELDLOG_LOG_LEVEL": "loud"}, workers=0
        )
    variables = [fault.partition(":")[0] for fault in caught.value.faults]
    assert variables == ["MELDLOG_LOG_LEVEL", "MELDLOG_PORT", "MELDLOG_POTR", "MELDLOG_WORKERS"]
    assert "Expected one of debug, error, info, warning; it was 'loud'" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("MELDLOG_DURABILITY", "replicas=0"),
        ("MELDLOG_DURABILITY", "replicas=two"),
        ("MELDLOG_DURABILITY", "always"),
        ("MELDLOG_ARCHIVE_AFTER", "30"),
        ("MELDLOG_ARCHIVE_AFTER", "d"),
        ("MELDLOG_ARCHIVE_AFTER", "-1d"),
        ("MELDLOG_ARCHIVE_AFTER", "1w"),
        ("MELDLOG_RATE_LIMIT", "5"),
        ("MELDLOG_RATE_LIMIT", "0/second"),
        ("MELDLOG_RATE_LIMIT", "5/minute"),
        ("MELDLOG_REDIS_URL", "localhost:6379"),
        ("MELDLOG_PUBLIC_URL", "cards.example/"),
        ("MELDLOG_OPERATOR_TOKEN", "two words"),
        ("MELDLOG_WORKERS", "-1"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused(name: str, text: str) -> None:
    """Each with the name of its variable."""
    with pytest.raises(InvalidSettingsError, match=name):
        Settings.from_environment({name: text})


@pytest.mark.parametrize(
    ("text", "seconds"), [("0s", 0), ("90s", 90), ("15m", 900), ("12h", 43_200), ("30d", 2_592_000)]
)
def test_an_age_is_read_in_any_unit(text: str, seconds: int) -> None:
    """And handed on as it was given."""
    settings = Settings.from_environment({"MELDLOG_ARCHIVE_AFTER": text})
    assert settings.archive_after == Age(text, seconds)
    assert settings.to_environment()["MELDLOG_ARCHIVE_AFTER"] == text


def test_the_archive_is_in_the_data_folder_unless_it_is_named() -> None:
    """With a store of one's own there is none, since its workers share no folder."""
    embedded = Settings.from_environment({"MELDLOG_DATA_DIR": "/srv/meldlog"})
    assert embedded.archive_place() == "/srv/meldlog/archive"
    own = {"MELDLOG_REDIS_URL": "redis://redis.example"}
    assert Settings.from_environment(own).archive_place() is None
    named = Settings.from_environment({**own, "MELDLOG_ARCHIVE_URL": "s3://bucket/games"})
    assert named.archive_place() == "s3://bucket/games"


def test_variables_of_others_and_of_the_tests_are_passed_over() -> None:
    """Only an unknown MELDLOG_ variable is a mistake."""
    assert Settings.from_environment({"PORT": "1", "MELDLOG_TEST_REDIS_URL": "redis://x"}) == Settings()


def test_an_unknown_override_is_the_callers_mistake() -> None:
    """It is a fault of the program, not of the environment."""
    with pytest.raises(TypeError, match="prot"):
        Settings.from_environment({}, prot=1)


def test_no_secret_is_ever_shown() -> None:
    """Neither by repr, nor in the log's form, nor in the message about a fault."""
    environ = {
        "MELDLOG_OPERATOR_TOKEN": TOKEN,
        "MELDLOG_REDIS_URL": f"rediss://cards:{TOKEN}@redis.example:6380/0",
        "MELDLOG_ARCHIVE_URL": f"sftp://cards:{TOKEN}@files.example/games?key={TOKEN}",
    }
    settings = Settings.from_environment(environ)
    for told in (repr(settings), str(settings), f"{settings}", str(settings.public())):
        assert TOKEN not in told
        assert "redis.example:6380" in told
    with pytest.raises(InvalidSettingsError) as caught:
        Settings.from_environment(environ | {"MELDLOG_REDIS_URL": f"http://x:{TOKEN}@y"})
    assert TOKEN not in str(caught.value)


def test_a_url_without_a_password_is_told_as_it_is() -> None:
    """Nothing is hidden where there is nothing to hide."""
    assert without_password("redis://localhost:6379/0") == "redis://localhost:6379/0"


@given(
    port=st.integers(0, 65_535),
    durability=st.sampled_from(["process", "fsync", "replicas=1", "replicas=12"]),
    rate_limit=st.none() | st.integers(1, 10_000).map(RateLimit),
    token=st.none() | st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1),
    data_dir=st.sampled_from([Path("data"), Path("/srv/meldlog data")]),
)
def test_settings_survive_the_way_to_a_worker(**fields: object) -> None:
    """What one process hands to another through the environment is what it had."""
    settings = Settings.from_environment(
        {}, **{name.replace("token", "operator_token"): value for name, value in fields.items()}
    )
    assert Settings.from_environment(settings.to_environment()) == settings


def test_every_setting_is_described() -> None:
    """The table of settings in the help and the documentation is made from the struct."""
    described = describe()
    assert [line.name for line in described] == list(Settings.__struct_fields__)
    for line in described:
        assert line.variable == variable(line.name)
        assert line.description.endswith(".")
