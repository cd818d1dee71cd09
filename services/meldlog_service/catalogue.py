"""Which plugins are installed, and the ruleset that a game asks for.

Our own variants come through the same entry points as anybody's (group ``meldlog.plugins``). Several rules versions of
one plugin can be installed side by side: a game is played to its end by the versions that it recorded.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Literal

import msgspec
import pluggy
from msgspec import Struct

from meldlog_contracts.commands import CreateGame
from meldlog_contracts.hooks import PROJECT, Spec, VariantInfo
from meldlog_contracts.problems import Fault, Refused
from meldlog_contracts.table import HouseValue, PluginRef, Table
from meldlog_service.core.asking import check_wrappers
from meldlog_service.core.ruleset import Ruleset, merged_house_rules
from meldlog_service.expected import listed
from meldlog_service.meant import cut, meant
from meldlog_service.misfits import escaped, misfit

ENTRY_POINTS = "meldlog.plugins"
BASIC = "basic"
_CACHED_RULESETS = 512
_QUESTIONS = 8
"""House rules that nobody knows, of which it is asked what was meant: of more it would take too long to look."""


class PluginUnavailable(Exception):
    """A plugin that a game needs is not installed, or not in the version that the game recorded."""


class BrokenPlugin(Exception):
    """An installed plugin that does not say who it is, or says so wrongly."""


class Installed(Struct, frozen=True):
    """One installed plugin in one rules version."""

    info: VariantInfo
    ref: PluginRef
    plugin: object
    declarations: tuple[type[Struct], ...]
    amendments: tuple[Mapping[str, HouseValue], ...]


class Catalogue:
    """The installed plugins, newest rules version first."""

    def __init__(self, plugins: Iterable[object]) -> None:
        """Ask every plugin who it is.

        Raises:
            BrokenPlugin: when one does not answer, or two claim one name and version.
        """
        self._installed: dict[str, dict[int, Installed]] = {}
        self._rulesets: dict[tuple[tuple[PluginRef, ...], bytes], Ruleset] = {}
        for plugin in plugins:
            installed = _examined(plugin)
            versions = self._installed.setdefault(installed.info.name, {})
            if installed.info.rules_version in versions:
                raise BrokenPlugin(
                    f"two plugins claim to be {installed.info.name} with rules version {installed.info.rules_version}"
                )
            versions[installed.info.rules_version] = installed

    @classmethod
    def from_entry_points(cls) -> Catalogue:
        """Everything that is installed.

        Raises:
            BrokenPlugin: naming the entry point that could not be loaded.
        """
        plugins = []
        for entry in sorted(metadata.entry_points(group=ENTRY_POINTS), key=lambda entry: entry.name):
            try:
                plugins.append(entry.load())
            except Exception as error:
                raise BrokenPlugin(
                    f"the plugin {entry.name} ({entry.value}) does not load: {error}"
                ) from error
        return cls(plugins)

    def infos(self) -> tuple[VariantInfo, ...]:
        """What is installed, each name in its newest rules version, in alphabetical order."""
        return tuple(self.newest(name).info for name in sorted(self._installed))

    def refs(self) -> tuple[PluginRef, ...]:
        """Everything that is installed, in every rules version, in alphabetical order."""
        return tuple(
            versions[number].ref
            for _, versions in sorted(self._installed.items())
            for number in sorted(versions)
        )

    def newest(self, name: str) -> Installed:
        """A plugin in its newest rules version.

        Raises:
            PluginUnavailable: when there is none of that name.
        """
        versions = self._installed.get(name)
        if versions is None:
            raise PluginUnavailable(f"no plugin named {name} is installed")
        return versions[max(versions)]

    def version(self, name: str, rules_version: int) -> Installed:
        """A plugin in one rules version.

        Raises:
            PluginUnavailable: when it is not installed.
        """
        found = self._installed.get(name, {}).get(rules_version)
        if found is None:
            raise PluginUnavailable(f"{name} with rules version {rules_version} is not installed")
        return found

    def there_are(self, kind: Literal["variant", "option"]) -> str:
        """Which plugins of a kind are installed, in words."""
        return f"the {kind}s are {listed(self._names(kind))}"

    def unknown(self, name: str, kind: Literal["variant", "option"] | None = None) -> str:
        """What to say to whoever names a plugin that is not there, or is of another kind: what it could be.

        Names that are spelt alike come first, then all that there are.

        Args:
            name: As it was given.
            kind: What it should have been; None where any plugin would do, of which the variants are told.
        """
        there_are = self.there_are(kind or "variant")
        if kind is not None and name in self._installed:
            return f"{name} is no {kind} but a kind of {self.newest(name).info.kind}: {there_are}"
        near = meant(name, self._names(kind) if kind else self._installed) or ":"
        return f"no {kind or 'plugin'} named {cut(name)} is installed{near} {there_are}"

    def ruleset_for_new(
        self, variant: str, options: Sequence[str] = (), house_rules: Mapping[str, HouseValue] | None = None
    ) -> Ruleset:
        """Rules of a game about to be created.

        A house rule that an option declares brings that option along, so ``{"press": true}`` is enough.

        Raises:
            Refused: ``invalid``, with pointers to a variant, an option or a house rule that makes no sense.
        """
        wanted = dict(house_rules or {})
        stack = self.check_house_rules(variant, options, wanted)
        declarations = [declaration for one in stack for declaration in one.declarations]
        amendments = [amendment for one in stack for amendment in one.amendments]
        merged = merged_house_rules(declarations, amendments, wanted)
        return self._ruleset(stack, merged, self.newest(variant).info)

    def check_house_rules(
        self, variant: str, options: Sequence[str], wanted: Mapping[str, HouseValue]
    ) -> list[Installed]:
        """See that house rules are known to a game, each with a value that it takes.

        Returns:
            The plugins of that game.

        Raises:
            Refused: as in `ruleset_for_new`.
        """
        stack = self._stack(variant, options)
        implied = self._implied_options(stack, wanted)
        if implied:
            stack = self._stack(variant, (*options, *implied))
        unknown = sorted(wanted.keys() - _keys(stack))
        if unknown:
            known = self._house_rules(stack) if len(unknown) <= _QUESTIONS else set()
            faults = tuple(
                Fault(
                    f"/house_rules/{escaped(key)}" if key == cut(key) else "/house_rules",
                    f"{variant} knows no house rule {cut(key)}{meant(key, known)}",
                )
                for key in unknown
            )
            raise Refused("invalid", "; ".join(fault.detail for fault in faults), faults=faults)
        for one in stack:
            for declaration in one.declarations:
                _check_types(declaration, wanted)
        return stack

    def ruleset_of(self, table: Table) -> Ruleset:
        """Rules that a game recorded when it was created.

        Raises:
            PluginUnavailable: when one of its plugins is not installed in that version.
        """
        stack = [self.version(ref.name, ref.rules_version) for ref in table.plugins]
        info = next((one.info for one in stack if one.info.name == table.variant), None)
        if info is None:
            raise PluginUnavailable(f"the game's plugins do not hold its variant {table.variant}")
        return self._ruleset(stack, table.house_rules, info)

    def ruleset_recorded(self, command: CreateGame, refs: Sequence[PluginRef]) -> Ruleset:
        """Rules for judging the creation of a recorded game again: its own versions, its house rules merged anew.

        Raises:
            PluginUnavailable: when one of the versions is not installed.
            Refused: when these versions would not have allowed the game.
        """
        stack = [self.version(ref.name, ref.rules_version) for ref in refs]
        declarations = [declaration for one in stack for declaration in one.declarations]
        amendments = [amendment for one in stack for amendment in one.amendments]
        info = next((one.info for one in stack if one.info.name == command.variant), None)
        if info is None:
            raise PluginUnavailable(f"the game's plugins do not hold its variant {command.variant}")
        for declaration in declarations:
            _check_types(declaration, command.house_rules)
        try:
            merged = merged_house_rules(declarations, amendments, command.house_rules)
        except KeyError as error:
            raise Refused("invalid", f"there is no house rule {error.args[0]}") from error
        # The digests that the game recorded, whatever the files hold today: the rules version alone decides.
        return self._ruleset(stack, merged, info, tuple(refs))

    def ruleset_instead(
        self,
        variant: str,
        refs: Sequence[PluginRef],
        house_rules: Mapping[str, HouseValue],
        instead: Mapping[str, int],
    ) -> Ruleset:
        """Rules for judging a recorded game by other rules versions of some of its plugins.

        The game keeps its house rules, as far as these versions know them; what they know besides has their defaults.

        Args:
            variant: Of the game.
            refs: The stack that it recorded.
            house_rules: Those that it recorded.
            instead: Rules version by plugin; of plugins that are not in the stack nothing is used.

        Raises:
            PluginUnavailable: when one of the versions is not installed.
            Refused: when a house rule has a value that its declaration does not allow any more.
        """
        names = {ref.name for ref in refs}
        stack: list[Installed] = []
        for ref in refs:
            one = self.version(ref.name, instead.get(ref.name, ref.rules_version))
            if ref.name in instead:
                stack += [self.newest(rule) for rule in one.info.rules if rule not in names]
            stack.append(one)
        info = next((one.info for one in stack if one.info.name == variant), None)
        if info is None:
            raise PluginUnavailable(f"the game's plugins do not hold its variant {variant}")
        declarations = [declaration for one in stack for declaration in one.declarations]
        known = _keys(stack)
        wanted = {name: value for name, value in house_rules.items() if name in known}
        for declaration in declarations:
            _check_types(declaration, wanted)
        amendments = [amendment for one in stack for amendment in one.amendments]
        return self._ruleset(stack, merged_house_rules(declarations, amendments, wanted), info)

    def _ruleset(
        self,
        stack: Sequence[Installed],
        house: Mapping[str, HouseValue],
        info: VariantInfo,
        recorded: tuple[PluginRef, ...] | None = None,
    ) -> Ruleset:
        refs = recorded or tuple(one.ref for one in stack)
        key = (refs, msgspec.json.encode(house, order="sorted"))
        found = self._rulesets.get(key)
        if found is None:
            options = tuple(one.info.name for one in stack if one.info.kind == "option")
            plugins = [(ref, one.plugin) for ref, one in zip(refs, stack, strict=True)]
            found = Ruleset(plugins, house, info, options)
            if len(self._rulesets) >= _CACHED_RULESETS:
                del self._rulesets[next(iter(self._rulesets))]
            self._rulesets[key] = found
        return found

    def _stack(self, variant: str, options: Sequence[str]) -> list[Installed]:
        """Basic rules, the variant's lineage, each with the rules it brings along just before it, then the options."""
        names: list[str] = []
        try:
            lineage = self._lineage(variant)
        except PluginUnavailable as missing:
            detail = str(missing) if variant in self._installed else self.unknown(variant, "variant")
            raise Refused("invalid", detail, faults=(Fault("/variant", detail),)) from missing
        if self.newest(variant).info.kind != "variant":
            fault = Fault("/variant", self.unknown(variant, "variant"))
            raise Refused("invalid", fault.detail, faults=(fault,))
        for name in lineage:
            names += [rule for rule in self.newest(name).info.rules if rule not in names]
            names.append(name)
        for place, option in enumerate(options):
            if option not in self._installed or self.newest(option).info.kind != "option":
                detail = self.unknown(option, "option")
                raise Refused("invalid", detail, faults=(Fault(f"/options/{place}", detail),))
            if option in names and option not in options[:place]:
                continue  # another option brought it along
            if option in names:
                fault = Fault(f"/options/{place}", f"{option} is there already")
                raise Refused("invalid", fault.detail, faults=(fault,))
            names += [rule for rule in self.newest(option).info.rules if rule not in names]
            names.append(option)
        return [self.newest(name) for name in names]

    def _names(self, kind: Literal["variant", "option"]) -> list[str]:
        return sorted(name for name in self._installed if self.newest(name).info.kind == kind)

    def _house_rules(self, stack: Sequence[Installed]) -> set[str]:
        """House rules of a game with these plugins, and of all options that could be added to it."""
        options = [one for one in map(self.newest, self._installed) if one.info.kind == "option"]
        return _keys([*stack, *options])

    def _implied_options(self, stack: Sequence[Installed], wanted: Mapping[str, HouseValue]) -> list[str]:
        """Options that declare what nothing in the stack does, in the order in which they were asked for."""
        known = _keys(stack)
        implied: list[str] = []
        for key in wanted:
            for name in sorted(self._installed):
                option = self.newest(name)
                if key not in known and option.info.kind == "option" and key in _keys([option]):
                    implied.append(name)
                    known |= _keys([option])
        return implied

    def _lineage(self, variant: str) -> list[str]:
        lineage = [variant]
        while lineage[0] != BASIC:
            parent = self.newest(lineage[0]).info.based_on or BASIC
            if parent in lineage:
                raise BrokenPlugin(f"{parent} is based on itself")
            lineage.insert(0, parent)
        return lineage


