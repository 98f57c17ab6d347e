# Undoes Paeth's filter in several rows at once, by instructions that every x86-64 processor has.
#
# A pixel needs those on its left, above it and above on its left. So each row follows the row above it by one
# pixel, and the rows' current pixels, a column, share a register: the column before has the pixels on their
# left, and, shifted by a row, those above them.

cdef extern from *:
    """
    #if defined(__SSE2__)
    #include <emmintrin.h>
    #include <stdint.h>
    #include <string.h>

    #define PAETH_ROWS 4

    /* Paeth's predictor of eight samples, without computing its distances. */
    static inline __m128i paeth_nearest(__m128i left, __m128i above, __m128i corner) {
        __m128i least = _mm_min_epi16(left, above), most = _mm_max_epi16(left, above);
        __m128i tripled = _mm_add_epi16(_mm_add_epi16(corner, corner), corner);
        __m128i rest = _mm_sub_epi16(_mm_sub_epi16(tripled, above), left);
        __m128i over = _mm_cmpgt_epi16(most, rest), under = _mm_cmpgt_epi16(rest, least);
        __m128i found = _mm_or_si128(_mm_and_si128(over, corner), _mm_andnot_si128(over, least));
        return _mm_or_si128(_mm_and_si128(under, found), _mm_andnot_si128(under, most));
    }

    static inline __m128i paeth_column(__m128i filtered, __m128i left, __m128i above, __m128i corner) {
        __m128i zero = _mm_setzero_si128();
        __m128i low = paeth_nearest(_mm_unpacklo_epi8(left, zero), _mm_unpacklo_epi8(above, zero),
                                    _mm_unpacklo_epi8(corner, zero));
        __m128i high = paeth_nearest(_mm_unpackhi_epi8(left, zero), _mm_unpackhi_epi8(above, zero),
                                     _mm_unpackhi_epi8(corner, zero));
        return _mm_add_epi8(filtered, _mm_packus_epi16(low, high));
    }

    static inline uint32_t paeth_load(const uint8_t *from, int step) {
        uint32_t pixel;
        if (step == 3)
            return from[0] | from[1] << 8 | from[2] << 16;
        memcpy(&pixel, from, 4);
        return pixel;
    }

    static inline void paeth_store(uint8_t *to, uint32_t pixel, int step) {
        memcpy(to, &pixel, step == 3 ? 2 : 4);
        if (step == 3)
            to[2] = pixel >> 16;
    }

    /* `step`, 3 or 4, is a constant where this is inlined. */
    static inline void paeth_rows(const unsigned char *filtered, const unsigned char *above, unsigned char *out,
                                  Py_ssize_t size, int step) {
        Py_ssize_t width = size / step, x;
        __m128i left = _mm_setzero_si128(), corner = left, over;
        uint32_t pixels[PAETH_ROWS];
        for (x = 0; x < width + PAETH_ROWS - 1; x++) {
            /* Left of the picture, all pixels are zero, and stay zero: their filtered bytes count as zero. */
            int within = x >= PAETH_ROWS - 1 && x < width;
            for (int row = 0; row < PAETH_ROWS; row++) {
                int inside = within || (x >= row && x < width + row);
                pixels[row] = inside ? paeth_load(filtered + row * (size + 1) + (x - row) * step, step) : 0;
            }
            over = _mm_cvtsi32_si128(x < width ? (int)paeth_load(above + x * step, step) : 0);
            over = _mm_or_si128(_mm_slli_si128(left, 4), over);
            left = paeth_column(_mm_set_epi32(pixels[3], pixels[2], pixels[1], pixels[0]), left, over, corner);
            corner = over;
            _mm_storeu_si128((__m128i *)pixels, left);
            for (int row = 0; row < PAETH_ROWS; row++) {
                if (within || (x >= row && x < width + row))
                    paeth_store(out + row * size + (x - row) * step, pixels[row], step);
            }
        }
    }
    #else
    #define PAETH_ROWS 0
    #define paeth_rows(filtered, above, out, size, step)
    #endif
    """
    # How many rows `paeth_rows` takes; 0 if it does nothing.
    const int PAETH_ROWS
    # Undoes the filters of `filtered` into `out`, rows of `size` bytes; the filtered ones follow each other with a
    # byte between them, and `above` is the row above them. A pixel takes `step` bytes, 3 or 4.
    void paeth_rows(
        const unsigned char *filtered, const unsigned char *above, unsigned char *out, Py_ssize_t size, int step
    ) noexcept nogil
