"""Rules of a form give the same result in the browser and on the server: one table of cases, one page."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Route

import workspace.products.form
from workspace.products.form.rules.evaluation import evaluate_form
from workspace.testing.form_cases import TABLE, definition_of

SCRIPTS = Path(workspace.products.form.__file__).parent / "static" / "form"
RUN = """async (cases) => {
  const { evaluate, ready } = await import("/evaluate.js");
  const run = async (one) => { await ready(one.form); return evaluate(one.form, one.answers, one.today); };
  return Promise.all(cases.map((one) => run(one).catch((error) => ({ failed: String(error) }))));
}"""


def test_the_browser_follows_the_servers_rules(chromium: Browser) -> None:
    def serve(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        if name.endswith(".js"):
            route.fulfill(path=SCRIPTS / name, content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html><title>Cases</title>", content_type="text/html")

    page = chromium.new_page()
    page.route("**/*", serve)
    page.goto("http://forms.test/")
    cases = [{**copy.deepcopy(one), "form": definition_of(one), "today": TABLE["today"]} for one in TABLE["cases"]]
    told: list[dict[str, Any]] = page.evaluate(RUN, cases)
    page.close()
    for case, found in zip(cases, told, strict=True):
        here = evaluate_form(case["form"], case["answers"], case["today"])
        assert "failed" not in found, (case["name"], found)
        assert (found["kept"], found["errors"]) == (case["kept"], case.get("errors", {})), case["name"]
        assert (found["shown"], found["required"]) == (list(here.visible), here.required), case["name"]
        assert (found["pages"], found["why"], found["ended"]) == (here.pages, here.hidden_by, here.is_complete), case[
            "name"
        ]
