#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static int reserve(int descriptor, int64_t start, int64_t length) {
#if defined(__APPLE__)
    // Darwin counts from the end of what is allocated, not from an offset.
    struct stat status;
    if (fstat(descriptor, &status) != 0) return errno;
    int64_t missing = start + length - (int64_t)status.st_blocks * 512;
    if (missing <= 0) return 0;
    fstore_t request = {
        .fst_flags = F_ALLOCATEALL, .fst_posmode = F_PEOFPOSMODE, .fst_length = missing};
    return fcntl(descriptor, F_PREALLOCATE, &request) == 0 ? 0 : errno;
#else
    return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, start, length) == 0 ? 0 : errno;
#endif
}

int firn_reserve(int descriptor, int64_t start, int64_t length) {
    for (;;) {
        int reason = reserve(descriptor, start, length);
        switch (reason) {
        case EINTR: break;
        // The errors of file systems, drivers and sandboxes without support for the call.
        case EOPNOTSUPP:
#if defined(ENOTSUP) && ENOTSUP != EOPNOTSUPP
        case ENOTSUP:
#endif
        case ENOSYS:
        case ENODEV:
        case EINVAL:
        case EPERM: return ENOTSUP;
        default: return reason;
        }
    }
}
