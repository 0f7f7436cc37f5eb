import pytest

from workspace.interfaces.http.tests.serving import Server


@pytest.fixture(scope="module")
def server():
    running = Server()
    yield running
    running.stop()
