"""Settings of all tests."""

import gc
import signal

from hypothesis import settings

# The first call of an engine compiles it; and no test asserts how long anything takes.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# Shells let programs in the background ignore Ctrl-C; tests of it would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish():
    """Look for no garbage among twelve thousand tests: they stay to the end."""
    gc.freeze()
