#pragma once

// The functions that cannot be written in Swift: calls that the system modules do not export,
// variadic calls, and everything that a signal handler accesses.
//
// Functions return 0 for success and the errno otherwise, unless stated differently.

#include <stddef.h>
#include <stdint.h>

// Fills a buffer with random bytes from the kernel.
int firn_random(void *buffer, size_t count);

// The arguments of main, the name of the program first; the number is 0 if the program was started
// without any, and an argument beyond the last one is NULL.
int firn_argument_count(void);
const char *firn_argument(int index);

// Files.

// Moves a new descriptor above the numbers 0 to 2, and closes it in children. Returns the number,
// or -1 with errno set; an argument of -1 and errno are passed through. In a program that was
// started without standard error, the next opened file gets descriptor 2, and every error message
// would then be written into that file.
int firn_keep_above_standard(int descriptor);
// Creates a pipe whose ends are above the standard descriptors and are closed in children. Returns
// an errno.
int firn_pipe(int ends[2]);
// Opens every closed standard descriptor. Reading from it returns the end of the input, and writing
// to it fails. Costs three system calls if all are open. Returns an errno.
int firn_open_missing_standard(void);
// Renames a file without replacing another; EEXIST if the new name exists.
int firn_rename_exclusive(const char *from, const char *to);
// Exchanges the names of two existing files or folders in one step. Returns an errno: EINVAL, ENOSYS or
// ENOTSUP where the file system cannot do that.
int firn_rename_exchange(const char *path, const char *other);
// Makes content durable; `full` includes all metadata. On macOS, both also flush the drive's cache.
int firn_sync(int descriptor, int full);
// Allocates disk blocks for a range of a file, also behind its end, without changing its size.
// ENOTSUP where the file system cannot do that. A disk that becomes full may leave blocks for a part
// of the range.
int firn_reserve(int descriptor, int64_t start, int64_t length);
// Determines the kind of file system of a path. On Linux, this is the magic number of statfs. On
// macOS, it is 0 for a local file system and 1 for any other.
int firn_volume_type(const char *path, uint32_t *type);

// Locks of an open file description: they also exclude other open files of the same process, and
// are released with the last descriptor of the description, but not with another descriptor of the
// inode.

// Returns 0 if the lock was acquired, EAGAIN if another open file holds a conflicting lock.
int firn_lock_take(int descriptor, int64_t start, int64_t length, int exclusive);
int firn_lock_release(int descriptor, int64_t start, int64_t length);
// Sets start and length to those of a conflicting lock, or the length to 0. For a lock that extends
// to the end of the file at any size, the length is INT64_MAX - start.
int firn_lock_find(int descriptor, int64_t *start, int64_t *length, int exclusive);

// Words of shared memory, aligned to 8 bytes. All accesses by all processes have a total order.

uint64_t firn_word_load(const void *word);
void firn_word_store(void *word, uint64_t value);
// Returns 1 if the word had the expected value and was replaced, otherwise 0.
int firn_word_exchange(void *word, uint64_t expected, uint64_t value);
// Returns the sum, modulo 2^64.
uint64_t firn_word_add(void *word, uint64_t value);
// Waits while the lower half of the word has the value, up to a timeout. May return early.
void firn_word_wait(void *word, uint32_t value, uint64_t nanoseconds);
// Spins while the word has the value, up to a timeout. Other threads that wait for the same core
// run first. Returns 1 if the word has another value, otherwise 0.
int firn_word_watch(const void *word, uint64_t value, uint64_t nanoseconds);
// Returns the core on which the caller is running; -1 if it is unknown.
int firn_current_core(void);
// Returns the number of cores on which the caller may run, at least 1.
int firn_core_count(void);
// Wakes all waiters on the word, in all processes.
void firn_word_wake(void *word);
// Makes a mapping read as zeros once another process truncates its file, instead of ending this
// process with SIGBUS. The zeros are visible only in this process. If the program has a handler for
// this signal, it receives all other faults; a handler that is installed later also receives these.
void firn_words_guard(void *start, size_t count);
// Removes the guard. Must be called before the mapping is removed.
void firn_words_unguard(void *start);

// Processes.

// Returns the number of forks between the first call in an ancestor and this process.
uint64_t firn_fork_generation(void);
// Returns whether the caller runs on the initial thread of the process.
int firn_is_main_thread(void);

// Starts `/bin/sh -c command` with this environment and additions of the form NAME=VALUE, which end
// with NULL. Its standard input is a file without a name that has the whole input before the command
// starts: if this process is killed, no command takes a part of an input for all of it. The child leads
// a process group of its own.
int firn_shell_start(
    const char *command, const char *const *additions, const void *input, size_t count,
    int *process);
// Starts `/bin/sh -c command` with a pipe as its standard input, whose write end is non-blocking. From
// then on, writing to a pipe without a reader is an error in this process (EPIPE) and does not
// terminate it.
int firn_shell_start_pipe(const char *command, int *process, int *input);
// Like firn_shell_start, in the process group and with the standard input of this process, for
// interactive programs.
int firn_shell_start_here(const char *command, const char *const *additions, int *process);
// Returns 1 once the child has ended, with its exit status as in a shell; otherwise 0.
int firn_shell_ended(int process, int *status);

// Signals.

// Creates a pipe to wake a poll: neither end blocks, and both are closed in children. Returns an
// errno.
int firn_wake_pipe(int ends[2]);

// Records SIGINT, SIGTERM and SIGHUP instead of ending the process, and turns a file size limit
// into an error (EFBIG). A second signal of the same kind ends the process.
int firn_signals_install(void);
// Makes a write beyond the file size limit fail with EFBIG instead of ending the process, unless
// the program has a handler for that signal.
int firn_file_size_signal_ignore(void);
// Sets the handlers again after an install, and keeps a recorded signal. `repeatedly` determines
// whether a second signal of the same kind is also recorded.
int firn_signals_keep(int repeatedly);
// Records SIGALRM after a timeout, and repeatedly interrupts waits from then on. Returns an errno.
int firn_signals_alarm(uint64_t nanoseconds);
// Cancels the alarm, and clears a recorded SIGALRM.
void firn_signals_alarm_end(void);
// Clears the recorded signal after an install, and changes nothing else.
void firn_signals_forget(void);
// Returns the last recorded signal; 0 if there is none.
int firn_signals_pending(void);
// Returns a descriptor that is readable once a signal was recorded; -1 before the first install.
int firn_signals_descriptor(void);
// Restores the default action of a signal, unblocks it, and sends it to this process.
void firn_signal_die(int signal);

// Files.

// The result of fstat() without the times, which are 0. On Linux 6.13 and newer, reading the times
// makes the next write update them, and fdatasync() then writes them out: a commit would take half
// as long again.
struct firn_file_status {
    uint64_t device, inode, links, size;
    uint32_t mode, user, group;
};
int firn_fstat(int descriptor, struct firn_file_status *status);

// Terminals.

// Returns the width and height of the window; ENOTTY if the descriptor is not a terminal.
int firn_terminal_size(int descriptor, uint16_t *columns, uint16_t *rows);

// Types.

// Returns the number of types that the image containing this function declares.
size_t firn_type_count(void);
// Returns the metadata of a type, if it is a non-generic class; otherwise NULL.
const void *firn_class_metadata(size_t index);
