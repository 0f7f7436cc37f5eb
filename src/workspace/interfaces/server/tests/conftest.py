import pytest

from workspace.interfaces.server.tests.running_server import Server


@pytest.fixture(scope="module")
def server():
    """Run a server with long time limits, so that nothing fails because the machine is busy."""
    with Server() as running:
        yield running


@pytest.fixture(scope="module")
def impatient():
    """Run a server that soon gives up on clients that do not send or read."""
    with Server(SAMPLE_GRACE="0.5") as running:
        yield running
