/* limits: processors and memory that the machine, or the container, gives to a run. */
#include "batch/process/limits.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LONGEST_PATH = 4096 };

#define GROUPS "/sys/fs/cgroup"

/* --- control groups --- */

/* A control group: its folder, and the length of the part that names the hierarchy. */
struct group {
    char folder[LONGEST_PATH];
    size_t root;
};

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);

    for (; list; list = strchr(list, ',')) {
        list += *list == ',';
        if (strncmp(list, word, length) == 0 && (!list[length] || list[length] == ','))
            return true;
    }
    return false;
}

/* Finds the group of this process for a controller of version 1, whose hierarchy is mounted by the
 * names of its controllers; "" is for version 2. Returns false if there is none. */
static bool find_group(const char *controller, struct group *g)
{
    FILE *f = fopen("/proc/self/cgroup", "re");
    char line[LONGEST_PATH];
    bool found = false;

    while (f && !found && fgets(line, sizeof line, f)) {
        char *names = strchr(line, ':'), *path = names ? strchr(++names, ':') : NULL;
        int root, length;

        if (!path)
            continue;
        *path++ = '\0';
        path[strcspn(path, "\n")] = '\0';
        found = *controller ? has_word(names, controller) : !*names;
        root = snprintf(g->folder, sizeof g->folder, GROUPS "%s%s", *names ? "/" : "", names);
        length = snprintf(g->folder + root, sizeof g->folder - (size_t)root, "%s",
                          strcmp(path, "/") == 0 ? "" : path);
        found = found && root + length < LONGEST_PATH;
        g->root = (size_t)root;
    }
    if (f)
        fclose(f);
    return found;
}

/* Moves to the parent group, whose limit applies, too. Returns false at the root. */
static bool next_above(struct group *g)
{
    char *slash = strrchr(g->folder + g->root, '/');

    if (!slash)
        return false;
    *slash = '\0';
    return true;
}

static FILE *open_in(const struct group *g, const char *name)
{
    char file[LONGEST_PATH + 64];

    snprintf(file, sizeof file, "%s/%s", g->folder, name);
    return fopen(file, "re");
}

/* Reads n numbers from a file of the group. Returns false if the file contains a word instead, such
 * as "max". */
static bool read_numbers(const struct group *g, const char *name, uint64_t *numbers, int n)
{
    char line[128], *at = line, *end;
    FILE *f = open_in(g, name);
    bool good = f && fgets(line, sizeof line, f);

    if (f)
        fclose(f);
    for (int i = 0; good && i < n; i++, at = end) {
        numbers[i] = strtoull(at, &end, 10);
        good = end > at && *at != '-';
    }
    return good;
}

/* --- processors --- */

/* Reads the CPU time that a group may use per period, and the period. Version 1 has two files, with
 * -1 for no limit. */
static bool read_quota(const struct group *g, bool old, uint64_t quota[2])
{
    if (!old)
        return read_numbers(g, "cpu.max", quota, 2) && quota[1];
    return read_numbers(g, "cpu.cfs_quota_us", quota, 1) &&
           read_numbers(g, "cpu.cfs_period_us", quota + 1, 1) && quota[1];
}

static void lower_by_quota(const char *controller, int *n)
{
    uint64_t quota[2];
    struct group g;

    if (!find_group(controller, &g))
        return;
    do
        if (read_quota(&g, *controller != '\0', quota)) {
            uint64_t whole = (quota[0] + quota[1] - 1) / quota[1];

            if (whole < (uint64_t)*n)
                *n = whole ? (int)whole : 1;
        }
    while (next_above(&g));
}

int limits_processors(void)
{
    cpu_set_t set;
    /* The set holds 1024 processors; the kernel returns an error if there may be more. */
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                        : (int)sysconf(_SC_NPROCESSORS_ONLN);

    n = n < 1 ? 1 : n;
    lower_by_quota("cpu", &n);
    lower_by_quota("", &n);
    return n;
}

