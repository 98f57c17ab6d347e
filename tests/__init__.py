import os

# Renderers set this too. NumPy reads it when it is loaded: more BLAS threads would only wait for each other.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
