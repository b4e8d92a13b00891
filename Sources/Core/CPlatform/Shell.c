#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Returns whether an addition replaces a variable of this process's environment.
static int is_replaced(const char *variable, const char *const *additions) {
    size_t length = strcspn(variable, "=") + 1;
    for (; *additions; additions++)
        if (strncmp(variable, *additions, length) == 0) return 1;
    return 0;
}

// Returns an array of this process's environment and the additions, which the caller frees; NULL if
// out of memory.
static char **make_environment(const char *const *additions) {
    size_t count = 1;
    for (char **each = environ; *each; each++) count++;
    for (const char *const *each = additions; *each; each++) count++;
    char **all = malloc(count * sizeof *all);
    if (!all) return NULL;
    size_t next = 0;
    for (char **each = environ; *each; each++)
        if (!is_replaced(*each, additions)) all[next++] = *each;
    for (const char *const *each = additions; *each; each++) all[next++] = (char *)*each;
    all[next] = NULL;
    return all;
}

// A new group, for which the caller forwards signals, holds everything that the command starts.
static int spawn(const char *command, char **environment, int input, int in_group, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int reason = posix_spawn_file_actions_init(&actions);
    if (reason) return reason;
    reason = posix_spawnattr_init(&attributes);
    if (reason) {
        posix_spawn_file_actions_destroy(&actions);
        return reason;
    }
    // The child must not inherit the signal settings of this process.
    static const int defaults[] = {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGXFSZ};
    sigset_t set;
    sigemptyset(&set);
    posix_spawnattr_setsigmask(&attributes, &set);
    for (size_t index = 0; index < sizeof defaults / sizeof *defaults; index++)
        sigaddset(&set, defaults[index]);
    posix_spawnattr_setsigdefault(&attributes, &set);
    short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
    if (in_group) {
        flags |= POSIX_SPAWN_SETPGROUP;
        posix_spawnattr_setpgroup(&attributes, 0);
    }
    posix_spawnattr_setflags(&attributes, flags);
    if (input >= 0) reason = posix_spawn_file_actions_adddup2(&actions, input, 0);
    char *const words[] = {"sh", "-c", (char *)command, NULL};
    if (!reason) reason = posix_spawn(pid, "/bin/sh", &actions, &attributes, words, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

// Returns a descriptor of a file without a name, or -1 with errno set.
static int open_unnamed(void) {
#ifdef __linux__
    int file = memfd_create("firn-input", MFD_CLOEXEC);
#else
    char path[] = "/tmp/firn-input-XXXXXX";
    int file = mkstemp(path);
    if (file >= 0) unlink(path);
#endif
    return firn_keep_above_standard(file);
}

// Returns a file without a name that has this content, at its beginning; -1 with errno set.
static int file_with(const void *bytes, size_t count) {
    int file = open_unnamed();
    if (file < 0) return -1;
    for (size_t done = 0; done < count;) {
        ssize_t written = write(file, (const char *)bytes + done, count - done);
        if (written > 0) {
            done += (size_t)written;
        } else if (errno != EINTR) {
            int reason = errno;
            close(file);
            errno = reason;
            return -1;
        }
    }
    lseek(file, 0, SEEK_SET);
    return file;
}

int firn_shell_start(
    const char *command, const char *const *additions, const void *input, size_t count,
    int *process) {
    int file = file_with(input, count);
    if (file < 0) return errno;
    char **environment = make_environment(additions);
    pid_t pid = 0;
    int reason = environment ? spawn(command, environment, file, 1, &pid) : ENOMEM;
    free(environment);
    close(file);
    *process = pid;
    return reason;
}

int firn_shell_start_pipe(const char *command, int *process, int *input) {
    int ends[2];
    int failure = firn_pipe(ends);
    if (failure) return failure;
    // A child that does not read all of its input must not terminate this process.
    signal(SIGPIPE, SIG_IGN);
    pid_t pid = 0;
    int reason = spawn(command, environ, ends[0], 0, &pid);
    close(ends[0]);
    if (reason) {
        close(ends[1]);
        return reason;
    }
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    *process = pid;
    *input = ends[1];
    return 0;
}

int firn_shell_start_here(const char *command, const char *const *additions, int *process) {
    char **environment = make_environment(additions);
    pid_t pid = 0;
    int reason = environment ? spawn(command, environment, -1, 0, &pid) : ENOMEM;
    free(environment);
    *process = pid;
    return reason;
}

int firn_shell_ended(int process, int *status) {
    int raw = 0;
    pid_t found;
    do found = waitpid(process, &raw, WNOHANG);
    while (found < 0 && errno == EINTR);
    if (found == 0) return 0;
    *status = found < 0 ? 127 : WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
    return 1;
}