/* --- memory --- */

static const struct {
    const char *controller, *limit, *kills;
} memory_files[] = {
    { "memory", "memory.limit_in_bytes", "memory.oom_control" },
    { "", "memory.max", "memory.events" },
};

/* Returns the lowest limit, and appends the name of its machine or control group. */
static uint64_t find_limit(struct text *of)
{
    uint64_t min = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE), limit[2];
    struct group g;

    text_adds(of, "the machine");
    for (size_t i = 0; i < COUNTOF(memory_files); i++) {
        if (!find_group(memory_files[i].controller, &g))
            continue;
        do
            if (read_numbers(&g, memory_files[i].limit, limit, 1) && limit[0] < min) {
                min = limit[0];
                text_clear(of);
                text_addf(of, "the control group %s (%s)",
                          g.folder[g.root] ? g.folder + g.root : "/", memory_files[i].limit);
            }
        while (next_above(&g));
    }
    return min;
}

uint64_t limits_memory(void)
{
    struct text of = { 0 };
    uint64_t limit = find_limit(&of);

    text_drop(&of);
    return limit;
}

void limits_name_memory(struct text *out)
{
    struct text of = { 0 };
    uint64_t limit = find_limit(&of);

    text_addf(out, "%s has %llu MB", text_string(&of), (unsigned long long)limit >> 20);
    text_drop(&of);
}

const char *limits_lower(uint64_t memory)
{
    struct rlimit space, data;

    if (getrlimit(RLIMIT_AS, &space) != 0)
        space.rlim_cur = RLIM_INFINITY;
    if (getrlimit(RLIMIT_DATA, &data) != 0)
        data.rlim_cur = RLIM_INFINITY;
    if (space.rlim_cur < data.rlim_cur && space.rlim_cur < memory)
        return "ulimit -v";
    return data.rlim_cur < memory ? "ulimit -d" : NULL;
}

static bool read_kills(FILE *f, uint64_t *kills)
{
    static const char name[] = "oom_kill ";
    bool found = false;
    char line[128];

    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, name, strlen(name)) == 0) {
            *kills = strtoull(line + strlen(name), NULL, 10);
            found = true;
        }
    if (f)
        fclose(f);
    return found;
}

uint64_t limits_memory_kills(void)
{
    uint64_t kills = 0;
    struct group g;

    for (size_t i = 0; i < COUNTOF(memory_files); i++) {
        if (!find_group(memory_files[i].controller, &g))
            continue;
        do
            if (read_kills(open_in(&g, memory_files[i].kills), &kills))
                return kills;
        while (next_above(&g));
    }
    read_kills(fopen("/proc/vmstat", "re"), &kills);
    return kills;
}

const char *limits_explain_kill(uint64_t kills, struct text *why)
{
    bool counted = limits_memory_kills() > kills;

    text_adds(why, counted ? "was killed by the kernel for lack of memory; "
                           : "was killed, not by lockstep: by a user, or by the kernel for lack of "
                             "memory; ");
    limits_name_memory(why);
    return counted ? "worker-memory" : "worker-killed";
}

#if defined __SANITIZE_ADDRESS__
enum { IS_SANITIZED = 1 };
#elif defined __has_feature
enum { IS_SANITIZED = __has_feature(address_sanitizer) };
#else
enum { IS_SANITIZED = 0 };
#endif

/* The address sanitizer reserves more address space than any limit. A limit that is already set may
 * be lower; root, and anyone with only a soft limit, would raise it here. */
void limits_keep_to(uint64_t memory)
{
    struct rlimit limit;

    if (IS_SANITIZED || getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    limit.rlim_cur = memory < limit.rlim_cur ? memory : limit.rlim_cur;
    limit.rlim_max = memory < limit.rlim_max ? memory : limit.rlim_max;
    setrlimit(RLIMIT_DATA, &limit);
}
