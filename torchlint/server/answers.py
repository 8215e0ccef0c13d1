"""What the editor asks: for diagnostics, for what can be done about them, and for explanations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from torchlint.findings import Safety
from torchlint.frozen import dataclass
from torchlint.server.actions import FIX_ALL, Actions, asks_for
from torchlint.server.hovering import hover

if TYPE_CHECKING:
    from torchlint.server import Handlers
    from torchlint.server.analysis import Analysis
    from torchlint.server.desk import Desk

_DIAGNOSTICS = lsp.DiagnosticOptions(
    inter_file_dependencies=True, workspace_diagnostics=False, identifier="torchlint"
)
_ACTIONS = lsp.CodeActionOptions(
    code_action_kinds=[lsp.CodeActionKind.QuickFix, FIX_ALL], resolve_provider=True
)


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers from what is known of the documents as they are now."""

    desk: Desk

    def handlers(self) -> Handlers:
        """Which method is answered by what, and what else there is to say of it."""
        yield lsp.TEXT_DOCUMENT_DIAGNOSTIC, self.diagnostics, _DIAGNOSTICS
        yield lsp.TEXT_DOCUMENT_CODE_ACTION, self.actions, _ACTIONS
        yield lsp.CODE_ACTION_RESOLVE, self.resolve
        yield lsp.TEXT_DOCUMENT_HOVER, self.hover

    async def diagnostics(
        self, params: lsp.DocumentDiagnosticParams
    ) -> lsp.RelatedFullDocumentDiagnosticReport | lsp.RelatedUnchangedDocumentDiagnosticReport:
        """The diagnostics of a document, or that they are as they were."""
        shown = self.desk.documents.part(params.text_document.uri)
        if shown is None:
            return lsp.RelatedFullDocumentDiagnosticReport([])
        uri, cell = shown[0].uri, shown[1].cell
        analysis = await self.desk.analyst.of(uri)
        if analysis is None:
            return lsp.RelatedFullDocumentDiagnosticReport([])
        self.desk.tell_troubles(uri, analysis)
        known = str(analysis.number)
        if params.previous_result_id == known:
            return lsp.RelatedUnchangedDocumentDiagnosticReport(known)
        found = self.desk.view(analysis).diagnostics(cell)
        return lsp.RelatedFullDocumentDiagnosticReport(found, result_id=known)

    async def actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """What can be done about the findings that touch a range."""
        only = params.context.only
        shown = self.desk.documents.part(params.text_document.uri)
        if shown is None:
            return []
        uri, part = shown[0].uri, shown[1]
        analysis = await self.desk.analyst.of(uri)
        if analysis is None:
            return []
        actions = Actions(self.desk.view(analysis), part.cell, self.desk.workspace_edit)
        offered = list(actions.within(params.range, only))
        if asks_for(FIX_ALL, only) and _can_fix(analysis):
            everything = lsp.CodeAction(
                title="Fix all that torchlint can fix safely",
                kind=FIX_ALL,
                data={"uri": uri},
            )
            if self.desk.editor.resolves:
                offered.append(everything)
            elif only is not None:
                offered.append(await self.resolve(everything))
        return offered

    async def resolve(self, action: lsp.CodeAction) -> lsp.CodeAction:
        """Add the edits to the action that fixes everything."""
        uri = action.data.get("uri", "") if isinstance(action.data, dict) else ""
        changes = await self.desk.fixed(uri)
        if changes is not None:
            action.edit = self.desk.workspace_edit(
                {uri: each for uri, each in changes.items() if each}
            )
        return action

    def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        """The page of the rule that is named, or has spoken, at a position."""
        shown = self.desk.documents.part(params.text_document.uri)
        if shown is None:
            return None
        document, part = shown
        known = self.desk.analyst.known(document.uri)
        return hover(part, params.position, self.desk.ruler, known)


def _can_fix(analysis: Analysis) -> bool:
    fixes = (finding.fix for finding in analysis.findings)
    return any(fix is not None and fix.safety is Safety.SAFE for fix in fixes)
