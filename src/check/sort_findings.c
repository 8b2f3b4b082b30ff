/* sort_findings: sets the order, places and fingerprints of findings when all are there. */
#include "check/check.h"

#include "base/hash.h"
#include "base/id_index.h"
#include "base/number.h"
#include "check/baseline.h"

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

/* Joins equal findings: both run and a family refused the element. */
static void drop_repeated(struct check *c)
{
    struct finding *f = c->findings.at;
    size_t n = 0;

    for (size_t i = 0; i < c->findings.n; i++)
        if (!n || by_place(&f[n - 1], &f[i]) != 0)
            f[n++] = f[i];
        else
            check_setting(c, f[i].rule)->found--;
    c->findings.n = n;
}

/* Counts lines once, from the start of a file to its last finding. */
static void set_places(struct check *c)
{
    struct finding *f = c->findings.at;
    size_t file = SIZE_MAX, start = 0, at = 0, begin = 0, line = 1;

    for (size_t i = 0; i < c->findings.n; i++, f++) {
        const char *text = c->files[f->file].text.at, *end;
        size_t own = (size_t)(f->offset - finding_offset(c, f));

        if (f->file != file || own != start) {
            file = f->file;
            start = at = begin = own;
            line = finding_first_line(c, f);
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

/* Appends the numbers and words of a value, regardless of whitespace and digits. */
static void add_value(struct text *to, struct slice value)
{
    for (size_t i = 0; i < value.length;) {
        double number;
        size_t length = number_scan((struct slice){ value.at + i, value.length - i }, &number);

        if (length) {
            number += 0.0; /* -0 is 0 */
            text_add(to, &number, sizeof number);
            i += length;
        } else {
            if (!strchr(" \t\r\n,", value.at[i]))
                text_addc(to, value.at[i]);
            i++;
        }
    }
}

static void hash_word(struct hash *h, const char *word)
{
    hash_part(h, word ? word : "", word ? strlen(word) : 0);
}

static void add_members(struct text *to, struct slice element)
{
    static const char *const members[] = { "bbox", "segmentation", "keypoints", "caption" };

    for (size_t i = 0; i < COUNTOF(members); i++) {
        struct slice value = pick_again(element, members[i]);

        text_adds(to, members[i]);
        if (value.at != element.at)
            add_value(to, value);
    }
}

/* Hashes what an annotation shows, and its category; not its ids. */
static uint64_t hash_annotation(const struct annotation_file *file, size_t index,
                                struct text *words)
{
    const struct checked_annotation *a = &file->annotations[index];
    struct slice element = { file->text.at + a->offset, a->length };
    struct hash h;

    text_clear(words);
    if (a->broken || file->labels)
        add_value(words, element);
    else
        add_members(words, element);
    hash_start(&h);
    hash_part(&h, words->at, words->length);
    hash_word(&h, a->category == NOT_THERE ? NULL : file->categories[a->category].name);
    return hash_u64(&h);
}

/* Findings of an annotation are adjacent, so that it is hashed once. */
struct annotation_hash {
    const struct check *check;
    struct text words;
    uint32_t file, index;
    uint64_t key; /* key of that annotation */
    bool known;
};

static uint64_t annotation_key(struct annotation_hash *x, const struct finding *f)
{
    if (!x->known || x->file != f->file || x->index != f->index)
        x->key = hash_annotation(finding_file(x->check, f), f->index, &x->words);
    x->known = true;
    x->file = f->file;
    x->index = f->index;
    return x->key;
}

static uint64_t hash_finding(struct annotation_hash *x, const struct finding *f)
{
    const struct annotation_file *file = finding_file(x->check, f);
    const struct checked_image *image = finding_image(x->check, f);
    struct hash h;

    hash_start(&h);
    hash_word(&h, f->rule->id);
    hash_word(&h, f->member);
    hash_word(&h, image ? image->name : NULL);
    if (f->list == LIST_ANNOTATIONS && f->index < file->n_annotations)
        hash_part_u64(&h, annotation_key(x, f));
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

/* Equal fingerprints are distinguished by their order. */
static void set_fingerprints(struct check *c)
{
    struct finding *findings = c->findings.at;
    size_t n = c->findings.n, first = 0;
    struct id *keys = memory_take((n + 1) * sizeof *keys);
    struct annotation_hash hashing = { .check = c };

    for (size_t i = 0; i < n; i++)
        keys[i] = (struct id){ (int64_t)hash_finding(&hashing, &findings[i]), (uint32_t)i };
    text_drop(&hashing.words);
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
    drop_repeated(c);
    set_places(c);
    set_fingerprints(c);
    if (c->options->baseline)
        baseline_hide(c->options->baseline, c);
    f = c->findings.at;
    for (size_t i = 0; i < c->findings.n; i++)
        c->counts[f[i].severity] += !f[i].hidden;
}
