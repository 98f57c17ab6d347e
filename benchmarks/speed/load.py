"""stub."""


def measure(screenshot: bytes, quick: bool) -> list[str]:
    return []
