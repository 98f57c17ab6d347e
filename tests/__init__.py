import os

# As in renderers, and before NumPy is loaded: threads of BLAS would only wait for each other.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
