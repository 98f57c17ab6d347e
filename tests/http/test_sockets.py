"""The sockets of the server."""

from __future__ import annotations

import socket

import pytest

from service.http.sockets import leave_little_unsent


@pytest.mark.skipif(not hasattr(socket, "TCP_NOTSENT_LOWAT"), reason="the system has no such limit")
def test_the_system_buffers_little_of_a_response() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        leave_little_unsent(listener)
        with socket.create_connection(listener.getsockname()):
            accepted, _ = listener.accept()
            with accepted:
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT) == 128 * 1024
