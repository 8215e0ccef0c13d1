"""What runs in the user's interpreter: the standard library and torch are all that it imports."""
