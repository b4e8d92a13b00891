#include "CPlatform.h"

static int argument_count;
static char **argument_values;

// The C library passes the arguments of main to constructors as well. Swift's runtime would look for
// them in /proc/self/maps, and find none if the process has no free descriptor or may not read it.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
    argument_count = count;
    argument_values = values;
}

int firn_argument_count(void) { return argument_count; }

const char *firn_argument(int index) {
    return index >= 0 && index < argument_count ? argument_values[index] : NULL;
}
