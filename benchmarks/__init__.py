"""How fast, how true and how hard to break; `service` comes first, for what it sets before OpenCV loads."""

import service  # noqa: F401
