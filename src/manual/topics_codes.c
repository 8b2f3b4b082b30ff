/* topics_codes: how a command reports failure: exit codes, and the codes of messages. */
#include "manual/manual.h"

#include <string.h>

static const struct {
    enum exit_code code;
    const char *means;
} exit_codes[] = {
    { EXIT_DONE, "done; everything was written" },
    { EXIT_PARTIAL, "done, but images were skipped (`--on-error skip`), and the rest is valid; or "
                    "there are breaks (`explain --fail-on-break`), findings (`check --fail-on`), "
                    "differences (`diff`), or parts that `stats` could not count or `import` not "
                    "carry over" },
    { EXIT_USAGE, "the command line is wrong" },
    { EXIT_PIPELINE, "the pipeline is wrong" },
    { EXIT_INPUT, "an input is missing, cannot be read, or is wrong" },
    { EXIT_OUTPUT, "the output cannot be written" },
    { EXIT_OCCUPIED, "the output folder is not empty" },
    { EXIT_INTERNAL, "a defect of lockstep; please report it" },
    { EXIT_RESOURCES,
      "not enough memory or processes; or libvips cannot be loaded; or workers cannot be contained "
      "(`--sandbox on`)" },
};

void print_topic_exit_codes(struct page *p)
{
    struct text term = { 0 };

    page_terms(p, strlen("128+N"));
    for (size_t i = 0; i < COUNTOF(exit_codes); i++) {
        text_clear(&term);
        text_addf(&term, "`%d`", exit_codes[i].code);
        page_item(p, text_string(&term), exit_codes[i].means);
    }
    text_clear(&term);
    text_addf(&term, "`%d+N`", EXIT_SIGNAL);
    page_item(p, text_string(&term), "ended by signal N");
    page_paragraph(p, "Codes above 1 mean that the output is not complete. `lockstep help codes` "
                      "lists the codes that messages end with.");
    text_drop(&term);
}

/* Appends "2, 3". */
static void add_exits(unsigned exits, struct text *out)
{
    const char *comma = "";

    for (int e = EXIT_DONE; e <= EXIT_RESOURCES; e++)
        if (exits >> e & 1) {
            text_addf(out, "%s%d", comma, e);
            comma = ", ";
        }
    if (exits >> CODE_SIGNAL)
        text_addf(out, "%s%d+N", comma, EXIT_SIGNAL);
}

void print_topic_codes(struct page *p)
{
    struct text term = { 0 }, text = { 0 };

    page_paragraph(p, "Messages end with a code in brackets, such as [param-range]: it stays the "
                      "same when the words of the message become better. The numbers are the exit "
                      "codes of a command that prints it; 0 is a warning or a note. With "
                      "`--on-error skip`, an image that fails does not end the run: its code "
                      "stands in errors.jsonl, and the exit code is 1. Deviations of annotations "
                      "are errors with `--compat strict` only, see `lockstep help compat`.");
    page_terms(p, strlen("coco-empty-segmentation"));
    for (const struct code *c = codes; c->word; c++) {
        text_clear(&term);
        text_clear(&text);
        text_addf(&term, "`%s`", c->word);
        text_addf(&text, "%s (", c->means);
        add_exits(c->exits, &text);
        text_adds(&text, ")");
        page_item(p, text_string(&term), text_string(&text));
    }
    text_drop(&term);
    text_drop(&text);
}

void manual_code(struct page *p, const struct code *code)
{
    struct text exits = { 0 };

    page_title(p, code->word, code->means);
    text_adds(&exits, "Exit code: ");
    add_exits(code->exits, &exits);
    text_adds(&exits, ". See `lockstep help codes` and `lockstep help exit-codes`.");
    page_paragraph(p, text_string(&exits));
    text_drop(&exits);
}
