"""The editor at the other end: what it can do, and what it says of the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygls.capabilities import get_capability

from torchlint.config.files import read
from torchlint.frozen import dataclass
from torchlint.settings import SettingsError

if TYPE_CHECKING:
    from lsprotocol.types import ClientCapabilities

    from torchlint.config.files import Layer

SECTION = "torchlint"


@dataclass(frozen=True, slots=True)
class Editor:
    """What an editor can do beyond what all of them can."""

    capabilities: ClientCapabilities

    def _can(self, what: str) -> bool:
        return bool(get_capability(self.capabilities, what, default=False))

    @property
    def pulls(self) -> bool:
        """Whether it asks for diagnostics, so that none need be sent unasked."""
        return get_capability(self.capabilities, "text_document.diagnostic") is not None

    @property
    def repulls(self) -> bool:
        """Whether it can be told to ask again."""
        return self._can("workspace.diagnostics.refresh_support")

    @property
    def relates(self) -> bool:
        """Whether it shows other places beside the one that is flagged."""
        return self._can("text_document.publish_diagnostics.related_information") or self._can(
            "text_document.diagnostic.related_information"
        )

    @property
    def versions(self) -> bool:
        """Whether it takes edits that say of which version of a document they are."""
        return self._can("workspace.workspace_edit.document_changes")

    @property
    def watches(self) -> bool:
        """Whether it can be asked to watch files."""
        return self._can("workspace.did_change_watched_files.dynamic_registration")

    @property
    def answers_for_settings(self) -> bool:
        """Whether it can be asked for settings."""
        return self._can("workspace.configuration")

    @property
    def resolves(self) -> bool:
        """Whether it asks for the edits of an action only once that is chosen."""
        properties = get_capability(
            self.capabilities, "text_document.code_action.resolve_support.properties", default=()
        )
        return "edit" in properties


def settings(said: object, folder: str) -> Layer:
    """The options of a table as ``torchlint.toml`` has them, which may lie in one of our name.

    SettingsError has a sentence for each that is wrong.
    """
    if isinstance(said, dict) and isinstance(said.get(SECTION), dict):
        said = said[SECTION]
    if said is None:
        return {}
    if not isinstance(said, dict):
        raise SettingsError("the editor's settings for torchlint are no table of options.")

    def where(key: str, part: object = None) -> str:
        return f"the editor's settings, {key}"

    return read(_plain(said), folder, where)


def concerns(said: object) -> bool:
    """Whether settings that an editor sends are, or may be, for torchlint."""
    return isinstance(said, dict) and SECTION in said


def _plain(said: dict[str, Any]) -> dict[str, Any]:
    """What editors send for an option that nobody has set is left out."""
    return {key: value for key, value in said.items() if value is not None}
