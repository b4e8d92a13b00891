#define _GNU_SOURCE
#include "CReadline.h"

// Before the headers of readline, which use FILE.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/history.h>
#include <readline/readline.h>

static char *line;
static enum firn_readline_step step;
static int is_reading;

// MARK: Reading

static void take_line(char *text) {
    // Removed at once: otherwise the prompt of the next line would be shown.
    rl_callback_handler_remove();
    is_reading = 0;
    line = text;
    step = text ? FIRN_READLINE_LINE : FIRN_READLINE_END;
}

static int insert_newline(int count, int key) {
    (void)count;
    (void)key;
    rl_insert_text("\n");
    return 0;
}

static int ask_for_editor(int count, int key) {
    (void)count;
    (void)key;
    step = FIRN_READLINE_EDITOR;
    return 0;
}

static int ask_for_help(int count, int key) {
    (void)count;
    (void)key;
    step = FIRN_READLINE_HELP;
    return 0;
}

void firn_readline_begin(const char *prompt) {
    is_reading = 1;
    // Otherwise each line after a Ctrl-D would end with an empty line.
    rl_eof_found = 0;
    rl_callback_handler_install(prompt, take_line);
}

enum firn_readline_step firn_readline_step(void) {
    step = FIRN_READLINE_MORE;
    rl_callback_read_char();
    return step;
}

char *firn_readline_take(void) {
    char *taken = line;
    line = NULL;
    return taken;
}

void firn_readline_free(char *taken) { free(taken); }

void firn_readline_finish(void) {
    if (!is_reading) return;
    rl_callback_handler_remove();
    is_reading = 0;
}

void firn_readline_cancel(void) {
    if (!is_reading) return;
    // The cursor may stand anywhere in a line that takes several rows.
    rl_point = rl_end;
    rl_mark = 0;
    rl_redisplay();
    fputs("^C\r\n", rl_outstream);
    fflush(rl_outstream);
    rl_free_line_state();
    rl_callback_sigcleanup();
    rl_replace_line("", 1);
    firn_readline_finish();
}

const char *firn_readline_buffer(void) { return rl_line_buffer ? rl_line_buffer : ""; }

size_t firn_readline_cursor(void) { return rl_point < 0 ? 0 : (size_t)rl_point; }

void firn_readline_replace(const char *text) {
    rl_begin_undo_group();
    rl_delete_text(0, rl_end);
    rl_point = 0;
    rl_insert_text(text);
    rl_end_undo_group();
}

// MARK: The screen

void firn_readline_hide(void) {
    rl_clear_visible_line();
    fflush(rl_outstream);
}

void firn_readline_show(void) {
    rl_on_new_line();
    rl_redisplay();
}

void firn_readline_suspend(void) {
    rl_clear_visible_line();
    fflush(rl_outstream);
    rl_deprep_terminal();
}

void firn_readline_resume(void) {
    rl_prep_terminal(1);
    rl_on_new_line();
    rl_forced_update_display();
}

// MARK: Completion

static firn_readline_completer complete;
static firn_readline_lister list;
static void *caller;

// The candidates passed to firn_readline_add for the word that readline completes.
static char **candidates;
static size_t candidate_count;
static size_t candidate_room;
static size_t word_start;
static char appended;

static void forget_candidates(void) {
    for (size_t index = 0; index < candidate_count; index++) free(candidates[index]);
    candidate_count = 0;
    appended = 0;
    word_start = (size_t)rl_point;
}

void firn_readline_add(size_t start, const char *text, char append) {
    if (start > (size_t)rl_point) return;
    if (candidate_count == candidate_room) {
        size_t room = candidate_room ? candidate_room * 2 : 64;
        char **more = realloc(candidates, room * sizeof *more);
        if (!more) return;
        candidates = more;
        candidate_room = room;
    }
    char *copy = strdup(text);
    if (!copy) return;
    candidates[candidate_count++] = copy;
    word_start = start;
    appended = append;
}

// Readline asks for the characters that words end at before it looks for the start of the word.
// The start of the word is known already: the answer makes readline find it.
static char *find_word(void) {
    static char breaks[2];
    forget_candidates();
    complete(caller, firn_readline_buffer(), firn_readline_cursor());
    breaks[0] = word_start > 0 ? rl_line_buffer[word_start - 1] : 0;
    breaks[1] = 0;
    return breaks;
}

