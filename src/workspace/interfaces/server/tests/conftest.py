import pytest

from workspace.interfaces.server.tests.serving import Server


@pytest.fixture(scope="module")
def server():
    """It has all the time in the world: nothing here fails because the machine is busy."""
    with Server() as running:
        yield running


@pytest.fixture(scope="module")
def impatient():
    """It soon gives up on clients that send or take nothing."""
    with Server(SAMPLE_GRACE="0.5") as running:
        yield running
