import os

# As in renderers, and before NumPy is loaded: BLAS threads would only wait for each other.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
