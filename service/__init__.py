"""Device mockups: a screenshot and settings in, a picture of it on a device out."""

import os

# OpenCV's threads else spin for their next piece of work, on processors that other renders and the event loop
# are waiting for. It reads these when it is loaded, so they are set before anything here loads it.
os.environ.setdefault("OPENCV_THREAD_POOL_ACTIVE_WAIT_WORKER", "0")
os.environ.setdefault("OPENCV_THREAD_POOL_ACTIVE_WAIT_MAIN", "0")
