"""Settings of all tests."""

from hypothesis import settings

# The first call of an engine compiles it; and no test asserts how long anything takes.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
