"""A Dask cluster: units and experiments that are done on other machines.

A worker needs the same torchlint and Python, and nothing of the project: its files are sent along.
"""
