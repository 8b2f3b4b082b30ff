/* run_settings: the processes of a run, their limits, and the messages that the run prints. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct sandbox;
struct preflight_skip;

enum on_error { ON_ERROR_FAIL, ON_ERROR_SKIP };
enum progress { PROGRESS_AUTO, PROGRESS_BAR, PROGRESS_PLAIN, PROGRESS_NONE };

struct run_settings {
    int jobs;
    int on_error;        /* enum on_error */
    int64_t max_errors;  /* images that may fail with ON_ERROR_SKIP; negative: no limit */
    int64_t timeout;     /* time limit of an image in ms; 0: no limit */
    uint64_t max_memory; /* memory limit of a worker in bytes; 0: no limit */
    int sandbox;         /* enum sandbox_mode: how strictly processes that decode are contained */
    struct sandbox *contained; /* sandbox of these processes; NULL: none */
    bool resume;               /* continue a run that was stopped: see resume.h */
    bool verify_resume;        /* read reused files, and compare them with their hashes */
    const struct preflight_skip *preflight_skip; /* images that need no preflight; NULL: none */
    int progress;                                /* enum progress */
    int verbosity;                               /* -1 quiet, 0, 1 verbose */
};
