"""Names that torch gives up, files that run code, what is compiled and exported."""
