"""HOOKS.md says of every hook exactly what it is, and every example in it does what it says."""

import doctest
import importlib.util
import inspect
import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from tests.docs.markdown import ROOT, Block, blocks, headings
from tests.support.games import Game, installed

from meldlog_contracts.hooks import Rules, Spec
from meldlog_service.catalogue import Catalogue

PAGE = ROOT / "contracts" / "HOOKS.md"
HOOKS: dict[str, Callable[..., object]] = {
    name: hook for name, hook in vars(Spec).items() if hasattr(hook, "meldlog_spec")
}
COLLECTING = "**Collecting.**"
FIRST = "**First answer wins.**"
WRAPPED = "**First answer wins. Made to be wrapped**"
_unique = itertools.count()


def signature(hook: str) -> str:
    """A hook as its heading shows it: the arguments without ``self``, types as they are written in the contracts."""
    given = inspect.signature(HOOKS[hook])
    arguments = [f"{one.name}: {one.annotation}" for one in given.parameters.values() if one.name != "self"]
    text = f"{hook}({', '.join(arguments)}) -> {given.return_annotation}"
    return text.replace('"', "'")


def section(hook: str) -> str:
    """Everything that stands under a hook's heading."""
    _, _, after = PAGE.read_text(encoding="utf-8").partition(f"\n### `{signature(hook)}`\n")
    return after.partition("\n### ")[0].partition("\n## ")[0]


def example_of(hook: str, language: str) -> Block:
    """A hook's one block in a language."""
    [found] = [block for block in blocks(PAGE, language) if block.heading == f"`{signature(hook)}`"]
    return found


@pytest.fixture
def example(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ModuleType]:
    """The module that a hook's example makes with the page's first lines."""
    [opening, *_] = [block for block in blocks(PAGE, "python") if block.heading == "How to read the examples"]
    name = f"documented_{request.param}_{next(_unique)}"
    file = tmp_path / f"{name}.py"
    text = (
        f"from __future__ import annotations\n\n{opening.text}\n\n{example_of(request.param, 'python').text}"
    )
    file.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[name]


def game_with(plugin: ModuleType) -> Game:
    """A game for three that the plugin has a say in, in its first deal."""
    everything = [installed().newest(info.name).plugin for info in installed().infos()]
    catalogue = Catalogue([*everything, plugin])
    info = plugin.variant_info()
    if info.kind == "option":
        return Game(options=[info.name], catalogue=catalogue).started()
    return Game(info.name, catalogue=catalogue).started()


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_has_a_heading_with_its_exact_signature(hook: str) -> None:
    """A hook that is added or changed must be described here."""
    assert f"`{signature(hook)}`" in headings(PAGE)


def test_no_heading_describes_a_hook_that_is_not_there() -> None:
    """A hook that was taken away or renamed is not described any more."""
    described = {heading for heading in headings(PAGE) if heading.startswith("`")}
    assert described == {f"`{signature(hook)}`" for hook in HOOKS}


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_says_which_kind_it_is_and_when_it_is_asked(hook: str) -> None:
    """And says so as the specification does."""
    options = vars(HOOKS[hook])["meldlog_spec"]
    meant = (inspect.getdoc(HOOKS[hook]) or "").replace("\n", " ")
    kind = (WRAPPED if "made to be wrapped" in meant else FIRST) if options["firstresult"] else COLLECTING
    text = section(hook)
    assert text.lstrip().startswith(kind)
    assert "asked" in text.lower()


@pytest.mark.parametrize("example", HOOKS, indirect=True)
def test_every_example_is_a_plugin_that_does_what_the_page_shows(example: ModuleType) -> None:
    """The module is loaded into a catalogue, a game is dealt with it, and the answers are compared."""
    hook = example.__name__.removeprefix("documented_").rpartition("_")[0]
    assert hasattr(getattr(example, hook), "meldlog_impl")
    shown = example_of(hook, "pycon")
    game = game_with(example)
    names = vars(example) | {"rules": game.rules, "table": game.table}
    test = doctest.DocTestParser().get_doctest(shown.text, names, hook, shown.where, shown.line - 1)
    told: list[str] = []
    failed, tried = doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert tried > 0
    assert failed == 0, "".join(told)


def test_everything_that_a_hook_may_ask_back_is_listed() -> None:
    """The last table names every member of `Rules`."""
    _, _, table = PAGE.read_text(encoding="utf-8").partition("## What a hook may ask back")
    listed = {
        line.split("`")[1].partition("(")[0] for line in table.splitlines() if line.startswith("| `rules.")
    }
    assert listed == {f"rules.{name}" for name in vars(Rules) if not name.startswith("_")}
