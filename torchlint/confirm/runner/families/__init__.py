"""The claims of rules, one module a family; see ``claims.py`` for what can be said in one."""
