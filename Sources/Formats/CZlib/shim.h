// Without the functions for files: they bring headers of the system, whose types Swift would then
// believe to be of this module.
#define Z_SOLO
#include <zlib.h>
