#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifdef __APPLE__
#include <sys/random.h>
#else
#include <sys/random.h>
#include <sys/syscall.h>
#endif

int firn_random(void *buffer, size_t count) {
    char *next = buffer;
    while (count > 0) {
        // Requests of up to 256 bytes are never partial and cannot be interrupted.
        size_t part = count < 256 ? count : 256;
#ifdef __APPLE__
        if (getentropy(next, part) != 0) return errno;
#else
        ssize_t got = getrandom(next, part, 0);
        if (got < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        part = (size_t)got;
#endif
        next += part;
        count -= part;
    }
    return 0;
}

int firn_rename_exclusive(const char *from, const char *to) {
#ifdef __APPLE__
    if (renamex_np(from, to, RENAME_EXCL) == 0) return 0;
    int reason = errno;
#else
    if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1 /* RENAME_NOREPLACE */) == 0)
        return 0;
    int reason = errno;
#endif
    if (reason != EINVAL && reason != ENOSYS && reason != ENOTSUP) return reason;
    // The file system has no exclusive rename, but creating a hard link never replaces a file
    // either.
    if (link(from, to) != 0) return errno;
    return unlink(from) == 0 ? 0 : errno;
}

int firn_rename_exchange(const char *path, const char *other) {
#ifdef __APPLE__
    return renamex_np(path, other, RENAME_SWAP) == 0 ? 0 : errno;
#else
    return syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, other, 2 /* RENAME_EXCHANGE */) == 0
               ? 0
               : errno;
#endif
}

int firn_sync(int descriptor, int full) {
    for (;;) {
#ifdef __APPLE__
        // fsync leaves the data in the drive's cache. Some file systems support only fsync.
        if (fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
        if (errno == ENOTSUP || errno == EINVAL || errno == ENOTTY) {
            if (fsync(descriptor) == 0) return 0;
        }
        (void)full;
#else
        if ((full ? fsync(descriptor) : fdatasync(descriptor)) == 0) return 0;
#endif
        if (errno != EINTR) return errno;
    }
}

int firn_terminal_size(int descriptor, uint16_t *columns, uint16_t *rows) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return errno;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}
