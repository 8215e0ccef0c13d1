"""What torch and its surroundings do: tables that torch gave, and handlers by name."""
