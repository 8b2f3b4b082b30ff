/* notes: deviations of annotations, and changes of the files while they are read. */
#include "open/notes.h"

#include "base/stderr_line.h"
#include "batch/io/mapped_file.h"
#include "labels/coco/dialect.h"

#include <string.h>

bool has_changed_input(bool thorough)
{
    struct text why = { 0 };
    bool changed = !mapped_check(thorough, &why);

    if (changed)
        message_print("lockstep: error: %s", text_string(&why));
    text_drop(&why);
    return changed;
}

int open_end(int code)
{
    return has_changed_input(true) ? EXIT_INPUT : code;
}

void open_skip_mark(struct faults *f)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t length = sizeof mark - 1;

    if (f->text.length < length || memcmp(f->text.at, mark, length) != 0)
        return;
    f->text.at += length;
    f->text.length -= length;
    deviation_note(f, DEVIATION_BOM, (struct slice){ 0 }, "");
}

/* Prints the notes in the order of the text, and appends them to the notes of the dataset. */
void open_take_notes(struct faults *notes, int verbosity, struct dataset *dataset)
{
    struct note *kept = ARENA_ARRAY(dataset->arena, struct note, dataset->n_notes + notes->n),
                *next = kept;
    struct text out = { 0 };

    if (!notes->n)
        return;
    notes->verbose = verbosity > 0;
    faults_print(notes, notes->n, &out);
    if (verbosity >= 0)
        message_print_lines(&out);
    text_drop(&out);
    for (size_t i = 0; i < dataset->n_notes; i++)
        *next++ = dataset->notes[i];
    for (size_t i = 0; i < notes->n; i++) {
        const struct fault *note = &notes->list[i];

        *next++ = (struct note){ note->code, arena_printf(dataset->arena, "%s", note->path),
                                 note->times };
    }
    dataset->n_notes = (size_t)(next - kept);
    dataset->notes = kept;
}
