/* open: reads the inputs of a run below a root. */
#include "batch/io/open.h"

static int64_t nanoseconds(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct file_key input_key(const struct stat *status)
{
    return (struct file_key){ .size = (uint64_t)status->st_size,
                              .mtime = nanoseconds(status->st_mtim),
                              .ctime = nanoseconds(status->st_ctim),
                              .inode = status->st_ino };
}

bool input_exists(const char *path, const char *name, enum links links, struct text *why)
{
    struct root root = root_at(path);
    struct stat status;

    return root.calls->status(&root, name, links, &status, why);
}

struct file_key input_key_of(const char *path, const char *name, enum links links)
{
    struct root root = root_at(path);
    struct text why = { 0 };
    struct stat status;
    bool there = root.calls->status(&root, name, links, &status, &why);

    text_drop(&why);
    return there ? input_key(&status) : (struct file_key){ 0 };
}

bool input_hash(const char *path, const char *name, enum links links, uint64_t *hash)
{
    struct root root = root_at(path);

    return root.calls->hash(&root, name, links, hash);
}

void input_expect(const char *path, const char *name, enum links links)
{
    struct root root = root_at(path);

    root.calls->expect(&root, name, links);
}

bool input_read(const char *path, const char *name, enum links links,
                const struct input_check *check, struct text *out, struct stat *status,
                struct text *why)
{
    struct root root = root_at(path);

    return root.calls->read(&root, name, links, check, out, status, why);
}

bool input_read_small(const char *path, const char *name, enum links links, uint64_t max,
                      struct text *out, struct text *why)
{
    struct root root = root_at(path);

    return root.calls->read_small(&root, name, links, max, out, why);
}

size_t input_begin(const char *path, const char *name, enum links links, void *to, size_t room,
                   uint64_t *length)
{
    struct root root = root_at(path);

    return root.calls->begin(&root, name, links, to, room, length);
}

bool input_map(const char *path, const char *name, enum links links,
               const struct input_check *check, struct slice *out, struct text *why)
{
    struct root root = root_at(path);

    return root.calls->map(&root, name, links, check, out, why);
}

bool walk_files(const struct tree_walk *walk, struct text *why)
{
    struct root root = root_at(walk->path);

    return root.calls->walk(&root, walk, why);
}
