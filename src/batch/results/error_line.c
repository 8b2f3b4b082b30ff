/* error_line: prints the line of errors.jsonl for a record that failed. */
#include "batch/results/error_line.h"

#include "base/stderr_line.h"

#include <string.h>

/* Prints the name, or its bytes in hexadecimal if JSON cannot represent it. */
static void print_source(struct text *out, const char *name)
{
    if (text_is_utf8(name)) {
        text_adds(out, "{\"source\": ");
        text_add_json(out, name, strlen(name));
        return;
    }
    text_adds(out, "{\"source\": null, \"source_hex\": \"");
    for (const char *c = name; *c; c++)
        text_addf(out, "%02x", (unsigned char)*c);
    text_addc(out, '"');
}

static const char *outcome_word(enum outcome outcome)
{
    return outcome == OUTCOME_TIMEOUT                                ? "timeout"
           : outcome == OUTCOME_CRASHED || outcome == OUTCOME_MEMORY ? "crashed"
                                                                     : "failed";
}

void error_line_print(const struct job *job, size_t record, const struct report_view *r,
                      struct text *line)
{
    struct slice code = report_code(r->why);
    struct text message = { 0 };

    text_clear(line);
    print_source(line, job->dataset->records[record].name);
    if (job->dataset->format) {
        text_adds(line, ", \"image_id\": ");
        source_print_id(job->dataset, record, job->dataset->records[record].id, line);
    }
    text_addf(line,
              ", \"outcome\": \"%s\", \"code\": \"%.*s\", \"message\": ", outcome_word(r->outcome),
              (int)code.length, code.at);
    text_add_visible(&message, r->why.at, r->why.length);
    text_add_json(line, text_string(&message), message.length);
    text_adds(line, "}\n");
    text_drop(&message);
}
