"""What deploy/ shows can be deployed: its settings are settings, its files are there, its server keeps games."""

import re
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]
from tests.docs.markdown import ROOT
from tests.support.servers import BareServer

from meldlog_service.settings import Durability, Settings
from meldlog_service.store.redis_streams import RedisStreams

DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def test_the_images_settings_and_sources_are_there() -> None:
    """Every `MELDLOG_` variable of the Dockerfile is a setting, every file that it copies exists."""
    text = (DEPLOY / "Dockerfile").read_text()
    settings = Settings.from_environment(dict(re.findall(r"(MELDLOG_[A-Z_]+)=(\S+)", text)))
    assert settings.host == "0.0.0.0"
    assert settings.data_dir == Path("/data")
    copied = [
        line.split()[1:-1] for line in text.splitlines() if line.startswith("COPY") and "--from" not in line
    ]
    for name in [name for names in copied for name in names]:
        assert (ROOT / name).exists(), name


def test_compose_gives_the_service_settings_that_it_takes() -> None:
    """The operator's token comes from the caller's environment, and without it nothing starts."""
    given = dict(COMPOSE["services"]["meldlog"]["environment"])
    assert given.pop("MELDLOG_OPERATOR_TOKEN").startswith("${MELDLOG_OPERATOR_TOKEN:?")
    settings = Settings.from_environment(given)
    assert settings.durability == Durability("fsync")
    assert settings.redis_url == "redis://store:6379/0"
    assert int(COMPOSE["services"]["meldlog"]["stop_grace_period"].rstrip("s")) > settings.shutdown_grace


def test_compose_builds_from_files_that_are_there() -> None:
    """And mounts the configuration that lies beside it."""
    build = COMPOSE["services"]["meldlog"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()
    mounted = COMPOSE["services"]["store"]["volumes"][0].partition(":")[0]
    assert (DEPLOY / mounted).is_file()


@pytest.mark.parametrize("durability", ["process", "fsync"])
async def test_a_server_with_this_configuration_is_fit_to_keep_games(tmp_path: Path, durability: str) -> None:
    """The check that every start of the service makes finds nothing to warn of."""
    text = (DEPLOY / "redis.conf").read_text()
    assert "\ndir /data\n" in text
    configuration = tmp_path / "redis.conf"
    configuration.write_text(text.replace("\ndir /data\n", "\ndir .\n"))
    with BareServer(tmp_path, first=[str(configuration)]) as server:
        store = RedisStreams(server.url, Durability.parse(durability))
        try:
            assert await store.check() == []
        finally:
            await store.close()
