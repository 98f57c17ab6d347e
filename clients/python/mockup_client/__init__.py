"""A client of the mockup service: `Client` and `AsyncClient` turn screenshots into pictures of devices.

from mockup_client import Client

with Client("http://127.0.0.1:8000", key="sk_…") as mockups:
    mockups.render("shot.png", {"device": "iphone-16-pro"}).save("hero.png")
"""

from .client import AsyncClient, Client
from .errors import ApiError, MockupError, UnreachableError
from .picture import Picture
from .retries import Retries

__all__ = ["ApiError", "AsyncClient", "Client", "MockupError", "Picture", "Retries", "UnreachableError"]
