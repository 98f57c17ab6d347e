"""How work is shared between threads, tasks and users: one mechanism for each need."""
