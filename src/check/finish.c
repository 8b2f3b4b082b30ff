/* finish: what is known of findings when all are there: their order, places and fingerprints. */
#include "check.h"

#include "../base/hash.h"
#include "../base/ids.h"
#include "../base/number.h"
#include "baseline.h"

#include <stdlib.h>
#include <string.h>

static int compare_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int by_place(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;
    int order;

    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    order = strcmp(x->rule->id, y->rule->id);
    if (!order)
        order = compare_text(x->member, y->member);
    return order ? order : strcmp(x->message, y->message);
}

/* Lines are counted once from the begin of a file to its last finding. */
static void set_places(struct check *c)
{
    struct finding *f = c->findings.at;
    size_t file = SIZE_MAX, at = 0, begin = 0, line = 1;

    for (size_t i = 0; i < c->findings.n; i++, f++) {
        const char *text = c->files[f->file].text.at, *end;

        if (f->file != file) {
            file = f->file;
            at = begin = 0;
            line = 1;
        }
        while ((end = memchr(text + at, '\n', (size_t)f->offset - at))) {
            at = begin = (size_t)(end - text) + 1;
            line++;
        }
        at = (size_t)f->offset;
        f->line = line;
        f->column = f->offset - begin + 1;
    }
}

/* --- fingerprints --- */

/* The numbers and words of a value, whatever its blanks and digits. */
static void hash_value(struct hash *h, struct slice value)
{
    for (size_t i = 0; i < value.length;) {
        double number;
        size_t length = number_scan((struct slice){ value.at + i, value.length - i }, &number);

        if (length) {
            number += 0.0; /* -0 is 0 */
            hash_part(h, &number, sizeof number);
            i += length;
        } else {
            if (!strchr(" \t\r\n,", value.at[i]))
                hash_part(h, &value.at[i], 1);
            i++;
        }
    }
}

static void hash_word(struct hash *h, const char *word)
{
    hash_part(h, word ? word : "", word ? strlen(word) : 0);
}

/* What an annotation shows, and of what; no ids. */
static void hash_annotation(struct hash *h, const struct annotation_file *file, size_t index)
{
    static const char *const members[] = { "bbox", "segmentation", "keypoints", "caption" };
    const struct checked_annotation *a = &file->annotations[index];
    struct slice element = { file->text.at + a->offset, a->length };

    if (a->broken) {
        hash_value(h, element);
        return;
    }
    hash_word(h, a->category == NOT_THERE ? NULL : file->categories[a->category].name);
    for (size_t i = 0; i < COUNTOF(members); i++) {
        struct slice value = pick_again(element, members[i]);

        hash_word(h, members[i]);
        if (value.at != element.at)
            hash_value(h, value);
    }
}

static uint64_t hash_finding(const struct check *c, const struct finding *f)
{
    const struct annotation_file *file = finding_file(c, f);
    const struct checked_image *image = finding_image(c, f);
    struct hash h;

    hash_start(&h);
    hash_word(&h, f->rule->id);
    hash_word(&h, f->member);
    hash_word(&h, image ? image->name : NULL);
    if (f->list == LIST_ANNOTATIONS && f->index < file->n_annotations)
        hash_annotation(&h, file, f->index);
    else if (f->list == LIST_CATEGORIES && f->index < file->n_categories)
        hash_word(&h, file->categories[f->index].name);
    return hash_u64(&h);
}

static void set_fingerprint(struct finding *f, uint64_t key, uint64_t ordinal)
{
    uint64_t half[2] = { key };
    struct hash h;

    hash_start(&h);
    hash_part_u64(&h, key);
    hash_part_u64(&h, ordinal);
    half[1] = hash_u64(&h);
    for (size_t i = 0; i < sizeof f->fingerprint; i++)
        f->fingerprint[i] = (uint8_t)(half[i / 8] >> 8 * (i % 8));
}

/* Equal ones are told apart by their order. */
static void set_fingerprints(struct check *c)
{
    struct finding *findings = c->findings.at;
    size_t n = c->findings.n, first = 0;
    struct id *keys = memory_take((n + 1) * sizeof *keys);

    for (size_t i = 0; i < n; i++)
        keys[i] = (struct id){ (int64_t)hash_finding(c, &findings[i]), (uint32_t)i };
    ids_sort(keys, n);
    for (size_t i = 0; i < n; i++) {
        if (keys[i].id != keys[first].id)
            first = i;
        set_fingerprint(&findings[keys[i].index], (uint64_t)keys[i].id, i - first);
    }
    free(keys);
}

void check_finish(struct check *c)
{
    const struct finding *f;

    if (c->findings.n)
        qsort(c->findings.at, c->findings.n, sizeof(struct finding), by_place);
    set_places(c);
    set_fingerprints(c);
    if (c->options->baseline)
        baseline_hide(c->options->baseline, c);
    f = c->findings.at;
    for (size_t i = 0; i < c->findings.n; i++)
        c->counts[f[i].severity] += !f[i].hidden;
}
