/* streams: runs that read an archive from stdin (-i -), or write a tar to stdout (-o -). */
#include "start/streams.h"
#include "shared/args.h"
#include "shared/say.h"

#include "labels/shared/combination.h"

#include <string.h>
#include <unistd.h>

bool has_stdin_images(const struct job_options *o)
{
    for (size_t i = 0; i < o->images.n; i++)
        if (strcmp(o->images.at[i], "-") == 0)
            return true;
    return false;
}

bool has_stdout_outputs(const struct job_options *o)
{
    return strcmp(o->out, "-") == 0;
}

static bool is_stdin(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Refuses options that need more than one process reading stdin once. */
static int check_in(const struct begin *b)
{
    const struct job_options *o = b->options;
    const char *others[] = { o->pipeline, job_annotations(o), o->image_list, o->classes,
                             o->images_from };

    for (size_t i = 0; i < COUNTOF(others); i++)
        if (is_stdin(others[i]))
            return refuse_for(b->who, EXIT_USAGE, "-i -", "option-value",
                              "stdin can be read for one option only");
    if (o->images.n > 1)
        return refuse_for(b->who, EXIT_USAGE, "-i -", "stream-alone",
                          "images on stdin cannot be combined with others; remove the other -i, or "
                          "write the archive to a file");
    if (*o->shard)
        return refuse_for(b->who, EXIT_USAGE, "--shard", "stream-shard",
                          "each shard reads all names, and stdin is read once: write the archive "
                          "to a file");
    if (o->resume || o->verify_resume)
        return refuse_for(b->who, EXIT_USAGE, "--resume", "stream-resume",
                          "stdin cannot be read again from where the run was stopped: write the "
                          "archive to a file");
    if (o->dry_run)
        return refuse_for(b->who, EXIT_USAGE, "--dry-run", "stream-headers",
                          "it reads the headers of all images, and stdin is read once: write "
                          "the archive to a file");
    return EXIT_DONE;
}

static int check_out(const struct begin *b)
{
    const struct job_options *o = b->options;
    const struct {
        bool given;
        const char *option, *code, *why;
    } all[] = {
        { *o->shard, "--shard", "stream-shard",
          "shards write to one folder; a pipe of each would have only its samples: give a folder" },
        { o->resume || o->verify_resume, "--resume", "stream-resume",
          "what was written to stdout cannot be resumed; give a folder" },
        { o->overwrite, "--overwrite", "option-unused", "stdout has no earlier result" },
        { o->dry_run, "--dry-run", "option-unused",
          "its manifest goes to stdout, and nothing else is written: leave out -o -" },
        { option_is_given("out_format") && !o->out_format, "--out-format dir", "option-unused",
          "stdout takes a tar of samples (webdataset), and no folder" },
        { *o->shard_size, "--shard-size", "option-unused", "on stdout all samples are one tar" },
        { o->checksums, "--checksums", "option-unused",
          "there is no manifest and no SHA256SUMS on stdout" },
    };

    for (size_t i = 0; i < COUNTOF(all); i++)
        if (all[i].given)
            return refuse_for(b->who, EXIT_USAGE, all[i].option, all[i].code, all[i].why);
    if (isatty(STDOUT_FILENO))
        return refuse_for(b->who, EXIT_USAGE, "-o -", "stream-terminal",
                          "stdout is a terminal, and what is written is a tar: pipe it to a "
                          "command, or give a folder");
    return EXIT_DONE;
}

int streams_check_options(const struct begin *b)
{
    int code = has_stdin_images(b->options) ? check_in(b) : EXIT_DONE;

    return code || !has_stdout_outputs(b->options) ? code : check_out(b);
}

int streams_check_plan(const struct begin *b)
{
    const struct plan *plan = b->job->plan;
    const struct combination *c = b->job->dataset->combination;

    if (has_stdout_outputs(b->options) && c && c->n > 1)
        return refuse_for(b->who, EXIT_USAGE, "-o -", "stream-parts",
                          "the dataset has several parts, and names of samples do not have the "
                          "part: choose one with --part, or give a folder");
    if (has_stdin_images(b->options) && plan->joins)
        return refuse_for(b->who, EXIT_PIPELINE, plan->file, "stream-donors",
                          "it has a step that borrows other images, any of all, and stdin is "
                          "read once: write the archive to a file");
    if (has_stdout_outputs(b->options) && plan->joins && plan->rules.ids == IDS_DENSE)
        return refuse_for(b->who, EXIT_PIPELINE, plan->file, "stream-ids",
                          "dense ids number annotations when all images are done, and samples on "
                          "stdout are written before: give a folder, or a lower "
                          "annotations.ids_per_image");
    return EXIT_DONE;
}
