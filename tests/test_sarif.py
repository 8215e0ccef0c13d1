"""SARIF: the standard's shape, what GitHub asks for beyond it, and the hashes of lines."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from everything import everything, rendered, syntax

from torchlint.findings import Finding, Place, Report, Trouble
from torchlint.pages import page
from torchlint.registry import rules
from torchlint.reports._line_hash import line_hashes

TEXT = {"type": "string", "minLength": 1}
URI = {"type": "string", "format": "uri-reference", "pattern": r"^[!-~]+$"}
POSITION = {"type": "integer", "minimum": 1}
BAG = {"type": "object"}
LEVEL = {"enum": ["error", "warning", "note", "none"]}
MESSAGE = {"$ref": "#/$defs/message"}


def shape(*required: str, **properties: Any) -> dict[str, Any]:
    """An object of these properties and no others."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(required),
        "properties": properties,
    }


def listed(items: dict[str, Any], least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least}


ARTIFACT = shape("uri", uri=URI)
REGION = shape(
    *("startLine", "startColumn", "endLine", "endColumn"),
    **dict.fromkeys(("startLine", "startColumn", "endLine", "endColumn"), POSITION),
)
PHYSICAL = shape("artifactLocation", artifactLocation=ARTIFACT, region=REGION)
LOCATION = shape(
    physicalLocation=PHYSICAL,
    logicalLocations=listed(shape(fullyQualifiedName=TEXT), 1),
    message=MESSAGE,
)
FLOW = shape("locations", locations=listed(shape("location", location=LOCATION), 1))
REPLACEMENT = shape("deletedRegion", deletedRegion=REGION, insertedContent=BAG)
CHANGE = shape(
    *("artifactLocation", "replacements"),
    artifactLocation=ARTIFACT,
    replacements=listed(REPLACEMENT, 1),
)
RESULT = shape(
    *("ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"),
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    message=MESSAGE,
    locations={**listed(LOCATION, 1), "maxItems": 1},
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
    codeFlows=listed(shape("threadFlows", threadFlows=listed(FLOW, 1)), 1),
    fixes=listed(
        shape(
            *("artifactChanges",),
            description=MESSAGE,
            artifactChanges=listed(CHANGE, 1),
            properties=BAG,
        )
    ),
    suppressions=listed(shape("kind", kind={"enum": ["inSource", "external"]}, justification=TEXT)),
    rank={"type": "number", "minimum": 0, "maximum": 100},
    properties=BAG,
)
DESCRIPTION = shape("text", text={**TEXT, "maxLength": 1024})
RULE = shape(
    *("id", "name", "shortDescription", "fullDescription", "help", "helpUri", "properties"),
    id=TEXT,
    name={**TEXT, "maxLength": 255},
    shortDescription=DESCRIPTION,
    fullDescription=DESCRIPTION,
    help=shape("text", "markdown", text=TEXT, markdown=TEXT),
    helpUri=URI,
    defaultConfiguration=shape(level=LEVEL),
    properties={
        "type": "object",
        "properties": {
            "tags": {**listed(TEXT), "maxItems": 10, "uniqueItems": True},
            "precision": {"enum": ["very-high", "high", "medium", "low"]},
            "problem.severity": {"enum": ["error", "warning", "recommendation"]},
            "security-severity": {"type": "string", "pattern": r"^\d+\.\d$"},
        },
    },
)
DRIVER = shape(
    *("name", "rules"),
    **dict.fromkeys(("name", "version", "semanticVersion"), TEXT),
    informationUri=URI,
    rules=listed(RULE),
)
INVOCATION = shape(
    *("executionSuccessful", "workingDirectory"),
    executionSuccessful={"type": "boolean"},
    exitCode={"type": "integer"},
    workingDirectory=ARTIFACT,
    toolExecutionNotifications=listed(
        shape("message", level=LEVEL, message=MESSAGE, locations=listed(LOCATION))
    ),
    properties=shape(**{"torchlint/enforced": listed(TEXT)}),
)
RUN = shape(
    *("tool", "results", "columnKind"),
    tool=shape("driver", driver=DRIVER),
    automationDetails=shape(id=TEXT),
    columnKind={"const": "unicodeCodePoints"},
    invocations=listed(INVOCATION, 1),
    results=listed(RESULT),
)
SCHEMA = {
    "$defs": {"message": shape("text", text=TEXT)},
    **shape(
        *("$schema", "version", "runs"),
        **{"$schema": URI, "version": {"const": "2.1.0"}, "runs": listed(RUN, 1)},
    ),
}
"""What torchlint writes of SARIF 2.1.0."""

EMPTY = Report()
FAILED = Report(
    findings=(replace(syntax(), place=Place("a b/名#?.py", 1, 1, 1, 1)),),
    troubles=(Trouble("", "it failed", fatal=True), Trouble("a b.py", "is gone")),
    warnings=("something is odd",),
)


def log(report: Report) -> Any:
    return json.loads(rendered(report, "sarif"))


def result(code: str) -> Any:
    (found,) = [each for each in log(everything())["runs"][0]["results"] if each["ruleId"] == code]
    return found


