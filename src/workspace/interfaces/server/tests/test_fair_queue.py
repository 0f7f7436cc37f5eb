import asyncio
import threading

import pytest

from workspace.interfaces.server.fair_queue import CallerQueueFullError, FairQueue, FairSemaphore
from workspace.interfaces.server.tests.company import in_company
from workspace.interfaces.server.thread_pool import Pool, PoolCallerLimitError, caller


def test_one_of_each_is_taken_in_turn_and_ones_own_in_order() -> None:
    rounds: FairQueue[str] = FairQueue(9)
    for whose, what in [("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("c", "c1"), ("b", "b2")]:
        rounds.put(whose, what)
    taken = [rounds.pop() for _ in range(7)]
    assert taken == [("a", "a1"), ("b", "b1"), ("c", "c1"), ("a", "a2"), ("b", "b2"), ("a", "a3"), None]


def test_who_may_not_is_passed_over() -> None:
    rounds: FairQueue[int] = FairQueue(9)
    rounds.put("a", 1)
    rounds.put("b", 2)
    assert rounds.pop(lambda whose: whose != "a") == ("b", 2)
    assert rounds.pop(lambda whose: whose != "a") is None
    assert rounds.pop() == ("a", 1)


def test_who_has_too_much_waiting_is_refused_and_others_are_not() -> None:
    rounds: FairQueue[int] = FairQueue(2)
    rounds.put("a", 1)
    rounds.put("a", 2)
    with pytest.raises(CallerQueueFullError):
        rounds.put("a", 3)
    rounds.put("b", 1)


def test_a_thread_goes_to_whoever_has_waited_for_fewer() -> None:
    """With one thread and forty calls of one caller waiting, another's two are the second and fourth to run."""
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


def test_a_caller_takes_no_more_than_a_quarter_of_the_queue() -> None:
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


def test_a_turnstile_lets_in_so_many_and_then_by_fair_turns() -> None:
    inside: list[str] = []

    async def main() -> None:
        turnstile = FairSemaphore(1)
        leave = asyncio.Event()

        async def come(whose: str) -> None:
            async with turnstile.acquire_slot(whose):
                inside.append(whose)
                await leave.wait()

        tasks = [asyncio.ensure_future(come(whose)) for whose in ["flood"] * 5 + ["guest"]]
        await asyncio.sleep(0)
        assert inside == ["flood"]
        leave.set()
        await asyncio.gather(*tasks)
        assert turnstile.free_slots == 1

    asyncio.run(main())
    assert inside.index("guest") == 2


def test_who_leaves_while_waiting_keeps_nobody_out() -> None:
    async def main() -> None:
        turnstile = FairSemaphore(1)

        async def come() -> None:
            async with turnstile.acquire_slot("a"):
                await asyncio.sleep(0)

        async with turnstile.acquire_slot("a"):
            waiting = [asyncio.ensure_future(come()) for _ in range(4)]
            await asyncio.sleep(0)
            for task in waiting[:3]:
                task.cancel()
        await waiting[3]
        assert turnstile.free_slots == 1

    asyncio.run(main())


def test_who_is_in_company_has_an_eighth_of_the_places() -> None:
    async def main() -> None:
        turnstile, leave, inside = FairSemaphore(16, caller_monitor=in_company()), asyncio.Event(), []

        async def come(whose: str) -> None:
            async with turnstile.acquire_slot(whose):
                inside.append(whose)
                await leave.wait()

        tasks = [asyncio.ensure_future(come("flood")) for _ in range(40)]
        tasks.append(asyncio.ensure_future(come("guest")))
        await asyncio.sleep(0)
        assert (inside.count("flood"), inside.count("guest")) == (2, 1)
        leave.set()
        await asyncio.gather(*tasks)
        assert (turnstile.free_slots, inside.count("flood")) == (16, 40)

    asyncio.run(main())


def test_who_is_alone_has_all_places() -> None:
    async def main() -> None:
        turnstile, leave, inside = FairSemaphore(16), asyncio.Event(), []

        async def come() -> None:
            async with turnstile.acquire_slot("crowd"):
                inside.append(1)
                await leave.wait()

        tasks = [asyncio.ensure_future(come()) for _ in range(20)]
        await asyncio.sleep(0)
        assert len(inside) == 16
        leave.set()
        await asyncio.gather(*tasks)

    asyncio.run(main())
