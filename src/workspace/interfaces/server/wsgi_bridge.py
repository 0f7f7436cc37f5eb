"""A bridge that serves Django, a WSGI application, inside an ASGI server.

Each request is read completely on the event loop, answered by one call in the bounded pool, and sent from the event
loop. Neither a slow sender nor a slow reader occupies a thread.
"""

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from functools import partial

from workspace.interfaces.server.access_log import log
from workspace.interfaces.server.asgi_types import Receive, Scope, Send, WSGIApp
from workspace.interfaces.server.error_responses import (
    RequestRejectedError,
    busy_error,
    internal_error,
    rate_limited_error,
    send_error,
)
from workspace.interfaces.server.request_delays import RequestDelays
from workspace.interfaces.server.request_reader import Body, Limits, parse_body_headers, read_body, reject_request
from workspace.interfaces.server.response_stream import (
    ClientDisconnectedError,
    ResponseAbortedError,
    ResponseStream,
    WriteDeadline,
)
from workspace.interfaces.server.thread_pool import Pool, PoolBusyError, PoolCallerLimitError, caller
from workspace.interfaces.server.wsgi_call import BLOCK_SIZE, CompleteResponse, FileWrapper, WsgiCall
from workspace.interfaces.server.wsgi_environ import build_environ
from workspace.lib.delayed_response import DELAY_KEY, Delay

AnonymousCheck = Callable[[Scope], RequestRejectedError | None]
# finds a handler that answers in a thread without the application, or None
DirectHandlerFinder = Callable[[Scope], Callable[[Body], CompleteResponse] | None]


class WsgiBridge:
    """An ASGI application (HTTP only) that answers with `wsgi`.

    It rejects requests as JSON: 400 invalid_input, 408 timeout, 413 too_large, 500 internal_error, 503 busy.
    `check_anonymous`, called in the pool, decides whether a client may send a large body. Requests for which
    `find_direct_handler` finds a handler never reach `wsgi`.
    """

    def __init__(
        self,
        wsgi: WSGIApp,
        pool: Pool,
        limits: Limits | None = None,
        is_anonymous: AnonymousCheck | None = None,
        find_direct_handler: DirectHandlerFinder = lambda scope: None,
    ) -> None:
        self.wsgi = wsgi
        self.pool = pool
        self.limits = limits or Limits()
        self.check_anonymous = is_anonymous
        self.find_direct_handler = find_direct_handler
        self.delayed_responses = RequestDelays()

    async def receive_body(self, scope: Scope, receive: Receive) -> Body:
        """Read the body of the request. Raise RequestRejectedError if it is rejected."""
        announced = parse_body_headers(scope)
        judge = partial(self.pool.run, self.check_anonymous, scope) if self.check_anonymous else None
        return await read_body(announced, receive, self.limits.for_scope(scope), judge)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await self.receive_body(scope, receive)
        except RequestRejectedError as refused:
            await reject_request(scope, receive, send, refused)
            return
        try:
            await self._send_response(scope, receive, send, body)
        except PoolCallerLimitError:
            await send_error(scope, send, rate_limited_error())
        except PoolBusyError:
            await send_error(scope, send, busy_error())
        finally:
            body.file.close()

    async def _send_response(self, scope: Scope, receive: Receive, send: Send, body: Body) -> None:
        result = await self._run_request(scope, body, hold := Delay())
        if (
            hold.seconds
            and isinstance(result, CompleteResponse)
            and await self.delayed_responses.wait_for(caller.get(), hold.seconds)
        ):
            body.file.seek(0)
            result = await self._run_request(scope, body)
        if result is None:
            await send_error(scope, send, internal_error())
        elif isinstance(result, ResponseStream):
            await self._send_stream(result, receive, send)
        elif result.file is not None:
            await self._send_file(result, result.file, send)
        else:
            await send({"type": "http.response.start", "status": result.status, "headers": result.headers})
            await send({"type": "http.response.body", "body": result.body})

    async def _run_request(
        self, scope: Scope, body: Body, handler: Delay | None = None
    ) -> CompleteResponse | ResponseStream | None:
        """Answer the request in the pool. Return None if the application failed."""
        loop = asyncio.get_running_loop()
        outcome: asyncio.Future[CompleteResponse | ResponseStream | None] = loop.create_future()

        def set_outcome(result: CompleteResponse | ResponseStream | None) -> None:
            if not outcome.done():
                outcome.set_result(result)

        def on_job_done(job: Future[CompleteResponse | None]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has already ended
                loop.call_soon_threadsafe(set_outcome, _job_result(job))

        def on_stream(stream: ResponseStream) -> None:
            loop.call_soon_threadsafe(set_outcome, stream)

        answering = self.find_direct_handler(scope)
        job: Future[CompleteResponse | None]
        if answering is None:
            environ = build_environ(scope, body, FileWrapper) | ({DELAY_KEY: handler} if handler is not None else {})
            job = self.pool.submit(WsgiCall(self.wsgi, environ, loop, on_stream))
        else:
            job = self.pool.submit(answering, body)
        job.add_done_callback(on_job_done)
        try:
            return await outcome
        except asyncio.CancelledError:
            job.cancel()
            raise

    async def _send_stream(self, stream: ResponseStream, receive: Receive, send: Send) -> None:
        watch = asyncio.create_task(_watch_disconnect(receive, stream))
        patience = WriteDeadline(self.limits)
        try:
            await send({"type": "http.response.start", "status": stream.status, "headers": stream.headers})
            while chunk := await stream.read_chunk():
                await patience.wait_for_send(
                    send({"type": "http.response.body", "body": chunk, "more_body": True}), len(chunk)
                )
            await send({"type": "http.response.body", "body": b""})
        except (ClientDisconnectedError, ResponseAbortedError):
            pass  # returning without the last message closes the connection, so the client sees the failure
        finally:
            stream.abandon()
            watch.cancel()

    async def _send_file(self, response: CompleteResponse, file: FileWrapper, send: Send) -> None:
        patience = WriteDeadline(self.limits)
        chunk = response.body
        try:
            await send({"type": "http.response.start", "status": response.status, "headers": response.headers})
            while chunk:
                await patience.wait_for_send(
                    send({"type": "http.response.body", "body": chunk, "more_body": True}), len(chunk)
                )
                chunk = await self.pool.run(file.file.read, BLOCK_SIZE)
            await send({"type": "http.response.body", "body": b""})
        except ClientDisconnectedError:
            pass
        finally:
            await self.pool.run(file.close)


async def _watch_disconnect(receive: Receive, stream: ResponseStream) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.abandon()


def _job_result(job: Future[CompleteResponse | None]) -> CompleteResponse | None:
    try:
        return job.result()
    except CancelledError:
        return None
    except Exception:
        log.exception("request_failed")
        return None
