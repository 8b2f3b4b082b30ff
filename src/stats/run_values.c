/* run_values: the values that the steps of a run's outputs have. */
#include "stats/run_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits for manifests that no run wrote. */
enum { MAX_STEPS = 400, MAX_VALUES = 64, LONGEST_LIST = 4 };

struct pass {
    struct run_values *to;
    size_t output;
    bool counts; /* the second pass */
};

static struct value_step *step_of(struct run_values *v, const char *type)
{
    struct value_step *step = v->steps.at;

    for (size_t i = 0; i < v->steps.n; i++)
        if (strcmp(step[i].type, type) == 0)
            return &step[i];
    if (v->steps.n == MAX_STEPS)
        return NULL;
    step = pile_add(&v->steps, sizeof *step);
    step->type = arena_copy(&v->arena, type, strlen(type));
    return step;
}

static struct step_value *value_of(struct run_values *v, struct value_step *step, const char *name)
{
    struct step_value *value = step->values.at;

    for (size_t i = 0; i < step->values.n; i++)
        if (strcmp(value[i].name, name) == 0)
            return &value[i];
    if (step->values.n == MAX_VALUES)
        return NULL;
    value = pile_add(&step->values, sizeof *value);
    value->name = arena_copy(&v->arena, name, strlen(name));
    return value;
}

static void take_number(struct step_value *v, double number, bool counts)
{
    double width = v->max - v->min;

    if (counts) {
        v->bins[width > 0 ? (size_t)fmin((number - v->min) / width * VALUE_BINS, VALUE_BINS - 1)
                          : 0]++;
        return;
    }
    v->min = v->n ? fmin(v->min, number) : number;
    v->max = v->n ? fmax(v->max, number) : number;
    v->sum += number;
    v->n++;
}

static void take_word(struct arena *arena, struct step_value *v, const char *word)
{
    size_t i = 0;

    while (i < v->n_words && strcmp(v->words[i].word, word) != 0)
        i++;
    if (i == VALUE_WORDS) {
        v->n_other++;
        return;
    }
    if (i == v->n_words)
        v->words[v->n_words++].word = arena_copy(arena, word, strlen(word));
    v->words[i].n++;
}

/* Takes a value that is not a list or an object. */
static void take_scalar(const struct pass *p, struct value_step *step, const char *name,
                        const struct value *given)
{
    struct step_value *v = given->kind == VALUE_NULL ? NULL : value_of(p->to, step, name);

    if (!v)
        return;
    if (given->kind == VALUE_NUMBER)
        take_number(v, given->number, p->counts);
    else if (!p->counts)
        take_word(&p->to->arena, v,
                  given->kind == VALUE_TEXT ? given->text
                  : given->flag             ? "true"
                                            : "false");
}

static bool is_container(const struct value *v)
{
    return v->kind == VALUE_LIST || v->kind == VALUE_OBJECT;
}

static bool is_short_list_of_numbers(const struct value *v)
{
    if (v->kind != VALUE_LIST || v->n > LONGEST_LIST)
        return false;
    for (size_t i = 0; i < v->n; i++)
        if (v->item[i].kind != VALUE_NUMBER)
            return false;
    return true;
}

static void visit(const struct pass *, const struct value *);

static void visit_member(const struct pass *p, struct value_step *step, const struct value *member)
{
    char name[100];

    /* A key is a random number that seeds noise. */
    if (strcmp(member->name, "type") == 0 || strcmp(member->name, "key") == 0)
        return;
    if (!is_container(member)) {
        take_scalar(p, step, member->name, member);
    } else if (is_short_list_of_numbers(member)) {
        for (size_t i = 0; i < member->n; i++) {
            snprintf(name, sizeof name, "%.60s[%zu]", member->name, i);
            take_scalar(p, step, name, &member->item[i]);
        }
    } else {
        visit(p, member);
    }
}

static void visit_step(const struct pass *p, const struct value *given, const char *type)
{
    struct value_step *step = step_of(p->to, type);

    if (!step)
        return;
    if (!p->counts) {
        step->n++;
        step->outputs += step->last != p->output + 1;
        step->last = p->output + 1;
    }
    for (size_t i = 0; i < given->n; i++)
        visit_member(p, step_of(p->to, type), &given->item[i]);
}

/* Visits all steps inside a value: the inputs of a join have steps of their own. */
static void visit(const struct pass *p, const struct value *given)
{
    const struct value *type = given->kind == VALUE_OBJECT ? value_get(given, "type") : NULL;

    if (type && type->kind == VALUE_TEXT) {
        visit_step(p, given, type->text);
        return;
    }
    for (size_t i = 0; is_container(given) && i < given->n; i++)
        visit(p, &given->item[i]);
}

void run_values_range(struct run_values *v, const struct value *steps, size_t output)
{
    visit(&(struct pass){ v, output, false }, steps);
}

void run_values_count(struct run_values *v, const struct value *steps)
{
    visit(&(struct pass){ v, 0, true }, steps);
}

void run_values_drop(struct run_values *v)
{
    struct value_step *step = v->steps.at;

    for (size_t i = 0; i < v->steps.n; i++)
        free(step[i].values.at);
    free(v->steps.at);
    arena_drop(&v->arena);
}
