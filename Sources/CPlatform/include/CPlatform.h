#pragma once

// The little C that Swift cannot say: calls that the system modules do not show, variadic calls,
// and everything that a signal handler touches.
//
// Functions return 0 for success and the errno otherwise, unless they say something else.

#include <stddef.h>
#include <stdint.h>

// Randomness of the kernel.
int firn_random(void *buffer, size_t count);

// Files.

// Moves a new descriptor out of the numbers 0 to 2 and returns its number, or -1 with errno set; keeps
// errno and -1 as they are. A program that was started without standard error gets 2 for the next
// file that it opens, and whatever prints an error then writes into that file. The descriptor is
// closed in children.
int firn_keep_above_standard(int descriptor);
// A pipe whose ends lie above the standard descriptors and are closed in children. Returns an errno.
int firn_pipe(int ends[2]);
// Opens every standard descriptor that is closed: reading from it finds the end of the input, writing
// to it fails. Three calls of the system if all are open. Returns an errno.
int firn_open_missing_standard(void);
// Gives a file a new name that nobody else may have; EEXIST if somebody does.
int firn_rename_exclusive(const char *from, const char *to);
// Makes content durable; `full` covers all metadata. On macOS both flush the drive's cache too.
int firn_sync(int descriptor, int full);
// Gives a range of a file blocks of the disk, also behind the end of the file, which stays where it is.
// ENOTSUP where the file system cannot do that; a disk that becomes full may leave a part of the range
// with blocks.
int firn_reserve(int descriptor, int64_t start, int64_t length);
// Which kind of file system a path lies on. Linux: the magic number of statfs. macOS: 0 if it is
// of this machine, 1 if not.
int firn_volume_type(const char *path, uint32_t *type);

// Locks of an open file description: they exclude other open files of the same process too, and
// die with the last descriptor of the description, never with another one of the same inode.

// 0 taken, EAGAIN when another open file holds a conflicting lock.
int firn_lock_take(int descriptor, int64_t start, int64_t length, int exclusive);
int firn_lock_release(int descriptor, int64_t start, int64_t length);
// Replaces start and length by those of a conflicting lock, or makes the length 0. A lock that
// reaches to the end of the file whatever its size is reported with the length INT64_MAX - start.
int firn_lock_find(int descriptor, int64_t *start, int64_t *length, int exclusive);

// Words of shared memory, aligned to 8 bytes. All accesses of all processes have one order.

uint64_t firn_word_load(const void *word);
void firn_word_store(void *word, uint64_t value);
// 1 if the word had the expected value and now has the other one, else 0.
int firn_word_exchange(void *word, uint64_t expected, uint64_t value);
// The sum, modulo 2^64.
uint64_t firn_word_add(void *word, uint64_t value);
// Waits while the lower half of the word is the value, for so long at most; may return early.
void firn_word_wait(void *word, uint32_t value, uint64_t nanoseconds);
// Looks at the word again and again, for so long at most, without going to sleep; others that wait for
// the same core go first. 1 if it is another value than that, else 0.
int firn_word_watch(const void *word, uint64_t value, uint64_t nanoseconds);
// The core on which the caller runs at this moment; -1 if that cannot be known.
int firn_current_core(void);
// Wakes all who wait on the word, in all processes.
void firn_word_wake(void *word);
// Lets a mapping whose file another process cuts short read as zeros from then on, for this process
// alone, instead of ending the process with SIGBUS. A handler that the program has for that signal gets
// all others; one that it installs later gets these, too.
void firn_words_guard(void *start, size_t count);
// Ends that, before the mapping goes.
void firn_words_unguard(void *start);

// Processes.

// How many forks lie between the first call in an ancestor and this process.
uint64_t firn_fork_generation(void);
// Whether the caller runs on the thread that the process began with.
int firn_is_main_thread(void);

// Starts `/bin/sh -c command` with this environment and some additions of the form NAME=VALUE, which
// end with NULL. Its standard input is a pipe, whose writing end does not block. From then on a pipe
// without reader is an error of this process (EPIPE) and not its death.
int firn_shell_start(
    const char *command, const char *const *additions, int *process, int *input);
// The same with the standard input of this process, for programs that talk to the person there.
int firn_shell_start_here(const char *command, const char *const *additions, int *process);
// 1 once the child has ended, with its status as a shell has it; 0 before.
int firn_shell_ended(int process, int *status);

// Signals.

// A pipe to wake a poll with: neither end blocks, and no child of an exec gets it. Returns an errno.
int firn_wake_pipe(int ends[2]);

// Remembers SIGINT, SIGTERM and SIGHUP instead of dying of them, and makes a file size limit an
// error (EFBIG) instead of a death. A second signal of the same kind kills.
int firn_signals_install(void);
// Lets a write beyond the file size limit fail with EFBIG instead of ending the process, unless the
// program has a handler for that signal.
int firn_file_size_signal_ignore(void);
// The same after an install, but what was remembered stays; repeatedly: whether a second signal
// of the same kind is remembered too.
int firn_signals_keep(int repeatedly);
// Remembers SIGALRM once so much time is over, and interrupts again and again what waits from then on;
// returns an errno, or 0.
int firn_signals_alarm(uint64_t nanoseconds);
// Takes that back; a SIGALRM that was remembered is forgotten.
void firn_signals_alarm_end(void);
// Forgets what was remembered, after an install, and changes nothing else.
void firn_signals_forget(void);
// The last remembered signal; 0 if there was none.
int firn_signals_pending(void);
// A descriptor that is readable once a signal was remembered; -1 before the first install.
int firn_signals_descriptor(void);
// Restores the default action of a signal, unblocks it and sends it to this process.
void firn_signal_die(int signal);

// Files.

// What fstat() says but for the times, which are 0. Linux 6.13 and newer give the next write after a
// look at the times a new time, which fdatasync() then writes out: a commit takes half as long again.
struct firn_file_status {
    uint64_t device, inode, links, size;
    uint32_t mode, user, group;
};
int firn_fstat(int descriptor, struct firn_file_status *status);

// Terminals.

// The width and height of the window; ENOTTY when the descriptor is none.
int firn_terminal_size(int descriptor, uint16_t *columns, uint16_t *rows);

// Types.

// How many types the image that this is linked into declares.
size_t firn_type_count(void);
// The metadata of one of them, if it is a class without type parameters; else NULL.
const void *firn_class_metadata(size_t index);
