"""What the client for other servers leaves to us: coding, cookies, proxies, times."""

from __future__ import annotations

import aiohttp

from service.sources.session import Session


async def test_answers_reach_us_as_they_were_sent() -> None:
    session = Session({"X-Own": "kept"}, 3.0, lambda _: False, names=None, tls=True)
    try:
        client = session.client
        # Otherwise, a small answer could become a large one before its coding is refused.
        assert client.auto_decompress is False
        # Nor may the environment's proxies, or another answer's cookies, take part.
        assert client.trust_env is False
        assert isinstance(client.cookie_jar, aiohttp.DummyCookieJar)
        assert client.headers["X-Own"] == "kept"
        assert (client.timeout.total, client.timeout.connect) == (None, 3.0)
        connector = client.connector
        assert isinstance(connector, aiohttp.TCPConnector)
        assert connector.force_close is True
        assert connector.limit == 0
    finally:
        await session.close()
    assert client.closed
