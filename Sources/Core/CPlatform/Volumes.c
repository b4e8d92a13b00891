#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>

#ifdef __APPLE__
#include <sys/mount.h>
#include <sys/param.h>
#else
#include <sys/vfs.h>
#endif

int firn_volume_type(const char *path, uint32_t *type) {
    struct statfs volume;
    while (statfs(path, &volume) != 0) {
        if (errno != EINTR) return errno;
    }
#ifdef __APPLE__
    *type = volume.f_flags & MNT_LOCAL ? 0 : 1;
#else
    // Some numbers have the highest of 32 bits set, and are sign-extended on some machines.
    *type = (uint32_t)volume.f_type;
#endif
    return 0;
}
