"""The page as Chromium shows it: filters, groups and plots work, and nothing is loaded or run.

``CHROMIUM`` names the browser where it is not in the path.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from everything import everything, place, rendered, total

from torchlint.findings import Report

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium to show it")

# Acts as a reader would, and writes down what the page then shows.
READER = """
<script>
"use strict";
const seen = {errors: [], resources: performance.getEntriesByType("resource").length};
const reader = document.getElementById("filters");
const look = (name) => {
  const visible = (element) => element.getClientRects().length > 0;
  seen[name] = {
    codes: [...document.querySelectorAll("article")].filter(visible)
      .map((article) => article.dataset.rule.slice(0, 5)),
    headings: [...document.querySelectorAll("h2")].filter(visible).map((h) => h.textContent),
    said: document.getElementById("count")?.textContent,
  };
};
const put = (control, change) => {
  change(control);
  control.dispatchEvent(new Event("input", {bubbles: true}));
};
const tick = (name, value, on) =>
  put(reader.querySelector(`[name=${name}][value=${value}]`), (box) => { box.checked = on; });
const type = (words) => put(reader.elements.search, (box) => { box.value = words; });
window.addEventListener("error", (event) => seen.errors.push(event.message));
ACTIONS
document.body.insertAdjacentHTML("beforeend", "<pre id=seen></pre>");
document.getElementById("seen").textContent = JSON.stringify(seen);
</script>
</body>
"""

Read = Callable[[Report, str], Any]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Opens the page of a report, acts, and says what was seen."""

    def opened(report: Report, actions: str) -> Any:
        page = rendered(report, "html")
        own, body, rest = page.rpartition("</body>")
        file = tmp_path / "report.html"
        file.write_text(own + READER.replace("ACTIONS", actions) + rest)
        assert body
        assert CHROMIUM
        flags = ["--headless", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        ran = subprocess.run(
            [CHROMIUM, *flags, "--dump-dom", file.as_uri()],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=True,
        )
        found = re.search(r'<pre id="seen">(.*?)</pre>', ran.stdout, re.DOTALL)
        assert found, ran.stdout[-2000:]
        seen = json.loads(unescape(found[1]))
        assert not seen["errors"]
        assert seen["resources"] == 0
        return seen

    return opened


def test_filters_and_groups(read: Read) -> None:
    seen = read(
        everything(),
        """
        look("all");
        type("CRITERION  tl105"); look("words");
        type("no such word"); look("nothing");
        type(""); look("again");
        tick("severity", "error", false); look("no errors");
        tick("verdict", "none", false); look("judged");
        tick("severity", "error", true); tick("verdict", "none", true);
        put(reader.elements.group, (choice) => { choice.value = "rule"; }); look("by rule");
        reader.requestSubmit(); look("after return");
        """,
    )
    codes = [finding.code for finding in everything().findings]
    files = ["notes/my réseau.ipynb", "src/train.py", "tools/old.py"]
    assert seen["all"] == {"codes": codes, "headings": files, "said": "6 of 6 shown"}
    assert seen["words"]["codes"] == ["TL105"]
    assert seen["nothing"] == {"codes": [], "headings": [], "said": "0 of 6 shown"}
    assert seen["again"] == seen["all"]
    assert seen["no errors"]["codes"] == ["TL903", "TL105", "TL801"]
    assert seen["judged"]["codes"] == ["TL801"]
    assert seen["by rule"]["codes"] == sorted(codes)
    assert seen["by rule"]["headings"][0] == "TL001 syntax-error"
    assert seen["after return"] == seen["by rule"]


def test_what_is_drawn_has_a_size_and_colours(read: Read) -> None:
    seen = read(
        everything(),
        """
        seen.plots = [...document.querySelectorAll("svg")]
          .map((plot) => Math.round(plot.getBoundingClientRect().width));
        seen.marked = getComputedStyle(document.querySelector("mark.strong")).backgroundColor;
        seen.titles = [...document.querySelectorAll("svg title")].map((each) => each.textContent);
        seen.wide = document.documentElement.scrollWidth <= innerWidth;
        """,
    )
    assert len(seen["plots"]) == 2
    assert all(width > 100 for width in seen["plots"])
    assert seen["marked"] not in ("", "rgba(0, 0, 0, 0)")
    assert "graph nodes, round 4: 3" in seen["titles"]
    assert seen["wide"]


def test_code_is_shown_and_not_run(read: Read) -> None:
    text = "x = '</pre><script>window.pwned = 1</script><img src=x onerror=pwned()>'; total += loss"
    finding = replace(
        total(), message="</h3><script>window.pwned = 2</script>", place=place("a.py", text, "x =")
    )
    seen = read(
        Report(findings=(finding,), texts={"a.py": text}),
        """
        look("all");
        seen.pwned = window.pwned ?? null;
        seen.images = document.images.length;
        seen.code = document.querySelector("pre.code").textContent;
        """,
    )
    assert seen["pwned"] is None
    assert seen["images"] == 0
    assert text in seen["code"]
    assert seen["all"]["said"] == "1 of 1 shown"


def test_a_page_without_findings(read: Read) -> None:
    seen = read(Report(), 'look("all");')
    assert seen["all"] == {"codes": [], "headings": []}
