"""Django, a WSGI application, inside an ASGI server.

Each request is read whole on the event loop, answered by one call in the bounded pool, and sent from the
event loop again: neither a slow sender nor a slow reader holds a thread.
"""

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from functools import partial

from workspace.interfaces.server.access_log import log
from workspace.interfaces.server.asgi_types import Receive, Scope, Send, WSGIApp
from workspace.interfaces.server.delayed_responses import Holding
from workspace.interfaces.server.error_responses import Refused, answer, busy, crowded, failed
from workspace.interfaces.server.request_reader import Body, Limits, inspect, read_body, refuse
from workspace.interfaces.server.response_stream import AnswerBroken, ClientGone, Patience, Stream
from workspace.interfaces.server.thread_pool import Pool, PoolBusy, PoolCrowded, caller
from workspace.interfaces.server.wsgi_call import BLOCK, Call, FileWrapper, Whole
from workspace.interfaces.server.wsgi_environ import build_environ
from workspace.lib.delayed_response import KEY, Hold

Stranger = Callable[[Scope], Refused | None]
# what answers a request without the application, in a thread, where there is such a thing
Ahead = Callable[[Scope], Callable[[Body], Whole] | None]


class Bridge:
    """An ASGI application (HTTP only) that answers with `wsgi`.

    Refuses as JSON: 400 invalid_input, 408 timeout, 413 too_large, 500 internal_error, 503 busy; and whoever may not
    send a large body as `stranger` says, which is called in the pool. What `ahead` answers never comes to `wsgi`.
    """

    def __init__(
        self,
        wsgi: WSGIApp,
        pool: Pool,
        limits: Limits | None = None,
        stranger: Stranger | None = None,
        ahead: Ahead = lambda scope: None,
    ) -> None:
        self.wsgi = wsgi
        self.pool = pool
        self.limits = limits or Limits()
        self.stranger = stranger
        self.ahead = ahead
        self.holding = Holding()

    async def take(self, scope: Scope, receive: Receive) -> Body:
        """The request's body. Raises Refused."""
        announced = inspect(scope)
        judge = partial(self.pool.run, self.stranger, scope) if self.stranger else None
        return await read_body(announced, receive, self.limits.at(scope), judge)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await self.take(scope, receive)
        except Refused as refused:
            await refuse(scope, receive, send, refused)
            return
        try:
            await self._respond(scope, receive, send, body)
        except PoolCrowded:
            await answer(scope, send, crowded())
        except PoolBusy:
            await answer(scope, send, busy())
        finally:
            body.file.close()

    async def _respond(self, scope: Scope, receive: Receive, send: Send, body: Body) -> None:
        result = await self._ask(scope, body, hold := Hold())
        if hold.seconds and isinstance(result, Whole) and await self.holding.wait(caller.get(), hold.seconds):
            body.file.seek(0)
            result = await self._ask(scope, body)
        if result is None:
            await answer(scope, send, failed())
        elif isinstance(result, Stream):
            await self._send_stream(result, receive, send)
        elif result.file is not None:
            await self._send_file(result, result.file, send)
        else:
            await send({"type": "http.response.start", "status": result.status, "headers": result.headers})
            await send({"type": "http.response.body", "body": result.body})

    async def _ask(self, scope: Scope, body: Body, hold: Hold | None = None) -> Whole | Stream | None:
        """Have it answered in the pool. None for an answer that failed."""
        loop = asyncio.get_running_loop()
        outcome: asyncio.Future[Whole | Stream | None] = loop.create_future()

        def settle(result: Whole | Stream | None) -> None:
            if not outcome.done():
                outcome.set_result(result)

        def finished(job: Future[Whole | None]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(settle, _result(job))

        def begin(stream: Stream) -> None:
            loop.call_soon_threadsafe(settle, stream)

        answering = self.ahead(scope)
        job: Future[Whole | None]
        if answering is None:
            environ = build_environ(scope, body, FileWrapper) | ({KEY: hold} if hold is not None else {})
            job = self.pool.submit(Call(self.wsgi, environ, loop, begin))
        else:
            job = self.pool.submit(answering, body)
        job.add_done_callback(finished)
        try:
            return await outcome
        except asyncio.CancelledError:
            job.cancel()
            raise

    async def _send_stream(self, stream: Stream, receive: Receive, send: Send) -> None:
        watch = asyncio.create_task(_watch(receive, stream))
        patience = Patience(self.limits)
        try:
            await send({"type": "http.response.start", "status": stream.status, "headers": stream.headers})
            while chunk := await stream.get():
                await patience.wait(send({"type": "http.response.body", "body": chunk, "more_body": True}), len(chunk))
            await send({"type": "http.response.body", "body": b""})
        except (ClientGone, AnswerBroken):
            pass  # returning without the last message ends the connection: the client sees that it broke off
        finally:
            stream.abandon()
            watch.cancel()

    async def _send_file(self, whole: Whole, file: FileWrapper, send: Send) -> None:
        patience = Patience(self.limits)
        chunk = whole.body
        try:
            await send({"type": "http.response.start", "status": whole.status, "headers": whole.headers})
            while chunk:
                await patience.wait(send({"type": "http.response.body", "body": chunk, "more_body": True}), len(chunk))
                chunk = await self.pool.run(file.file.read, BLOCK)
            await send({"type": "http.response.body", "body": b""})
        except ClientGone:
            pass
        finally:
            await self.pool.run(file.close)


async def _watch(receive: Receive, stream: Stream) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.abandon()


def _result(job: Future[Whole | None]) -> Whole | None:
    try:
        return job.result()
    except CancelledError:
        return None
    except Exception:
        log.exception("request_failed")
        return None
