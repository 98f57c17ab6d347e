"""What the server takes on: a fair queue, a budget of bytes in flight, and how memory is divided."""
