"""Benchmarks; `service` is imported first, because it configures OpenCV before that loads."""

import service  # noqa: F401