// The bytes that all candidates begin with, without half a character at the end.
static size_t common_length(void) {
    size_t common = strlen(candidates[0]);
    for (size_t index = 1; index < candidate_count; index++) {
        size_t same = 0;
        while (same < common && candidates[index][same] == candidates[0][same]) same++;
        common = same;
    }
    while (common > 0 && (candidates[0][common] & 0xC0) == 0x80) common--;
    return common;
}

static char **matches(const char *text, int start, int end) {
    // Never the names of files on its own account.
    rl_attempted_completion_over = 1;
    rl_filename_completion_desired = 0;
    rl_filename_quoting_desired = 0;
    rl_sort_completion_matches = 0;
    rl_completion_append_character = 0;
    if (candidate_count == 0 || (size_t)start != word_start) return NULL;
    char **found = calloc(candidate_count + 2, sizeof *found);
    if (!found) return NULL;
    if (candidate_count == 1) {
        rl_completion_append_character = appended;
        found[0] = strdup(candidates[0]);
    } else {
        size_t common = common_length();
        // The typed text stays if the candidates agree only in another case.
        size_t typed = (size_t)(end - start);
        found[0] = common < typed ? strndup(text, typed) : strndup(candidates[0], common);
        for (size_t index = 0; index < candidate_count; index++)
            found[index + 1] = strdup(candidates[index]);
    }
    if (!found[0]) {
        free(found);
        return NULL;
    }
    return found;
}

// Readline has matches of its own order; ours are asked for by number.
static void show_matches(char **shown, int count, int longest) {
    (void)longest;
    size_t *numbers = malloc((size_t)(count + 1) * sizeof *numbers);
    if (!numbers) return;
    size_t known = 0;
    for (int place = 1; place <= count; place++)
        for (size_t index = 0; index < candidate_count; index++)
            if (strcmp(shown[place], candidates[index]) == 0) {
                numbers[known++] = index;
                break;
            }
    rl_crlf();
    fflush(rl_outstream);
    list(caller, numbers, known);
    free(numbers);
    rl_on_new_line();
}

// MARK: Set-up

void firn_readline_start(
    firn_readline_completer completer, firn_readline_lister lister, void *context) {
    complete = completer;
    list = lister;
    caller = context;
    // Lets users write "$if firn" in their ~/.inputrc.
    rl_readline_name = "firn";
    rl_instream = stdin;
    // Results alone are on standard output.
    rl_outstream = stderr;
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    // The environment is not ours to change.
    rl_change_environment = 0;
    rl_variable_bind("blink-matching-paren", "on");
    // The quote that ends a string is part of the candidate: readline must not add one.
    rl_completer_quote_characters = NULL;
    rl_basic_quote_characters = "";
    rl_completion_word_break_hook = find_word;
    rl_attempted_completion_function = matches;
    rl_completion_display_matches_hook = show_matches;
    rl_ignore_completion_duplicates = 0;
    rl_add_defun("firn-newline", insert_newline, -1);
    rl_add_defun("firn-edit", ask_for_editor, -1);
    rl_add_defun("firn-help", ask_for_help, -1);
    // Without a home readline would look one up in the data base of users, which a static program
    // cannot rely on.
    int homeless = !getenv("HOME") && !getenv("INPUTRC");
    if (homeless) setenv("INPUTRC", "/etc/inputrc", 1);
    rl_initialize();
    if (homeless) unsetenv("INPUTRC");
    rl_bind_keyseq("\\e\\C-m", insert_newline);
    rl_bind_keyseq("\\C-x\\C-e", ask_for_editor);
    rl_bind_keyseq("\\e?", ask_for_help);
    using_history();
}

// MARK: History

void firn_readline_remember(const char *entry) {
    add_history(entry);
    using_history();
}

void firn_readline_forget(int index) {
    HIST_ENTRY *entry = remove_history(index);
    if (entry != NULL) free_history_entry(entry);
    using_history();
}

void firn_readline_forget_all(void) { clear_history(); }

void firn_readline_limit(int entries) { stifle_history(entries); }
