#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int firn_keep_above_standard(int descriptor) {
    if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int reason = errno;
    close(descriptor);
    errno = reason;
    return moved;
}

int firn_pipe(int ends[2]) {
    int made[2];
    if (pipe(made) != 0) return errno;
    int reason = 0;
    for (int index = 0; index < 2; index++) {
        made[index] = firn_keep_above_standard(made[index]);
        if (made[index] < 0) reason = errno;
        else fcntl(made[index], F_SETFD, FD_CLOEXEC);
    }
    for (int index = 0; index < 2; index++) {
        if (reason == 0) ends[index] = made[index];
        else if (made[index] >= 0) close(made[index]);
    }
    return reason;
}

int firn_open_missing_standard(void) {
    for (int descriptor = 0; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
        // The lowest free number is the missing one. A descriptor that was opened for reading
        // cannot be written to. Where there are no devices, a folder serves the same purpose.
        int opened = open("/dev/null", O_RDONLY | O_NOCTTY);
        if (opened < 0) opened = open("/", O_RDONLY | O_DIRECTORY);
        if (opened < 0) return errno;
        if (opened == descriptor) continue;
        close(opened);
        return EBADF;
    }
    return 0;
}
