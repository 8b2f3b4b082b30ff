/* status_print: prints the status of an output folder, as text and as JSON. */
#include "batch/finished/status.h"
#include "batch/results/shard_state.h"

#include "base/hash.h"

#include <string.h>
#include <time.h>

static const char *const words[] = {
    [STATUS_EMPTY] = "empty",     [STATUS_FINISHED] = "finished",
    [STATUS_RUNNING] = "running", [STATUS_UNFINISHED] = "unfinished",
    [STATUS_DAMAGED] = "damaged", [STATUS_FOREIGN] = "foreign",
};

/* Prints a time in UTC, in the format of ISO 8601. */
static void add_time(int64_t seconds, struct text *out)
{
    time_t when = (time_t)seconds;
    struct tm tm;
    char line[40];

    if (gmtime_r(&when, &tm) && strftime(line, sizeof line, "%Y-%m-%dT%H:%M:%SZ", &tm))
        text_adds(out, line);
}

/* --- JSON --- */

static void add_number(const char *name, int64_t n, struct text *out)
{
    text_addf(out, ", \"%s\": ", name);
    if (n < 0)
        text_adds(out, "null");
    else
        text_add_integer(out, n);
}

static void add_moment(const char *name, int64_t seconds, struct text *out)
{
    text_addf(out, ", \"%s\": ", name);
    if (seconds < 0) {
        text_adds(out, "null");
        return;
    }
    text_addc(out, '"');
    add_time(seconds, out);
    text_addc(out, '"');
}

static void print_json(const struct status *s, const char *path, struct text *out)
{
    text_adds(out, "{\"folder\": ");
    text_add_json(out, path, strlen(path));
    text_addf(out, ", \"state\": \"%s\", \"overwrites\": %s, \"swaps\": %s", words[s->state],
              s->overwrites ? "true" : "false", s->swaps ? "true" : "false");
    add_number("images", s->records, out);
    add_number("done", s->done, out);
    add_number("failed", s->failed, out);
    add_number("left", s->left, out);
    add_number("outputs", s->outputs, out);
    add_number("shards", s->shards, out);
    add_number("shards_done", s->shards < 0 ? -1 : s->shards_done, out);
    add_number("shards_running", s->shards < 0 ? -1 : s->shards_running, out);
    add_number("exit", s->exit, out);
    add_number("starts", s->starts, out);
    add_moment("began", s->began, out);
    add_moment("active", s->active, out);
    text_adds(out, ", \"lockstep\": ");
    if (s->version)
        text_add_json(out, s->version, strlen(s->version));
    else
        text_adds(out, "null");
    text_adds(out, ", \"key\": ");
    text_add(out, s->key.length ? s->key.at : "null", s->key.length ? s->key.length : 4);
    text_adds(out, "}\n");
}

/* --- text --- */

static const char *advice(const struct status *s)
{
    if (s->shards >= 0 && s->state != STATUS_DAMAGED)
        return s->shards_done == s->shards ? "all shards are done; put them together with merge"
               : s->state == STATUS_RUNNING
                   ? "shards are writing to it"
                   : "unfinished shards; go on with each with --shard and --resume";
    switch (s->state) {
    case STATUS_UNFINISHED:
        if (s->swaps)
            return "the new result is complete, but not yet all in the place of the former one; "
                   "--resume puts it there";
        return s->overwrites ? "unfinished, and the former result is still there; go on with "
                               "--resume, or start over with --overwrite"
                             : "unfinished; go on with --resume, or start over with --overwrite";
    case STATUS_FINISHED:
        return s->exit == EXIT_PARTIAL ? "finished, without the images that failed" : "finished";
    case STATUS_RUNNING:
        return "a run is writing to it";
    default:
        return words[s->state];
    }
}

static void add_row(const char *name, int64_t n, struct text *out)
{
    if (n >= 0)
        text_addf(out, "%-10s %lld\n", name, (long long)n);
}

static void print_words(const struct status *s, const char *path, struct text *out)
{
    text_add_visible(out, path, strlen(path));
    text_addf(out, ": %s\n", advice(s));
    add_row("images", s->records, out);
    add_row("done", s->done, out);
    add_row("failed", s->failed, out);
    if (s->state != STATUS_FINISHED)
        add_row("left", s->left, out);
    add_row("outputs", s->outputs, out);
    add_row("shards", s->shards, out);
    if (s->shards >= 0)
        text_addf(out, "%-10s %lld are done, %lld running\n", "", (long long)s->shards_done,
                  (long long)s->shards_running);
    if (s->began >= 0) {
        text_addf(out, "%-10s ", "began");
        add_time(s->began, out);
        if (s->starts > 1)
            text_addf(out, ", started %lld times", (long long)s->starts);
        text_addc(out, '\n');
    }
    if (s->active >= 0) {
        text_addf(out, "%-10s ", s->state == STATUS_FINISHED ? "ended" : "active");
        add_time(s->active, out);
        text_addc(out, '\n');
    }
    if (s->version) {
        text_addf(out, "%-10s ", "lockstep");
        text_add_visible(out, s->version, strlen(s->version));
        text_addc(out, '\n');
    }
    if (s->key.length)
        text_addf(out, "%-10s %016llx\n", "key",
                  (unsigned long long)hash_quick(s->key.at, s->key.length));
}

void status_print(const struct status *s, const char *path, bool json, struct text *out)
{
    (json ? print_json : print_words)(s, path, out);
}
