"""Rules about devices and dtypes."""
