"""Array types by dtype; docstrings give the shapes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
I16 = NDArray[np.int16]
U16 = NDArray[np.uint16]
F32 = NDArray[np.float32]
I32 = NDArray[np.int32]
F64 = NDArray[np.float64]
