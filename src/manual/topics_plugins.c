/* topics_plugins: ops and transforms of a shared object. */
#include "manual/manual.h"

void print_topic_plugins(struct page *p)
{
    page_paragraph(
        p, "A plugin is a shared object, one file of C, with ops and transforms of its own. "
           "`--plugin FILE` loads it, and its entries are steps like all others: in pipelines, "
           "`list`, `describe`, `schema`, `preview`, `explain`, `profile`, and where a name is "
           "nearly theirs. FILE is a path with a slash [plugin-path]; the option may be given "
           "several times. No folder is searched, and neither a pipeline nor the environment can "
           "name a plugin: it is a program that you run.");
    page_code(p, "make new-plugin NAME=fisheye DIR=~/fisheye\n"
                 "make -C ~/fisheye\n"
                 "lockstep plugin-test ~/fisheye/fisheye.so\n"
                 "lockstep run --plugin ~/fisheye/fisheye.so -p train.json -i images -o out");
    page_paragraph(
        p, "The interface is lockstep_plugin.h, which `make install` puts under include/: a table "
           "with the version of the interface, a name, a version, and rows in plain C. What an op "
           "can be:");
    page_item(p, "`COLOURS`", "a function of a pixel's colours, 0..255 whatever the depth");
    page_item(p, "`PLACED`", "a function of a pixel's colours and its place");
    page_item(p, "`RASTER`", "a function of the whole image; alpha stays");
    page_item(p, "`MATRIX`",
              "moves pixels and all labels by a 3x3 matrix, to a canvas of any size");
    page_item(p, "`FIELD`",
              "moves pixels and all labels by a function: which point of the image a point of "
              "the result shows; and, where it is known, exactly where a point of the image goes "
              "to, which labels take");
    page_item(p, "`LABELS`", "looks at objects and drops some, with a reason for the manifest");
    page_paragraph(
        p, "A transform has ranges, draws from them with lockstep's random numbers, and emits ops "
           "by name: its own, or lockstep's. A plugin keeps nothing between images and draws no "
           "numbers of its own, or results depend on the order of work: `lockstep plugin-test` "
           "finds that.");
    page_heading(p, "What is held against it");
    page_paragraph(
        p,
        "Before work, in a process of its own with 10 s and 1 GiB: the file is loaded, its table "
        "is read, each example and then the pipeline are drawn and resolved. What is wrong is "
        "told by its code (`lockstep help codes`: plugin-...); a crash there is "
        "[plugin-crash], and nothing is written. This trial process is not contained: code of "
        "the plugin that runs when the file is loaded, and its functions `resolve` and `draw`, "
        "can do there all that you can. The same holds for the command itself, which loads the "
        "plugin after the trial. Load only what you would run as a program. Pixels are done in "
        "workers: a plugin that "
        "crashes, hangs or takes too much memory there costs the image, as any other fault of "
        "one does (`--on-error`). Workers are contained as ever: without network, new programs, "
        "and files outside of the inputs and the output. A system call that decoding does not "
        "need fails there with ENOSYS.");
    page_heading(p, "What depends on it");
    page_paragraph(
        p, "run.json has name, version and SHA-256 of each plugin in its `key`: resume, shards and "
           "merge refuse another one [resume-key], [shard-key]. `replay` and `back` need the "
           "plugins of the run, and say if one is not the same file [replay-plugin].");
}
