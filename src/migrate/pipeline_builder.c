/* pipeline_builder: builds steps for an importer whose files do not list them. */
#include "migrate/pipeline_builder.h"

struct value *build_list(struct value *to, struct arena *arena)
{
    to->kind = VALUE_LIST;
    to->item = ARENA_ARRAY(arena, struct value, BUILD_STEPS);
    return to;
}

static void start_object(struct value *to, const char *type, struct arena *arena)
{
    to->kind = VALUE_OBJECT;
    to->item = ARENA_ARRAY(arena, struct value, BUILD_KEYS);
    build_key(to, "type", VALUE_TEXT)->text = type;
}

struct value *build_step(struct value *list, const char *type, const struct value *at,
                         struct arena *arena)
{
    struct value *step = &list->item[list->n];

    *step = (struct value){ .index = list->n, .at = at->at };
    list->n++;
    start_object(step, type, arena);
    return step;
}

struct value *build_key(struct value *step, const char *name, enum value_kind kind)
{
    struct value *v = &step->item[step->n++];

    *v = (struct value){ .kind = kind, .name = name, .text = "", .at = step->at };
    return v;
}

struct value *build_inner(struct value *step, const char *name, const char *type,
                          struct arena *arena)
{
    struct value *inner = build_key(step, name, VALUE_OBJECT);

    start_object(inner, type, arena);
    return inner;
}

void build_number(struct value *step, const char *name, double number)
{
    build_key(step, name, VALUE_NUMBER)->number = number;
}

void build_item(struct value *list, double number)
{
    list->item[list->n] =
        (struct value){ .kind = VALUE_NUMBER, .number = number, .index = list->n, .at = list->at };
    list->n++;
}
