import asyncio
import threading
from collections.abc import Callable

from workspace.interfaces.server.cpu_quota import CpuQuota
from workspace.interfaces.server.cpu_usage import CallerMonitor, CpuUsage
from workspace.interfaces.server.fair_queue import CallerQueueFullError
from workspace.interfaces.server.tests.callers import Clock, in_company
from workspace.interfaces.server.thread_pool import Pool, caller


def _shares(clock: Clock, waiting: int = 250) -> CpuQuota:
    return CpuQuota(CpuUsage(now=clock), in_company(), waiting)


async def _do(ran: list[str], what: str) -> None:
    ran.append(what)


async def _until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.001)


def test_requests_of_a_caller_over_its_quota_wait_in_order_and_others_go_first() -> None:
    clock, ran = Clock(), list[str]()

    async def main() -> None:
        shares = _shares(clock)
        shares.cpu_usage.charge("flood", 2.0)
        held = [asyncio.ensure_future(shares.run_in_turn("flood", _do(ran, f"flood {n}"))) for n in range(3)]
        await asyncio.sleep(0)
        for _ in range(3):
            await shares.run_in_turn("guest", _do(ran, "guest"))
        assert ran == ["guest"] * 3
        clock.seconds = 60
        await asyncio.gather(*held)

    asyncio.run(main())
    assert ran[3:] == ["flood 0", "flood 1", "flood 2"]


def test_a_single_caller_does_not_wait() -> None:
    ran = list[str]()

    async def main() -> None:
        shares = CpuQuota(CpuUsage(now=Clock()), CallerMonitor(Clock()))
        shares.cpu_usage.charge("owner", 2.0)
        await shares.run_in_turn("owner", _do(ran, "done"))

    asyncio.run(main())
    assert ran == ["done"]


def test_cpu_time_on_the_event_loop_is_charged() -> None:
    async def work() -> None:
        sum(range(300_000))
        await asyncio.sleep(0)
        sum(range(300_000))

    async def main() -> None:
        shares = CpuQuota(CpuUsage(allowance=0.002, now=Clock()), in_company())
        assert not shares.cpu_usage.seconds_to_wait("a")
        await shares.run_in_turn("a", work())
        assert shares.cpu_usage.seconds_to_wait("a")

    asyncio.run(main())


def test_results_and_errors_of_the_work_are_passed_on() -> None:
    async def fail() -> None:
        await asyncio.sleep(0)
        raise KeyError("x")

    async def main() -> str:
        shares = _shares(Clock())
        task = asyncio.ensure_future(shares.run_in_turn("a", asyncio.sleep(3600)))
        await asyncio.sleep(0)
        task.cancel()
        told = [
            type(one) for one in await asyncio.gather(task, shares.run_in_turn("a", fail()), return_exceptions=True)
        ]
        assert told == [asyncio.CancelledError, KeyError]
        return "end"

    assert asyncio.run(main()) == "end"


def test_calls_that_only_wait_delay_no_one_behind_the_same_address() -> None:
    hold, waiting = threading.Event(), threading.Semaphore(0)

    def wait() -> None:
        waiting.release()
        hold.wait()

    async def main() -> None:
        pool, shares = Pool(40), _shares(Clock())
        pool.cpu_usage = shares.cpu_usage
        caller.set("office")
        calls = [asyncio.ensure_future(shares.run_in_turn("office", pool.run(wait))) for _ in range(39)]
        for _ in calls:
            await asyncio.to_thread(waiting.acquire)
        await shares.run_in_turn("office", pool.run(len, "abc"))
        hold.set()
        await asyncio.gather(*calls)
        pool.close()

    asyncio.run(main())


def test_a_call_in_the_pool_is_charged_to_its_caller() -> None:
    async def main() -> None:
        pool = Pool(1)
        pool.cpu_usage = CpuUsage(allowance=0.001, now=Clock())
        caller.set("a")
        await pool.run(sum, range(500_000))
        pool.close()
        assert pool.cpu_usage.seconds_to_wait("a") > 0
        assert not pool.cpu_usage.seconds_to_wait("b")

    asyncio.run(main())


def test_a_caller_with_too_many_waiting_requests_is_refused_and_others_are_not() -> None:
    clock, ran = Clock(), list[str]()

    async def main() -> None:
        shares = _shares(clock, waiting=2)
        shares.cpu_usage.charge("flood", 2.0)
        held = [asyncio.ensure_future(shares.run_in_turn("flood", _do(ran, "flood"))) for _ in range(3)]
        await _until(held[2].done)
        assert isinstance(held[2].exception(), CallerQueueFullError)
        await shares.run_in_turn("guest", _do(ran, "guest"))
        clock.seconds = 60
        await asyncio.gather(*held[:2])

    asyncio.run(main())
    assert ran == ["guest", "flood", "flood"]


def test_a_cancelled_waiting_request_does_not_block_others() -> None:
    clock, ran = Clock(), list[str]()

    async def main() -> None:
        shares = _shares(clock)
        shares.cpu_usage.charge("a", 2.0)
        held = [asyncio.ensure_future(shares.run_in_turn("a", _do(ran, str(n)))) for n in range(4)]
        await asyncio.sleep(0)
        for task in held[:3]:
            task.cancel()
        clock.seconds = 60
        await held[3]

    asyncio.run(main())
    assert ran == ["3"]
