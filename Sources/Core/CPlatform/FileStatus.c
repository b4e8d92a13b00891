#define _GNU_SOURCE
#include "CPlatform.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#if defined(__linux__)
#include <sys/sysmacros.h>
#endif

int firn_fstat(int descriptor, struct firn_file_status *status) {
#if defined(__linux__) && defined(STATX_BASIC_STATS)
    struct statx found;
    unsigned mask = STATX_BASIC_STATS & ~(STATX_ATIME | STATX_MTIME | STATX_CTIME);
    if (statx(descriptor, "", AT_EMPTY_PATH, mask, &found) == 0) {
        status->device = makedev(found.stx_dev_major, found.stx_dev_minor);
        status->inode = found.stx_ino;
        status->links = found.stx_nlink;
        status->size = found.stx_size;
        status->mode = found.stx_mode;
        status->user = found.stx_uid;
        status->group = found.stx_gid;
        return 0;
    }
    // Old systems, and sandboxes that do not know the call.
    if (errno != ENOSYS && errno != EPERM) return -1;
#endif
    struct stat plain;
    if (fstat(descriptor, &plain) != 0) return -1;
    status->device = (uint64_t)plain.st_dev;
    status->inode = (uint64_t)plain.st_ino;
    status->links = (uint64_t)plain.st_nlink;
    status->size = (uint64_t)plain.st_size;
    status->mode = plain.st_mode;
    status->user = plain.st_uid;
    status->group = plain.st_gid;
    return 0;
}