@pytest.mark.parametrize("report", [everything(), EMPTY, FAILED], ids=["all", "none", "failed"])
class TestShape:
    def test_as_it_is_written_here(self, report: Report) -> None:
        jsonschema.validate(log(report), SCHEMA)
        assert rendered(report, "sarif").isascii()

    @pytest.mark.skipif(
        "SARIF_SCHEMA" not in os.environ, reason="SARIF_SCHEMA names no file of the OASIS schema"
    )
    def test_as_the_standard_has_it(self, report: Report) -> None:
        schema = json.loads(Path(os.environ["SARIF_SCHEMA"]).read_bytes())
        checked = jsonschema.validators.validator_for(schema)
        checked(schema, format_checker=checked.FORMAT_CHECKER).validate(log(report))


def test_results_point_to_their_rules() -> None:
    (run,) = log(everything())["runs"]
    listed = run["tool"]["driver"]["rules"]
    for each in run["results"]:
        assert listed[each["ruleIndex"]]["id"] == each["ruleId"]
    assert [rule["id"] for rule in listed] == sorted({each["ruleId"] for each in run["results"]})
    for rule in listed:
        assert rule["help"]["markdown"] == page(rules()[rule["id"]])


def test_every_rule_can_be_listed() -> None:
    findings = tuple(
        Finding(rule.code, rule.name, rule.level, "m", Place("a.py", 1, 1, 1, 1), fingerprint="f")
        for rule in rules().values()
    )
    whole = log(Report(findings=findings))
    jsonschema.validate(whole, SCHEMA)
    for rule in whole["runs"][0]["tool"]["driver"]["rules"]:
        assert ("security" in rule["properties"]["tags"]) == (
            "security-severity" in rule["properties"]
        )


def test_the_chain_ends_at_the_finding() -> None:
    (flow,) = result("TL301")["codeFlows"][0]["threadFlows"]
    said = [each["location"]["message"]["text"] for each in flow["locations"]]
    assert said[:3] == ["the loss, made here", "softmax applied here", "returned here"]
    last = flow["locations"][-1]["location"]["physicalLocation"]
    assert last == result("TL301")["locations"][0]["physicalLocation"]
    assert "codeFlows" not in result("TL802")


def test_verdicts() -> None:
    assert [result(code)["rank"] for code in ("TL301", "TL801", "TL802")] == [95.0, 5.0, 75.0]
    (suppression,) = result("TL801")["suppressions"]
    assert suppression["kind"] == "external"
    assert "did not grow" in suppression["justification"]
    assert result("TL801")["level"] == "note"
    assert "suppressions" not in result("TL301")
    assert result("TL301")["properties"]["torchlint/confirmation"] == "confirmed"


def test_a_repair_names_its_files() -> None:
    (fix,) = result("TL301")["fixes"]
    assert [each["artifactLocation"]["uri"] for each in fix["artifactChanges"]] == ["src/net.py"]
    (change,) = result("TL105")["fixes"][0]["artifactChanges"]
    assert [each["insertedContent"]["text"] for each in change["replacements"]] == [
        *("name", "criterion(out.detach()")
    ]
    assert "fixes" not in result("TL903"), "its cell has no lines in the file"


def test_uris_are_relative_and_quoted() -> None:
    (run,) = log(FAILED)["runs"]
    physical = run["results"][0]["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == "a%20b/%E5%90%8D%23%3F.py"
    assert run["invocations"][0]["workingDirectory"]["uri"] == Path.cwd().as_uri() + "/"


def test_a_failure_is_told() -> None:
    (invocation,) = log(FAILED)["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    said = invocation["toolExecutionNotifications"]
    assert [(each["level"], each["message"]["text"]) for each in said] == [
        ("error", "it failed"),
        ("error", "is gone"),
        ("warning", "something is odd"),
    ]
    assert "locations" not in said[0]
    assert log(everything())["runs"][0]["invocations"][0]["executionSuccessful"] is True


LOREM = "Lorem ipsum dolor sit amet.\n"


class TestLineHashes:
    @pytest.mark.parametrize(
        ("text", "hashes"),
        [
            ("", "c129715d7a2bc9a3:1"),
            (
                " a\nb\n  \t\tc\n d",
                "271789c17abda88f:1 54703d4cd895b18:1 180aee12dab6264:1 a23a3dc5e078b07b:1",
            ),
            (
                LOREM * 10,
                " ".join(f"a7f2ff13bc495cf2:{number}" for number in range(1, 7))
                + " a7f2ff1481e87703:1 a9cf91f7bbf1862b:1 55ec222b86bcae53:1"
                " cc97dc7b1d7d8f7b:1 c129715d7a2bc9a3:1",
            ),
        ],
        ids=["empty", "blanks", "repeated"],
    )
    def test_as_github_computes_them(self, text: str, hashes: str) -> None:
        assert line_hashes(text) == hashes.split()

    @pytest.mark.parametrize("end", ["\r\n", "\r"])
    def test_line_ends_are_equal(self, end: str) -> None:
        assert line_hashes(f"a{end}b{end}") == line_hashes("a\nb\n")

    def test_wide_characters_count_twice(self) -> None:
        # "🔥" is D83D DD25 in UTF-16.
        after = [0xD83D, 0xDD25, 65535, *[0] * 97]
        value = sum(unit * 37 ** (99 - place) for place, unit in enumerate(after)) % 2**64
        assert line_hashes("🔥") == [f"{value:x}:1"]

    def test_they_are_those_of_the_lines_of_findings(self) -> None:
        hashed = result("TL301")["partialFingerprints"]["primaryLocationLineHash"]
        assert hashed == line_hashes(everything().texts["src/train.py"])[13]
        assert "primaryLocationLineHash" not in result("TL903")["partialFingerprints"]
        assert "primaryLocationLineHash" not in result("TL001")["partialFingerprints"]
