import asyncio
import threading

import pytest

from workspace.interfaces.server.fair_queue import CallerQueueFullError, FairQueue, FairSemaphore
from workspace.interfaces.server.tests.callers import in_company
from workspace.interfaces.server.thread_pool import Pool, PoolCallerLimitError, caller


def test_callers_are_served_in_turn_and_each_in_order() -> None:
    rounds: FairQueue[str] = FairQueue(9)
    for whose, what in [("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("c", "c1"), ("b", "b2")]:
        rounds.put(whose, what)
    taken = [rounds.pop() for _ in range(7)]
    assert taken == [("a", "a1"), ("b", "b1"), ("c", "c1"), ("a", "a2"), ("b", "b2"), ("a", "a3"), None]


def test_a_caller_that_is_not_accepted_is_skipped() -> None:
    rounds: FairQueue[int] = FairQueue(9)
    rounds.put("a", 1)
    rounds.put("b", 2)
    assert rounds.pop(lambda whose: whose != "a") == ("b", 2)
    assert rounds.pop(lambda whose: whose != "a") is None
    assert rounds.pop() == ("a", 1)


def test_a_caller_with_too_many_waiting_items_is_refused_and_others_are_not() -> None:
    rounds: FairQueue[int] = FairQueue(2)
    rounds.put("a", 1)
    rounds.put("a", 2)
    with pytest.raises(CallerQueueFullError):
        rounds.put("a", 3)
    rounds.put("b", 1)


def test_a_thread_serves_the_caller_with_fewer_calls_first() -> None:
    """With one thread and 40 waiting calls of one caller, the two calls of another run second and fourth."""
    ran: list[str] = []
    hold = threading.Event()

    async def main() -> None:
        pool = Pool(1, waiting=400)
        first = asyncio.ensure_future(pool.run(hold.wait))
        await asyncio.sleep(0)
        calls = []
        for whose, count in (("flood", 40), ("guest", 2)):
            caller.set(whose)
            calls += [asyncio.ensure_future(pool.run(ran.append, whose)) for _ in range(count)]
            await asyncio.sleep(0)
        hold.set()
        await asyncio.gather(first, *calls)
        pool.close()

    asyncio.run(main())
    assert [place for place, whose in enumerate(ran) if whose == "guest"] == [1, 3]
    assert len(ran) == 42


def test_a_caller_uses_at_most_a_quarter_of_the_queue() -> None:
    hold = threading.Event()

    async def main() -> None:
        pool = Pool(1, waiting=7)
        first = asyncio.ensure_future(pool.run(hold.wait))
        await asyncio.sleep(0)
        caller.set("flood")
        calls = [asyncio.ensure_future(pool.run(hold.wait)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(PoolCallerLimitError):
            await pool.run(len, "abc")
        caller.set("guest")
        other = asyncio.ensure_future(pool.run(len, "abc"))
        await asyncio.sleep(0)
        hold.set()
        assert await other == 3
        await asyncio.gather(first, *calls)
        pool.close()

    asyncio.run(main())


def test_a_semaphore_grants_its_slots_and_then_admits_callers_in_fair_turns() -> None:
    inside: list[str] = []

    async def main() -> None:
        turnstile = FairSemaphore(1)
        leave = asyncio.Event()

        async def use_slot(whose: str) -> None:
            async with turnstile.acquire_slot(whose):
                inside.append(whose)
                await leave.wait()

        tasks = [asyncio.ensure_future(use_slot(whose)) for whose in ["flood"] * 5 + ["guest"]]
        await asyncio.sleep(0)
        assert inside == ["flood"]
        leave.set()
        await asyncio.gather(*tasks)
        assert turnstile.free_slots == 1

    asyncio.run(main())
    assert inside.index("guest") == 2


def test_a_cancelled_waiting_call_does_not_block_others() -> None:
    async def main() -> None:
        turnstile = FairSemaphore(1)

        async def use_slot() -> None:
            async with turnstile.acquire_slot("a"):
                await asyncio.sleep(0)

        async with turnstile.acquire_slot("a"):
            waiting = [asyncio.ensure_future(use_slot()) for _ in range(4)]
            await asyncio.sleep(0)
            for task in waiting[:3]:
                task.cancel()
        await waiting[3]
        assert turnstile.free_slots == 1

    asyncio.run(main())


def test_a_caller_among_others_has_at_most_an_eighth_of_the_slots() -> None:
    async def main() -> None:
        turnstile, leave, inside = FairSemaphore(16, caller_monitor=in_company()), asyncio.Event(), []

        async def use_slot(whose: str) -> None:
            async with turnstile.acquire_slot(whose):
                inside.append(whose)
                await leave.wait()

        tasks = [asyncio.ensure_future(use_slot("flood")) for _ in range(40)]
        tasks.append(asyncio.ensure_future(use_slot("guest")))
        await asyncio.sleep(0)
        assert (inside.count("flood"), inside.count("guest")) == (2, 1)
        leave.set()
        await asyncio.gather(*tasks)
        assert (turnstile.free_slots, inside.count("flood")) == (16, 40)

    asyncio.run(main())


def test_a_single_caller_may_use_all_slots() -> None:
    async def main() -> None:
        turnstile, leave, inside = FairSemaphore(16), asyncio.Event(), []

        async def use_slot() -> None:
            async with turnstile.acquire_slot("crowd"):
                inside.append(1)
                await leave.wait()

        tasks = [asyncio.ensure_future(use_slot()) for _ in range(20)]
        await asyncio.sleep(0)
        assert len(inside) == 16
        leave.set()
        await asyncio.gather(*tasks)

    asyncio.run(main())
