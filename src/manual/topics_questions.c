/* topics_questions: answers to the questions that new users have. */
#include "manual/manual.h"

void print_topic_questions(struct page *p)
{
    page_item(p, "I have a pipeline of another library.",
              "`lockstep import FILE` prints it as a pipeline of lockstep. It reads files of "
              "Albumentations' `A.save`, the printed form of torchvision's `Compose`, the "
              "`train_pipeline` of an MMDetection configuration, and Ultralytics' settings. A "
              "`$comment` tells where a step differs; steps without an equivalent are named.");
    page_item(p, "My Albumentations names are refused.",
              "The message says what to write instead. If a parameter has another meaning, "
              "`lockstep describe NAME` tells the difference.");
    page_item(p, "The run ends at one broken image.",
              "`--on-error skip` continues, lists the image in errors.jsonl, and exits with 1.");
    page_item(p, "The run was killed.",
              "The same command with `--resume` continues after the last finished image. "
              "`--overwrite` starts over, and keeps a finished result until the new one is "
              "complete. `lockstep status OUT` prints the progress.");
    page_item(p, "One machine is not enough.",
              "`lockstep run --shard 0/16` to `15/16` do one part each, on any machine that sees "
              "the same folders. `lockstep merge OUT` then makes the files of one run. If the "
              "machines share no disk, use `lockstep merge A B -o OUT`. samples/recipes/ has "
              "scripts for Slurm, GNU parallel, Snakemake, make and Kubernetes.");
    page_item(p, "The images are in a tar file.",
              "Use `-i data.tar`, `-i data.zip` or `-i 'train-{000000..000015}.tar'`, and the same "
              "for `--masks`. `--out-format webdataset` writes tars of samples: see `lockstep help "
              "tars`.");
    page_item(p, "I have a model's results on the outputs.",
              "`lockstep back -m out/manifest.jsonl -r results.json -o merged.json --merge nms` "
              "maps boxes, polygons, masks and keypoints back to the source images.");
    page_item(p, "The images are in several folders.",
              "Give `-i` for each. They count as one folder, so two images of the same name are "
              "refused.");
    page_item(
        p, "I do not trust the images.",
        "Images are decoded in processes that read the inputs and write below the output "
        "folder. These processes have no network and start no programs, as far as the kernel "
        "can enforce it (see `--sandbox`; `-v` prints how). `lockstep help limits` lists what "
        "one image may cost.");
    page_item(
        p, "An object is missing.",
        "The last lines of a run and run.json count dropped objects by reason; "
        "manifest.jsonl lists each of them. `\"annotations\": {\"min_visibility\": 0.1}` sets "
        "the threshold, and `lockstep help annotations` states the rules.");
    page_item(p, "One output is bad.",
              "Change the values in a copy of its line of manifest.jsonl. `lockstep replay -m "
              "line.jsonl --run out/run.json` then makes this output again. With a whole manifest, "
              "it gives the bytes of the run.");
    page_item(p, "Are the files still the ones that were written?",
              "`lockstep verify OUT` reads every file. With `--checksums`, a run writes SHA-256 "
              "hashes to the manifest, and `SHA256SUMS` for `sha256sum -c`.");
    page_item(p, "Left and right hand are exchanged after a flip.",
              "This is correct: keypoints are named after the person's sides. Pairs are found by "
              "name; see `lockstep help coco`.");
    page_item(p, "The images have classes, but no boxes.",
              "Labels are read from COCO (`category_ids`, or annotations without a box), from a "
              "table (`-a labels.csv`) or from folders (`--labels folders`). `CutMix`, `MixUp` and "
              "`Mosaic` mix them by their shares of the pixels, and `--one-hot labels.npy` writes "
              "them for training. `--classes FILE` gives train and val the same class numbers.");
    page_item(p, "Are runs repeatable?",
              "The same input, pipeline and seed give the same bytes, whatever `--jobs` is. "
              "`--seed 2` selects another seed.");
    page_item(p, "Can it be faster?",
              "`\"optimize\": \"fast\"` takes shortcuts with stated bounds: see `lockstep help "
              "optimize`.");
}
