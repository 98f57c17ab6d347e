"""Device mockups: a screenshot and settings in, a picture of it on a device out."""

import os

# By default OpenCV's idle threads spin, on CPUs that other renders and the event loop need. It reads these
# variables when it is loaded, so set them before anything here imports it.
os.environ.setdefault("OPENCV_THREAD_POOL_ACTIVE_WAIT_WORKER", "0")
os.environ.setdefault("OPENCV_THREAD_POOL_ACTIVE_WAIT_MAIN", "0")

# Pydantic would look for plugins of its own in the metadata of all installed packages.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "true")
