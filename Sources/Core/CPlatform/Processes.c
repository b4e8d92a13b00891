#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static _Atomic uint64_t generation;
static pthread_once_t generation_once = PTHREAD_ONCE_INIT;

static void in_child(void) { atomic_fetch_add(&generation, 1); }

static void watch_forks(void) { pthread_atfork(NULL, NULL, in_child); }

uint64_t firn_fork_generation(void) {
    pthread_once(&generation_once, watch_forks);
    return atomic_load_explicit(&generation, memory_order_relaxed);
}

// Lock-free, so that the handler can access it.
static _Atomic int pending;

// A pipe that becomes readable with the first signal. A thread that also waits for other
// descriptors polls its read end, so that no signal is missed between reading the flag and starting
// to wait.
static int wake[2] = {-1, -1};

// Whether a second signal of the same kind terminates the process.
static _Atomic int is_urgent;
// The time of the first signal that was remembered, in milliseconds; 0 before it.
static _Atomic int64_t first_at;
// `timeout` and process managers send a signal to the process and at once to its group. Only a second
// request of somebody who waits is one to end without cleaning up.
enum { REPEAT_MILLISECONDS = 500 };

static int64_t now_in_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + 1;
}

static void remember(int signal) {
    int saved = errno;
    int64_t now = now_in_milliseconds();
    if (atomic_exchange(&pending, signal) != signal) {
        atomic_store(&first_at, now);
    } else if (atomic_load(&is_urgent) && now - atomic_load(&first_at) > REPEAT_MILLISECONDS) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = SIG_DFL;
        sigaction(signal, &action, NULL);
        raise(signal);
    }
    // A full pipe is already readable.
    ssize_t written = write(wake[1], "", 1);
    (void)written;
    errno = saved;
}

int firn_wake_pipe(int ends[2]) {
    int made[2];
    int reason = firn_pipe(made);
    if (reason != 0) return reason;
    for (int index = 0; index < 2; index++) {
        fcntl(made[index], F_SETFL, O_NONBLOCK);
        ends[index] = made[index];
    }
    return 0;
}

static int make_wake(void) {
    if (wake[0] >= 0) {
        char byte;
        while (read(wake[0], &byte, 1) == 1) {}
        return 0;
    }
    return firn_wake_pipe(wake);
}

int firn_signals_descriptor(void) { return wake[0]; }

static int set_handlers(void) {
    static const int remembered[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = remember;
    for (size_t index = 0; index < sizeof remembered / sizeof *remembered; index++) {
        struct sigaction old;
        if (sigaction(remembered[index], NULL, &old) != 0) return errno;
        // If this process was started with nohup, the signal must remain ignored.
        if (!(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_IGN) continue;
        if (sigaction(remembered[index], &action, NULL) != 0) return errno;
    }
    return 0;
}

int firn_signals_install(void) {
    int reason = make_wake();
    if (reason != 0) return reason;
    atomic_store(&pending, 0);
    atomic_store(&is_urgent, 1);
    reason = set_handlers();
    if (reason != 0) return reason;
    return firn_file_size_signal_ignore();
}

int firn_file_size_signal_ignore(void) {
    struct sigaction action;
    if (sigaction(SIGXFSZ, NULL, &action) != 0) return errno;
    if (action.sa_flags & SA_SIGINFO || action.sa_handler != SIG_DFL) return 0;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_IGN;
    return sigaction(SIGXFSZ, &action, NULL) == 0 ? 0 : errno;
}

void firn_signals_forget(void) {
    atomic_store(&pending, 0);
    char byte;
    while (read(wake[0], &byte, 1) == 1) {}
}

int firn_signals_keep(int repeatedly) {
    atomic_store(&is_urgent, !repeatedly);
    return set_handlers();
}

static void remember_alarm(int signal) {
    int saved = errno;
    // An earlier request to end the process takes precedence.
    int none = 0;
    if (atomic_compare_exchange_strong(&pending, &none, signal)) {
        ssize_t written = write(wake[1], "", 1);
        (void)written;
    }
    errno = saved;
}

int firn_signals_alarm(uint64_t nanoseconds) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = remember_alarm;
    if (sigaction(SIGALRM, &action, NULL) != 0) return errno;
    uint64_t microseconds = nanoseconds / 1000;
    if (microseconds == 0) microseconds = 1;
    struct itimerval timer;
    memset(&timer, 0, sizeof timer);
    timer.it_value.tv_sec = (time_t)(microseconds / 1000000);
    timer.it_value.tv_usec = (suseconds_t)(microseconds % 1000000);
    // An alarm between reading the flag and starting to wait is missed, so it is repeated.
    timer.it_interval.tv_usec = 100000;
    return setitimer(ITIMER_REAL, &timer, NULL) == 0 ? 0 : errno;
}

void firn_signals_alarm_end(void) {
    struct itimerval timer;
    memset(&timer, 0, sizeof timer);
    setitimer(ITIMER_REAL, &timer, NULL);
    if (firn_signals_pending() == SIGALRM) firn_signals_forget();
}

int firn_signals_pending(void) { return atomic_load_explicit(&pending, memory_order_relaxed); }

void firn_signal_die(int signal) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_DFL;
    sigaction(signal, &action, NULL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, signal);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    // To this thread, so that it does not continue.
    raise(signal);
}

int firn_is_main_thread(void) {
#if defined(__linux__)
    return syscall(SYS_gettid) == getpid();
#else
    return pthread_main_np();
#endif
}
