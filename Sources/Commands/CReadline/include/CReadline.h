#ifndef FIRN_CREADLINE_H
#define FIRN_CREADLINE_H

// GNU readline behind a few functions: every global of the library and the handlers of the signals
// that an editor of lines needs live here. One thread uses it, apart from the handlers.

#include <stddef.h>

// The result of one step of reading.
enum firn_readline_step {
    FIRN_READLINE_MORE,    // the line is not complete
    FIRN_READLINE_LINE,    // firn_readline_take has it
    FIRN_READLINE_END,     // the end of the input, or Ctrl-D on an empty line
    FIRN_READLINE_EDITOR,  // Ctrl-X Ctrl-E: the line is to be changed in an editor
    FIRN_READLINE_HELP,    // Alt-?: help is asked for the word under the cursor
};

// Fills the list of candidates with firn_readline_add for the word that ends at the cursor.
typedef void (*firn_readline_completer)(void *context, const char *line, size_t cursor);

// Prints the candidates with the numbers given, above the line.
typedef void (*firn_readline_lister)(void *context, const size_t *numbers, size_t count);

// Sets readline up for this process, once; it writes to standard error.
void firn_readline_start(
    firn_readline_completer completer, firn_readline_lister lister, void *context);

// Shows the prompt and makes the terminal ready for editing.
void firn_readline_begin(const char *prompt);
// Takes what was typed; to be called when standard input is readable.
enum firn_readline_step firn_readline_step(void);
// The line that was read, to be given back with firn_readline_free; NULL if there is none.
char *firn_readline_take(void);
void firn_readline_free(char *line);
// Gives the terminal back as it was.
void firn_readline_finish(void);
// Forgets what was typed, with a new line on the screen, and gives the terminal back.
void firn_readline_cancel(void);

// The half-typed line, and the cursor in it in bytes.
const char *firn_readline_buffer(void);
size_t firn_readline_cursor(void);
// Puts another text in its place, with the cursor at its end; one undo takes it back.
void firn_readline_replace(const char *text);

// Takes prompt and half-typed line off the screen, so that something can be printed there.
void firn_readline_hide(void);
// Shows them again.
void firn_readline_show(void);
// The terminal is given to another program and taken back.
void firn_readline_suspend(void);
void firn_readline_resume(void);

// One candidate; text is what stands in place of the bytes from start to the cursor.
// append is a character put behind the only candidate, or 0.
void firn_readline_add(size_t start, const char *text, char append);

// The list that arrow up walks through.
void firn_readline_remember(const char *entry);
// Forgets one entry; the oldest is 0.
void firn_readline_forget(int index);
void firn_readline_forget_all(void);
void firn_readline_limit(int entries);

// Signals that concern the screen while a line is edited: it became another size, the process is
// to stop, or goes on. The descriptor becomes readable with the first of them.
int firn_readline_signals_descriptor(void);
int firn_readline_signals_install(void);
void firn_readline_signals_remove(void);
// Does what the signals that came ask for: redraws, or stops the process and redraws afterwards.
void firn_readline_signals_obey(void);

#endif
