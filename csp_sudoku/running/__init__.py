"""Running: deadlines, limits, machine code, and processes of their own."""
