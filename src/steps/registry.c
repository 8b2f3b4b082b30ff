/* registry: lists of all ops, transforms and formats, from build/registry.inc. The Makefile
 * generates that file from file names. */
#include "steps/registry.h"

#include <string.h>
#include <strings.h>

#define OP(name) extern const struct op name##_op;
#define TRANSFORM(name) extern const struct transform name##_transform;
#define FORMAT(name) extern const struct format name##_format;
#include "registry.inc"
#undef OP
#undef TRANSFORM
#undef FORMAT

#define TRANSFORM(name)
#define FORMAT(name)
#define OP(name) &name##_op,
static const struct op *const own_ops[] = {
#include "registry.inc"
    NULL
};
#undef OP
#undef TRANSFORM

#define OP(name)
#define TRANSFORM(name) &name##_transform,
static const struct transform *const own_transforms[] = {
#include "registry.inc"
    NULL
};
#undef TRANSFORM
#undef FORMAT

#define TRANSFORM(name)
#define FORMAT(name) &name##_format,
const struct format *const registry_formats[] = {
#include "registry.inc"
    NULL
};

const struct op *const *registry_ops = own_ops;
const struct transform *const *registry_transforms = own_transforms;

/* Returns a copy of a list of pointers, ended by NULL, with one more pointer at its end. */
static void *longer(const void *const *list, const void *more)
{
    const void **copy;
    size_t n = 0;

    while (list[n])
        n++;
    copy = memory_take((n + 2) * sizeof *copy);
    memcpy(copy, list, n * sizeof *copy);
    copy[n] = more;
    copy[n + 1] = NULL;
    return copy;
}

/* The old list is not freed: this happens once or twice per process. */
void registry_add_op(const struct op *op)
{
    registry_ops = longer((const void *const *)registry_ops, op);
}

void registry_add_transform(const struct transform *transform)
{
    registry_transforms = longer((const void *const *)registry_transforms, transform);
}

const struct op *registry_op(const char *name)
{
    for (EACH(op, op, registry_ops))
        if (strcmp(op->name, name) == 0)
            return op;
    return NULL;
}

const struct transform *registry_transform(const char *name)
{
    for (EACH(transform, transform, registry_transforms))
        if (strcmp(transform->name, name) == 0)
            return transform;
    return NULL;
}

const struct format *registry_format(struct slice text)
{
    struct glance glance = glance_at(text);
    const struct format *other = NULL;

    for (EACH(format, format, registry_formats)) {
        if (format->suffix || format->ending || format->translate)
            continue;
        if (!format->detect)
            other = format;
        else if (format->detect(&glance))
            return format;
    }
    return other;
}

const struct format *registry_format_translated(struct slice head)
{
    for (EACH(format, format, registry_formats))
        if (format->translate && format->is_source(head))
            return format;
    return NULL;
}

void registry_print_label_suffixes(struct text *out)
{
    const struct format *last = NULL;
    const char *between = "";

    for (EACH(format, format, registry_formats)) {
        if (!format->suffix)
            continue;
        if (last) {
            text_addf(out, "%s%s (%s)", between, last->suffix, last->title);
            between = ", ";
        }
        last = format;
    }
    if (last)
        text_addf(out, "%s%s (%s)", *between ? " or " : "", last->suffix, last->title);
}

const struct format *registry_format_named(const char *path)
{
    size_t length = strlen(path);

    for (EACH(format, format, registry_formats)) {
        size_t n = format->ending ? strlen(format->ending) : 0;

        if (n && length > n && strcasecmp(path + length - n, format->ending) == 0)
            return format;
    }
    return NULL;
}
