"""What is interpreted, in which order, in which process, and what comes of it."""
