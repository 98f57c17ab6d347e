"""Pictures are made in processes of their own, one for each CPU, which share their plates."""
