#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

static struct flock range(short type, int64_t start, int64_t length) {
    struct flock lock;
    // The pid must be 0 for locks of an open file description.
    memset(&lock, 0, sizeof lock);
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = start;
    lock.l_len = length;
    return lock;
}

static int set(int descriptor, struct flock *lock) {
    while (fcntl(descriptor, F_OFD_SETLK, lock) != 0) {
        if (errno != EINTR) return errno == EACCES ? EAGAIN : errno;
    }
    return 0;
}

int firn_lock_take(int descriptor, int64_t start, int64_t length, int exclusive) {
    struct flock lock = range(exclusive ? F_WRLCK : F_RDLCK, start, length);
    return set(descriptor, &lock);
}

int firn_lock_release(int descriptor, int64_t start, int64_t length) {
    struct flock lock = range(F_UNLCK, start, length);
    return set(descriptor, &lock);
}

int firn_lock_find(int descriptor, int64_t *start, int64_t *length, int exclusive) {
    struct flock lock = range(exclusive ? F_WRLCK : F_RDLCK, *start, *length);
    while (fcntl(descriptor, F_OFD_GETLK, &lock) != 0) {
        if (errno != EINTR) return errno;
    }
    if (lock.l_type == F_UNLCK) {
        *length = 0;
        return 0;
    }
    *start = lock.l_start;
    *length = lock.l_len == 0 ? INT64_MAX - lock.l_start : lock.l_len;
    return 0;
}
