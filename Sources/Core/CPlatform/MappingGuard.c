#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

// The maximum number of guarded mappings. Further ones are not guarded.
#define MAPPINGS_MAX 1024

// A mapping; the start is 0 if the entry is free. The length is written before the start.
static struct {
    _Atomic uintptr_t start;
    _Atomic size_t length;
} mappings[MAPPINGS_MAX];

static struct sigaction previous;
static size_t page_size;

// Uses only operations that are allowed in a signal handler: atomic loads and system calls.
static void take_fault(int signal, siginfo_t *info, void *context) {
    int saved = errno;
    uintptr_t address = (uintptr_t)info->si_addr;
    for (int index = 0; index < MAPPINGS_MAX; index++) {
        uintptr_t start = atomic_load(&mappings[index].start);
        if (start == 0 || address < start) continue;
        if (address - start >= atomic_load(&mappings[index].length)) continue;
        void *page = (void *)(address & ~(uintptr_t)(page_size - 1));
        void *made = mmap(
            page, page_size, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        errno = saved;
        if (made != MAP_FAILED) return;
        break;
    }
    if (previous.sa_flags & SA_SIGINFO) {
        previous.sa_sigaction(signal, info, context);
    } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
        previous.sa_handler(signal);
    } else {
        // The access is repeated, and ends the process as it would have without the guard.
        struct sigaction action = {.sa_handler = SIG_DFL};
        sigaction(signal, &action, NULL);
    }
    errno = saved;
}

static void install(void) {
    page_size = (size_t)sysconf(_SC_PAGESIZE);
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    action.sa_sigaction = take_fault;
    sigaction(SIGBUS, &action, &previous);
}

void firn_words_guard(void *start, size_t count) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    for (int index = 0; index < MAPPINGS_MAX; index++) {
        size_t free = 0;
        if (!atomic_compare_exchange_strong(&mappings[index].length, &free, count)) continue;
        atomic_store(&mappings[index].start, (uintptr_t)start);
        return;
    }
}

void firn_words_unguard(void *start) {
    for (int index = 0; index < MAPPINGS_MAX; index++) {
        if (atomic_load(&mappings[index].start) != (uintptr_t)start) continue;
        atomic_store(&mappings[index].start, 0);
        atomic_store(&mappings[index].length, 0);
        return;
    }
}
