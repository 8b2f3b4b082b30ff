/* args: arguments of an emitted op as JSON values, which the op's rows read. */
#include "plan/args.h"

static void value_of_list(size_t n, struct value *to, struct arena *arena)
{
    to->kind = VALUE_LIST;
    to->n = n;
    to->item = ARENA_ARRAY(arena, struct value, n);
    for (size_t i = 0; i < n; i++)
        to->item[i] = (struct value){ .kind = VALUE_NUMBER, .parent = to, .index = i };
}

static void value_of_numbers(const double *v, size_t n, struct value *to, struct arena *arena)
{
    value_of_list(n, to, arena);
    for (size_t i = 0; i < n; i++)
        to->item[i].number = v[i];
}

static void value_of_points(const struct point *p, size_t n, struct value *to, struct arena *arena)
{
    value_of_list(n, to, arena);
    for (size_t i = 0; i < n; i++)
        value_of_numbers((double[]){ p[i].x, p[i].y }, 2, &to->item[i], arena);
}

static void value_of_rects(const struct rects *r, struct value *to, struct arena *arena)
{
    value_of_list(r->n, to, arena);
    for (size_t i = 0; i < r->n; i++) {
        const struct rect *at = &r->at[i];

        value_of_numbers((double[]){ at->y, at->x, at->h, at->w }, 4, &to->item[i], arena);
    }
}

static struct value *value_of_arg(const struct arg *arg, struct value *to, struct arena *arena)
{
    to->name = arg->name;
    switch (arg->kind) {
    case ARG_NUMBER:
        to->kind = VALUE_NUMBER;
        to->number = arg->number;
        break;
    case ARG_FLAG:
        to->kind = VALUE_FLAG;
        to->flag = arg->number != 0;
        break;
    case ARG_WORD:
        to->kind = VALUE_TEXT;
        to->text = arg->word;
        break;
    case ARG_WORDS:
        value_of_list(arg->n, to, arena);
        for (size_t i = 0; i < arg->n; i++) {
            to->item[i].kind = VALUE_TEXT;
            to->item[i].text = arg->words[i];
        }
        break;
    case ARG_NUMBERS:
        value_of_numbers(arg->numbers, arg->n, to, arena);
        break;
    case ARG_POINTS:
        value_of_points(arg->points, arg->n, to, arena);
        break;
    case ARG_RECTS:
        value_of_rects(arg->rects, to, arena);
        break;
    case ARG_TUPLES:
        value_of_list(arg->n, to, arena);
        for (size_t i = 0; i < arg->n; i++)
            value_of_numbers(arg->numbers + i * arg->width, arg->width, &to->item[i], arena);
        break;
    case ARG_NULL:
        to->kind = VALUE_NULL;
        break;
    }
    return to;
}

struct value *args_object(const struct arg *args, struct arena *arena)
{
    struct value *object;
    size_t n = 0;

    while (args[n].name)
        n++;
    object = value_object(arena, n);
    for (size_t i = 0; i < n; i++)
        value_of_arg(&args[i], &object->item[i], arena)->parent = object;
    return object;
}
