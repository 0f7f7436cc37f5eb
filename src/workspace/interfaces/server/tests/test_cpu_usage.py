from workspace.interfaces.server.cpu_usage import MAX_DEBT_SECONDS, RECENT_SECONDS, CallerMonitor, CpuUsage
from workspace.interfaces.server.tests.callers import Clock


def test_a_caller_over_its_share_waits_until_the_debt_is_paid() -> None:
    clock = Clock()
    pace = CpuUsage(share=0.25, allowance=0.5, now=clock)
    pace.charge("a", 0.5)
    assert pace.seconds_to_wait("a") == 0
    pace.charge("a", 0.25)
    assert pace.seconds_to_wait("a") == 1
    assert pace.seconds_to_wait("b") == 0
    clock.seconds = 1
    assert pace.seconds_to_wait("a") == 0


def test_an_overcharge_is_credited_but_no_more() -> None:
    pace = CpuUsage(share=0.25, allowance=0.5, now=Clock())
    pace.charge("a", 0.75)
    pace.charge("a", -9.0)
    pace.charge("a", 0.5)
    assert pace.seconds_to_wait("a") == 0


def test_the_wait_after_one_expensive_call_is_limited() -> None:
    pace = CpuUsage(share=0.25, allowance=0.5, now=Clock())
    pace.charge("a", 3600)
    assert pace.seconds_to_wait("a") == (MAX_DEBT_SECONDS - 0.5) / 0.25


def test_a_second_caller_ends_the_single_caller_state_for_a_while() -> None:
    clock = Clock()
    company = CallerMonitor(clock)
    assert company.has_single_caller
    company.record_caller("a")
    company.record_caller("a")
    assert company.has_single_caller
    company.record_caller("b")
    assert not company.has_single_caller
    clock.seconds = RECENT_SECONDS + 1
    company.record_caller("b")
    assert company.has_single_caller
