"""Films as files: a module for each way of writing them."""
