#include "CPlatform.h"

// Swift writes a record for every type of an image:
//
//     section   32-bit offsets from themselves to context descriptors; the two lowest bits are 0
//               for a descriptor of this image
//     context   word 0: flags (lowest five bits: kind, 16 is a class; bit 7: generic)
//               word 3: the offset from itself to the function that returns the metadata
//
// The layout is part of the stable ABI of Swift (docs/ABI/TypeMetadata.rst).

enum { kind_mask = 0x1f, kind_class = 16, is_generic = 0x80 };

typedef struct {
    const void *metadata;
    size_t state;
} response;

typedef __attribute__((swiftcall)) response (*accessor)(size_t request);

#if defined(__linux__)
extern const char start_of_types[] __asm__("__start_swift5_type_metadata") __attribute__((weak, visibility("hidden")));
extern const char end_of_types[] __asm__("__stop_swift5_type_metadata") __attribute__((weak, visibility("hidden")));

static void find_types(const char **start, const char **end) {
    *start = start_of_types;
    *end = end_of_types;
}
#elif defined(__APPLE__)
#include <mach-o/getsect.h>
#include <mach-o/ldsyms.h>

static void find_types(const char **start, const char **end) {
    unsigned long size = 0;
    const uint8_t *section = getsectiondata(
        (const struct mach_header_64 *)&_mh_execute_header, "__TEXT", "__swift5_types", &size);
    *start = (const char *)section;
    *end = (const char *)section + size;
}
#endif

size_t firn_type_count(void) {
    const char *start, *end;
    find_types(&start, &end);
    return start == NULL ? 0 : (size_t)(end - start) / sizeof(int32_t);
}

const void *firn_class_metadata(size_t index) {
    const char *start, *end;
    find_types(&start, &end);
    if (start == NULL || index >= firn_type_count()) return NULL;
    const char *record = start + index * sizeof(int32_t);
    int32_t offset = *(const int32_t *)record;
    if (offset == 0 || (offset & 3) != 0) return NULL;
    const char *context = record + offset;
    uint32_t flags = *(const uint32_t *)context;
    if ((flags & kind_mask) != kind_class || (flags & is_generic) != 0) return NULL;
    const char *field = context + 3 * sizeof(int32_t);
    int32_t distance = *(const int32_t *)field;
    if (distance == 0) return NULL;
    accessor function = (accessor)(uintptr_t)(field + distance);
    return function(0).metadata;
}