def _keys(stack: Sequence[Installed]) -> set[str]:
    """House rules that these plugins declare."""
    return {key for one in stack for declaration in one.declarations for key in declaration.__struct_fields__}


def _examined(plugin: object) -> Installed:
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(Spec)
    try:
        manager.register(plugin)
        manager.check_pending()
        for caller in manager.get_hookcallers(plugin) or ():
            check_wrappers(caller)
    except pluggy.PluginValidationError as error:
        raise BrokenPlugin(str(error)) from error
    infos = manager.hook.variant_info()
    if len(infos) != 1 or not isinstance(infos[0], VariantInfo):
        raise BrokenPlugin(f"{plugin!r} does not say what it is (hook variant_info)")
    info = infos[0]
    return Installed(
        info=info,
        ref=PluginRef(info.name, info.rules_version, code_digest(plugin)),
        plugin=plugin,
        declarations=tuple(manager.hook.house_rules()),
        amendments=tuple(manager.hook.amendments()),
    )


def code_digest(plugin: object) -> str:
    """SHA-256 (hex) of a plugin's code: its module's source, or every source file of its package."""
    module = (
        plugin
        if isinstance(plugin, ModuleType)
        else inspect.getmodule(plugin if inspect.isclass(plugin) else type(plugin))
    )
    source = getattr(module, "__file__", None)
    digest = hashlib.sha256()
    if source is not None:
        path = Path(source)
        files = sorted(path.parent.rglob("*.py")) if path.name == "__init__.py" else [path]
        for file in files:
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _check_types(declaration: type[Struct], wanted: Mapping[str, HouseValue]) -> None:
    for name in declaration.__struct_fields__:
        if name not in wanted:
            continue
        try:
            msgspec.convert({name: wanted[name]}, declaration)
        except msgspec.ValidationError as error:
            found = misfit(error, declaration, {name: wanted[name]})
            fault = Fault(f"/house_rules{found.pointer}", found.detail)
            raise Refused("invalid", fault.detail, faults=(fault,)) from error
