#define _GNU_SOURCE
#include "CPlatform.h"
#include "CReadline.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <readline/readline.h>

static const int caught[] = {SIGWINCH, SIGTSTP, SIGCONT};
enum { caught_count = sizeof caught / sizeof *caught };

static struct sigaction before[caught_count];
static int is_installed;
// One flag each, lock-free, so that the handler may touch them.
static _Atomic int came[caught_count];
// Readable with the first signal, so that none slips in before the wait begins.
static int wake[2] = {-1, -1};

static void remember(int number) {
    int saved = errno;
    for (size_t index = 0; index < caught_count; index++)
        if (caught[index] == number) atomic_store(&came[index], 1);
    // When the pipe is full it is readable already.
    ssize_t written = write(wake[1], "", 1);
    (void)written;
    errno = saved;
}

int firn_readline_signals_descriptor(void) { return wake[0]; }

int firn_readline_signals_install(void) {
    if (is_installed) return 0;
    int reason = wake[0] >= 0 ? 0 : firn_wake_pipe(wake);
    if (reason) return reason;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = remember;
    action.sa_flags = SA_RESTART;
    for (size_t index = 0; index < caught_count; index++) {
        sigaction(caught[index], NULL, &before[index]);
        // A shell without job control ignores the signal, and so must we.
        if (before[index].sa_handler == SIG_IGN) continue;
        sigaction(caught[index], &action, NULL);
    }
    is_installed = 1;
    return 0;
}

void firn_readline_signals_remove(void) {
    if (!is_installed) return;
    for (size_t index = 0; index < caught_count; index++)
        sigaction(caught[index], &before[index], NULL);
    is_installed = 0;
}

static int took(int number) {
    for (size_t index = 0; index < caught_count; index++)
        if (caught[index] == number) return atomic_exchange(&came[index], 0);
    return 0;
}

// Stops with the terminal restored, and continues after SIGCONT.
static void stop(void) {
    rl_deprep_terminal();
    fputs("\r\n", rl_outstream);
    fflush(rl_outstream);
    struct sigaction action, ours;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_DFL;
    sigaction(SIGTSTP, &action, &ours);
    // The whole pipeline that this process belongs to has the signal already.
    raise(SIGTSTP);
    sigaction(SIGTSTP, &ours, NULL);
}

void firn_readline_signals_obey(void) {
    char bytes[64];
    while (read(wake[0], bytes, sizeof bytes) > 0) {}
    int stopped = took(SIGTSTP);
    if (stopped) stop();
    if (took(SIGCONT) || stopped) {
        rl_prep_terminal(1);
        // The window may have another size by now.
        took(SIGWINCH);
        rl_reset_screen_size();
        rl_on_new_line();
        rl_forced_update_display();
    }
    if (took(SIGWINCH)) rl_resize_terminal();
}
