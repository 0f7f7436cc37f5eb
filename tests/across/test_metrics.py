"""Metrics for Prometheus: counts of a running instance, protected by a token, over all processes."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from urllib.error import HTTPError

from prometheus_client.parser import text_string_to_metric_families

from workspace.testing.service import ROOT, Service

TOKEN = "a-token-of-a-monitor"


def read_metrics(service: Service, token: str) -> dict[tuple[str, ...], float]:
    request = urllib.request.Request(f"{service.url}/metrics", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request) as response:
        text = response.read().decode()
    return {
        (sample.name, *(f"{name}={value}" for name, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def status(url: str, **headers: str) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as response:
            return int(response.status)
    except HTTPError as error:
        return error.code


def test_answers_and_queues_are_counted_for_callers_with_the_token() -> None:
    many = {"WORKSPACE_WORKERS": "2"} if os.environ.get("WORKSPACE_TEST_DATABASE_URL") else {}
    service = Service(WORKSPACE_METRICS_TOKEN=TOKEN, **many).migrate()
    key = service.account()["api_key"]
    serving = subprocess.Popen(
        [sys.executable, "-m", "workspace.interfaces.admin_cli", "serve"],
        env=service.env,
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        service.wait_for(serving)
        code = service.api(key, "svc_qr_create", name="Door", target_url="example.com")
        for _ in range(20):
            assert status(code["svg_url"]) == 200
        assert status(f"{service.url}/q/NOTHING") == 404
        assert status(f"{service.url}/readyz") == 200
        assert status(f"{service.url}/metrics") == 401
        assert status(f"{service.url}/metrics", Authorization="Bearer another") == 401
        found = read_metrics(service, TOKEN)
        assert found["workspace_answers_total", "method=GET", "place=qr", "status=200"] == 20
        assert found["workspace_answers_total", "method=GET", "place=qr", "status=404"] == 1
        assert found["workspace_answer_seconds_count", "place=qr"] == 21
        assert found["workspace_database_up", "for=writes"] == 1
        assert found["workspace_accounts",] == 1
        assert not [label for name in found for label in name if "NOTHING" in label or code["id"] in label]
    finally:
        serving.terminate()
        serving.wait(60)
        service.stop()


def test_without_a_token_there_are_no_metrics(service: Service) -> None:
    assert status(f"{service.url}/metrics") == 404
