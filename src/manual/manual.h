/* manual: prints the tables: pages for a terminal and for man, JSON Schema, JSON for scripts.
 *  *
 *  * The same code writes to pages of plain text and of roff, so that each text exists once. Facts
 *  * about a particular transform, op or option are in its rows, not here. */
#pragma once

#include "base/codes.h"
#include "plan/plan.h"

/* --- pages --- */

/* The functions of a page. Texts may contain a `literal` in backticks; terms also a <METAVAR>. */
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
    enum page_part last; /* the last part on the page */
    int width;           /* plain text: width of lines */
    int indent, column;  /* plain text: columns of paragraphs, and of the texts of items */
    bool styled;         /* plain text: terms and headings are bold */
};

/* Return a page of plain text, as wide as $COLUMNS says (else 80), and a page of roff for man(1).
 * page_drop ends them. */
struct page page_text(void);
struct page page_roff(void);
void page_drop(struct page *);

void page_title(struct page *, const char *name, const char *summary);
void page_heading(struct page *, const char *text);
void page_paragraph(
    struct page *, const char *text); /* Prints paragraphs, separated by blank lines in the text. */
void page_item(struct page *, const char *term, const char *text);
void page_more(struct page *, const char *term, const char *text);
void page_code(struct page *, const char *lines);
/* Places the texts of the following items after terms of this length. */
void page_terms(struct page *, size_t longest);

/* --- entries: everything with a name --- */

struct entry {
    const char *kind; /* "transform", "op", "format", "section" */
    const char *name, *summary;
    enum group group; /* GROUP_NONE, ORIGIN_NONE, NULL: neither a transform nor an op */
    enum origin origin;
    const char *differs;               /* difference from its origin, in a line; or NULL */
    const char *example;               /* a step as JSON, or NULL */
    const struct row *rows;            /* or NULL */
    const struct transform *transform; /* or NULL */
    const struct op *op;               /* or NULL */
    size_t index;
};

/* Returns the i-th entry; its name is NULL after the last. */
struct entry entry_at(size_t i);
/* Loop over all entries: transforms, ops, formats, sections of a pipeline. */
#define ENTRIES(e)                                                                                 \
    struct entry e = entry_at(0);                                                                  \
    e.name;                                                                                        \
    e = entry_at(e.index + 1)
/* Finds an entry by name; false if there is none. */
bool entry_find(const char *name, struct entry *);
/* Returns advice to append to "nothing has this name": how lockstep writes another library's name,
 * the nearest names, or names that contain the word. The advice begins with "; " or " (", or is "".
 * It is in the arena. */
const char *entry_advice(const char *name, struct arena *);
/* Returns the i-th word for a class of entries, or NULL after the last: "transforms", "ops",
 * "formats", and the groups of steps ("geometry", ...). */
const char *entry_class(size_t i);
/* True if the entry belongs to one of the kinds and one of the groups among the classes (ended by
 * NULL). Without a kind any kind matches, without a group any group. */
bool entry_is_of(const struct entry *, const char *const *classes);
const char *group_name(enum group);
/* Returns "Albumentations", or "lockstep" for its own; as a letter, T, A, Y or -. */
const char *origin_name(enum origin);
char origin_letter(enum origin);
/* Appends "From Albumentations. It differs: ..."; nothing for entries that are not steps. */
void entry_print_origin(const struct entry *, struct text *);
/* Gets four letters for the effects of an op or transform: M moves, R recolors, H hides, L acts on
 * labels. They are "****" if the effects depend on the steps inside. */
void entry_letters(const struct entry *, char letters[5]);
/* Appends the meaning of the letters in one line. */
void effects_print_legend(struct text *);
/* Appends sentences about its effects on targets, and the ops that it emits; nothing if there are
 * none. */
void entry_print_targets(const struct entry *, struct text *);
void entry_print_emits(const struct entry *, struct text *);
/* Returns the shortcuts of mode fast that may concern a step, as bits; see plan/fast_bounds.h. */
unsigned entry_shortcuts(const struct entry *);
/* True if the entry is a section that is a key of the pipeline: annotations, output. */
bool entry_is_part(const struct entry *);
/* True if the entry can be a step: a transform or an op. */
bool entry_is_step(const struct entry *);

/* Prints the entries of some classes (see entry_is_of), under headings. */
void manual_list(struct page *, const char *const *classes);
/* Prints the same for other programs: one line per entry, without headings, columns separated by at
 * least two spaces. The columns are name, effects, "transform" or "op" or "format", group, origin,
 * summary. */
void manual_list_lines(struct text *, const char *const *classes);
/* Prints the entries that differ from their origin, and the differences. */
void manual_list_differences(struct page *, const char *const *classes);
/* Prints a line for each name of a library (its word in any case): the name, how it is written
 * here, that step, a remark. The second column is "same", "other" (another step), "loader" (left to
 * the loader) or "none". Returns false if there is no such library. */
bool manual_list_origin(struct text *, const char *library);
/* Returns the name of the i-th library, or NULL after the last. */
const char *library_name(size_t i);
/* Prints a table of how many names of each library are written in which way. */
void manual_coverage(struct page *);
/* Prints everything about an entry, for `describe`. */
void manual_describe(struct page *, const struct entry *);
/* Prints an entry for a reference with many: without the parts that all have in common. */
void manual_refer(struct page *, const struct entry *);
/* Prints a set of shortcuts as items, with their bounds. */
void manual_shortcuts(struct page *, unsigned set);
/* Prints the keys of all steps. */
void manual_common_keys(struct page *);
/* Prints a table of rows as items. */
void manual_rows(struct page *, const struct row *);

/* --- topics: pages of prose --- */

/* A page of man/topics/NAME.txt. Its first line is the summary, and the rest is the text:
 *
 *     # Heading
 *     A paragraph.                  Its lines are joined, as an item's are; a blank line ends it.
 *     - `term`: the text of an item
 *         an example                With four spaces, outside of an item.
 *     @name                         A part that topics.c makes from a table. */
struct topic {
    const char *name, *summary;
    const char *const *lines; /* ended by NULL */
};

extern const struct topic topics[]; /* by name, ended by a NULL name */
/* Returns NULL if there is no such topic. */
const struct topic *topic_get(const char *name);
/* Prints the text of a topic, without a title. */
void topic_print(struct page *, const struct topic *);

/* Parts of topics that come from tables. */
void print_codes(struct page *);
void print_deviations_kept(struct page *);
void print_deviations_repaired(struct page *);
void print_keypoint_layouts(struct page *);
void print_optimize_modes(struct page *);
void print_reports(struct page *);
void print_rules(struct page *);
void print_shortcuts(struct page *);
/* Prints everything about a code. */
void manual_code(struct page *, const struct code *);

/* --- for programs --- */

/* Prints a JSON object about an entry: name, kind, summary, parameters, ... */
void manual_json(const struct entry *, struct text *);
/* Prints the JSON Schema (draft 2020-12) of a pipeline file. */
void manual_schema(struct text *);
/* Lays out valid JSON on lines of up to `width` bytes, if possible. */
void json_lay_out(const char *json, int width, struct text *);
