/* manual: the tables in words: pages for a terminal and for man, JSON Schema, JSON for scripts.
 *
 * One walk, two inks: what is said is said once, on a page of plain text or of roff. Nothing about
 * a particular transform, op or option stands here; it stands in their rows. */
#pragma once

#include "base/codes.h"
#include "plan/plan.h"

/* --- pages --- */

/* How things look. Texts may name a `literal` in backticks; terms also a <METAVAR>. */
struct page;
struct formatter {
    void (*title)(struct page *, const char *name, const char *summary);
    void (*heading)(struct page *, const char *text);
    void (*paragraph)(struct page *, const char *text);
    void (*item)(struct page *, const char *term, const char *text);
    void (*more)(struct page *, const char *term, const char *text); /* of an item; term or NULL */
    void (*code)(struct page *, const char *lines);
};

enum page_part { PAGE_START, PAGE_HEADING, PAGE_PARAGRAPH, PAGE_ITEM, PAGE_CODE };

struct page {
    const struct formatter *formatter;
    struct text out;
    enum page_part last; /* what was put on it */
    int width;           /* plain text: of lines */
    int indent, column;  /* plain text: where paragraphs begin, and the texts of items */
    bool styled;         /* plain text: terms and headings are bold */
};

/* Plain text, as wide as $COLUMNS says (80 without), and roff for man(1). page_drop ends them. */
struct page page_text(void);
struct page page_roff(void);
void page_drop(struct page *);

void page_title(struct page *, const char *name, const char *summary);
void page_heading(struct page *, const char *text);
void page_paragraph(struct page *, const char *text); /* several, where blank lines part them */
void page_item(struct page *, const char *term, const char *text);
void page_more(struct page *, const char *term, const char *text);
void page_code(struct page *, const char *lines);
/* Let the texts of the following items begin behind terms of this length. */
void page_terms(struct page *, size_t longest);

/* --- everything that has a name --- */

struct entry {
    const char *kind; /* "transform", "op", "format", "section" */
    const char *name, *summary;
    enum group group; /* GROUP_NONE, ORIGIN_NONE, NULL: neither transform nor op */
    enum origin origin;
    const char *differs;               /* from its origin, in a line; or NULL */
    const char *example;               /* a step, as JSON, or NULL */
    const struct row *rows;            /* or NULL */
    const struct transform *transform; /* or NULL */
    const struct op *op;               /* or NULL */
    size_t index;
};

/* The i-th of all; its name is NULL behind the last. */
struct entry entry_at(size_t i);
/* for (ENTRIES(e)): each entry in turn: transforms, ops, formats, sections of a pipeline. */
#define ENTRIES(e)                                                                                 \
    struct entry e = entry_at(0);                                                                  \
    e.name;                                                                                        \
    e = entry_at(e.index + 1)
/* False when nothing has this name. */
bool entry_find(const char *name, struct entry *);
/* What to say behind "nothing has this name": how another library's name is written here, the
 * nearest names, or names that contain the word; begins with "; " or " (", or is "". In the arena.
 */
const char *entry_advice(const char *name, struct arena *);
/* What entries may be asked for by: "transforms", "ops", "formats", and the groups of steps
 * ("geometry", ...). The i-th such word, or NULL behind the last. */
const char *entry_class(size_t i);
/* Is it of one of the kinds, and of one of the groups, among these words (ended by NULL; of each
 * none: of any)? */
bool entry_is_of(const struct entry *, const char *const *classes);
const char *group_name(enum group);
/* "Albumentations"; "lockstep" for what is its own; and as a letter: T, A, Y or -. */
const char *origin_name(enum origin);
char origin_letter(enum origin);
/* "From Albumentations. It differs: ..."; nothing for what is no step. */
void entry_print_origin(const struct entry *, struct text *);
/* Four letters for what an op or transform does: M moves, R recolours, H hides, L acts on labels;
 * "****" when that depends on the steps it is given. */
void entry_letters(const struct entry *, char letters[5]);
/* What the letters mean, in a line. */
void effects_print_legend(struct text *);
/* What it does to targets in sentences, and which ops it emits; nothing when there is nothing. */
void entry_print_targets(const struct entry *, struct text *);
void entry_print_emits(const struct entry *, struct text *);
/* The shortcuts of mode fast that may concern a step: bits, see plan/fast_bounds.h. */
unsigned entry_shortcuts(const struct entry *);
/* Is it a section that is a key of the pipeline: annotations, output? */
bool entry_is_part(const struct entry *);
/* Can it be a step: a transform or an op? */
bool entry_is_step(const struct entry *);

/* The entries of some classes (see entry_is_of), under headings. */
void manual_list(struct page *, const char *const *classes);
/* The same for other programs: a line each, without headings, its columns set apart by two spaces
 * at least: name, effects, "transform" or "op" or "format", group, origin, summary. */
void manual_list_lines(struct text *, const char *const *classes);
/* Those that differ from their origin, and how. */
void manual_list_differences(struct page *, const char *const *classes);
/* A line for each name of a library (its word in any case): the name, how it is written here
 * ("same", "other": as another step; "loader": left to the loader; "none": not), that step, a
 * remark. False when there is no such library. */
bool manual_list_origin(struct text *, const char *library);
/* The i-th library, or NULL behind the last. */
const char *library_name(size_t i);
/* How many names of each library are written how, as a table. */
void manual_coverage(struct page *);
/* All about one, for `describe`. */
void manual_describe(struct page *, const struct entry *);
/* The same for a reference of many: without what all have in common. */
void manual_refer(struct page *, const struct entry *);
/* A set of shortcuts as items, with their bounds. */
void manual_shortcuts(struct page *, unsigned set);
/* The keys that every step takes. */
void manual_common_keys(struct page *);
/* A table of rows as items. */
void manual_rows(struct page *, const struct row *);

/* --- topics: what is not in a table --- */

struct topic {
    const char *name, *summary;
    void (*print)(struct page *);
};

extern const struct topic topics[]; /* by name, ended by a NULL name */
const struct topic *topic_get(const char *name);
/* Of topics_*.c. */
void print_topic_tars(struct page *);
void print_topic_plugins(struct page *);
void print_topic_coco(struct page *);
/* The part of print_topic_coco about files of labels. */
void print_labels(struct page *);
void print_topic_compat(struct page *);
void print_topic_codes(struct page *);
void print_topic_questions(struct page *);
void print_topic_reports(struct page *);
void print_topic_rules(struct page *);
void print_topic_exit_codes(struct page *);
/* All about one code. */
void manual_code(struct page *, const struct code *);

/* --- for programs --- */

/* A JSON object about an entry: name, kind, summary, parameters, ... */
void manual_json(const struct entry *, struct text *);
/* The JSON Schema (draft 2020-12) of a pipeline file. */
void manual_schema(struct text *);
/* Lay out JSON that is known to be good, over lines of up to `width` bytes where that is possible.
 */
void json_lay_out(const char *json, int width, struct text *);
