/* path_within: tests if a path is inside a folder, however both are spelled. */
#include "batch/io/path_within.h"

#include "base/files.h"
#include "base/eintr.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER = O_PATH | O_DIRECTORY | O_CLOEXEC };

/* Opens the path, or its deepest parent that is a folder. */
static int open_deepest(const char *path)
{
    struct text part = { 0 };
    char real[PATH_MAX];
    int folder;

    text_adds(&part, realpath(path, real) ? real : path);
    while ((folder = RETRY(open(part.length ? part.at : ".", FOLDER))) < 0 && part.length &&
           strcmp(part.at, "/") != 0) {
        while (part.length > 1 && part.at[part.length - 1] == '/')
            text_cut(&part, part.length - 1);
        while (part.length && part.at[part.length - 1] != '/')
            text_cut(&part, part.length - 1);
    }
    text_drop(&part);
    return folder;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* --- comparison by place in a file system --- */

/* The place of a folder is "DEVICE:PATH/", with the path from the root of its file system. If a
 * part of a file system is mounted twice, a folder in it has two paths but one place. */

/* Decodes octal escapes of blanks and other characters in a mount point ("\\040"), in place. */
static void unescape(char *word)
{
    char *to = word;

    for (const char *at = word; *at; at++) {
        if (at[0] == '\\' && strspn(at + 1, "01234567") >= 3) {
            *to++ = (char)(64 * (at[1] - '0') + 8 * (at[2] - '0') + at[3] - '0');
            at += 3;
        } else {
            *to++ = *at;
        }
    }
    *to = '\0';
}

/* Returns the mount id of a descriptor; -1 if the kernel does not report it. */
static int mount_of(int fd)
{
    char name[64], line[128];
    FILE *info;
    int id = -1;

    snprintf(name, sizeof name, "/proc/self/fdinfo/%d", fd);
    info = fopen(name, "re");
    while (info && id < 0 && fgets(line, sizeof line, info))
        if (strncmp(line, "mnt_id:", 7) == 0)
            id = atoi(line + 7);
    if (info)
        fclose(info);
    return id;
}

/* Appends the place of `path` if the path is below the mount point in this line of mountinfo. */
static bool place_by_mount(char *line, const char *path, struct text *place)
{
    char *save, *word[5] = { strtok_r(line, " ", &save) };
    size_t length;

    for (size_t i = 1; i < COUNTOF(word); i++)
        word[i] = strtok_r(NULL, " ", &save);
    if (!word[4])
        return false;
    unescape(word[3]);
    unescape(word[4]);
    length = strcmp(word[4], "/") == 0 ? 0 : strlen(word[4]);
    if (strncmp(path, word[4], length) != 0)
        return false;
    text_addf(place, "%s:%s%s/", word[2], strcmp(word[3], "/") == 0 ? "" : word[3], path + length);
    return true;
}

/* Finds the place of a folder, which ends with a slash; empty if unknown. */
static void find_place(int fd, struct text *place)
{
    char name[64], path[PATH_MAX], *line = NULL;
    int id = mount_of(fd);
    FILE *mounts = id < 0 ? NULL : fopen("/proc/self/mountinfo", "re");
    ssize_t length;
    size_t room = 0;

    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    length = readlink(name, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    while (mounts && length > 0 && getline(&line, &room, mounts) > 0)
        if (atoi(line) == id && place_by_mount(line, path, place))
            break;
    free(line);
    if (mounts)
        fclose(mounts);
}

static bool is_placed_within(const char *inner, const char *outer)
{
    struct text a = { 0 }, b = { 0 };
    int in = open_deepest(inner), out = RETRY(open(outer, FOLDER));
    bool within = false;

    if (in >= 0 && out >= 0) {
        find_place(in, &a);
        find_place(out, &b);
        within = a.length && b.length && !strncmp(a.at, b.at, b.length);
    }
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    text_drop(&a);
    text_drop(&b);
    return within;
}

bool path_is_within(const char *inner, const char *outer)
{
    struct stat wanted, here, above;
    int at, next;
    bool within = false, top = false;

    if (!*inner || stat(outer, &wanted) != 0)
        return false;
    /* Both paths may name the same file, and open_deepest finds folders only. */
    within = stat(inner, &here) == 0 && is_same(&here, &wanted);
    at = open_deepest(inner);
    while (!within && !top && at >= 0 && fstat(at, &here) == 0) {
        within = is_same(&here, &wanted);
        next = RETRY(openat(at, "..", FOLDER));
        top = next < 0 || (fstat(next, &above) == 0 && is_same(&here, &above));
        close(at);
        at = next;
    }
    if (at >= 0)
        close(at);
    return within || (S_ISDIR(wanted.st_mode) && is_placed_within(inner, outer));
}
