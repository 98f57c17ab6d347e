"""What the system grants and how its memory is used: control group, heap, rest."""
