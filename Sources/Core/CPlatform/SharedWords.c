#define _GNU_SOURCE
#include "CPlatform.h"

#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#ifdef __APPLE__
#include <os/os_sync_wait_on_address.h>
#else
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

// Other processes map the same words, so atomics must not be emulated with a library lock.
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "64-bit words are atomic");
_Static_assert(sizeof(_Atomic uint64_t) == 8, "an atomic word has its bytes only");

static _Atomic uint64_t *word_at(void *word) { return word; }

uint64_t firn_word_load(const void *word) { return atomic_load((const _Atomic uint64_t *)word); }

void firn_word_store(void *word, uint64_t value) { atomic_store(word_at(word), value); }

int firn_word_exchange(void *word, uint64_t expected, uint64_t value) {
    return atomic_compare_exchange_strong(word_at(word), &expected, value);
}

uint64_t firn_word_add(void *word, uint64_t value) {
    return atomic_fetch_add(word_at(word), value) + value;
}

// Returns the address of the lower half of a word, because the kernel compares 32 bits.
static uint32_t *lower_half(void *word) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return word;
#else
    return (uint32_t *)word + 1;
#endif
}

void firn_word_wait(void *word, uint32_t value, uint64_t nanoseconds) {
#ifdef __APPLE__
    os_sync_wait_on_address_with_timeout(
        lower_half(word), value, sizeof value, OS_SYNC_WAIT_ON_ADDRESS_SHARED,
        OS_CLOCK_MACH_ABSOLUTE_TIME, nanoseconds);
#else
    struct timespec timeout = {
        .tv_sec = (time_t)(nanoseconds / 1000000000), .tv_nsec = (long)(nanoseconds % 1000000000)};
    // Not the private variant, because other processes wait on the same page of the same file.
    syscall(SYS_futex, lower_half(word), FUTEX_WAIT, value, &timeout, NULL, 0);
#endif
    // Whether woken, changed before, interrupted or timed out, the caller reads the word again.
}

static uint64_t monotonic_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int firn_word_watch(const void *word, uint64_t value, uint64_t nanoseconds) {
    uint64_t start = monotonic_nanoseconds();
    while (firn_word_load(word) == value) {
        if (monotonic_nanoseconds() - start >= nanoseconds) return 0;
        sched_yield();
    }
    return 1;
}

int firn_current_core(void) {
#ifdef __APPLE__
    return -1;
#else
    return sched_getcpu();
#endif
}

int firn_core_count(void) {
#ifndef __APPLE__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (int)count;
}

void firn_word_wake(void *word) {
#ifdef __APPLE__
    os_sync_wake_by_address_all(
        lower_half(word), sizeof(uint32_t), OS_SYNC_WAKE_BY_ADDRESS_SHARED);
#else
    syscall(SYS_futex, lower_half(word), FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
#endif
}
