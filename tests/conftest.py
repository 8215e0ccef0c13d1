"""How much hypothesis tries: little and always the same, or a lot with ``--hypothesis-profile``."""

from hypothesis import HealthCheck, settings

COMMON = {"deadline": None, "suppress_health_check": list(HealthCheck)}

settings.register_profile("usual", derandomize=True, max_examples=100, **COMMON)
settings.register_profile("explore", max_examples=5000, **COMMON)
settings.load_profile("usual")
