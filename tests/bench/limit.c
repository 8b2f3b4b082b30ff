/* limit: how fast JPEG files can be read, decoded, encoded and written, and nothing else.
 *
 * Usage: limit IN OUT JOBS [DECODED [ENCODED [ROWS]]]. Forks JOBS processes; each takes every
 * JOBS-th
 * *.jpg of IN, and decodes DECODED (1) images, the following ones of IN and that one, for it to be
 * written: what steps that join images cannot do without. It is encoded and written ENCODED (1)
 * times, as copies are; with ROWS so many rows, of decoded images one below the other. The same
 * libjpeg-turbo calls as lockstep's: accurate DCT, fancy upsampling, quality 95, 4:2:0. Prints
 * "limit N images S seconds R images/s" of what was written. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <jpeglib.h>

/* What a process keeps from image to image: a fresh page costs more than the work on it. */
struct buffer {
    uint8_t *at;
    size_t room, length;
};

struct worker {
    struct buffer file, pixels, out;
    int width, height; /* of what is in `pixels` */
    int rows;          /* that are encoded; 0: those of one image */
    struct jpeg_decompress_struct decoder;
    struct jpeg_compress_struct encoder;
    struct jpeg_error_mgr error;
};

static void die(const char *what)
{
    fprintf(stderr, "limit: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void buffer_room(struct buffer *b, size_t size)
{
    if (size <= b->room)
        return;
    free(b->at);
    b->room = size + size / 2;
    b->at = malloc(b->room);
    if (!b->at)
        die("memory");
}

static void read_file(struct buffer *b, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;

    if (fd < 0 || fstat(fd, &st))
        die(path);
    buffer_room(b, (size_t)st.st_size);
    for (b->length = 0; b->length < (size_t)st.st_size;) {
        ssize_t got = read(fd, b->at + b->length, (size_t)st.st_size - b->length);

        if (got <= 0)
            die(path);
        b->length += (size_t)got;
    }
    close(fd);
}

static void write_file(const struct buffer *b, const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

    if (fd < 0)
        die(path);
    for (size_t done = 0; done < b->length;) {
        ssize_t put = write(fd, b->at + done, b->length - done);

        if (put < 0)
            die(path);
        done += (size_t)put;
    }
    if (close(fd))
        die(path);
}

static void decode(struct worker *w)
{
    j_decompress_ptr d = &w->decoder;
    size_t stride, first;

    jpeg_mem_src(d, w->file.at, w->file.length);
    jpeg_read_header(d, TRUE);
    d->out_color_space = JCS_RGB;
    d->dct_method = JDCT_ISLOW;
    d->do_fancy_upsampling = TRUE;
    jpeg_start_decompress(d);
    stride = (size_t)d->output_width * 3;
    first = w->height < w->rows ? (size_t)w->height : 0;
    w->width = (int)d->output_width;
    w->height = (int)first + (int)d->output_height;
    buffer_room(&w->pixels, stride * (size_t)(w->rows + (int)d->output_height));
    while (d->output_scanline < d->output_height) {
        JSAMPROW rows[16];
        JDIMENSION n = 0;

        while (n < 16 && d->output_scanline + n < d->output_height) {
            rows[n] = w->pixels.at + stride * (first + d->output_scanline + n);
            n++;
        }
        jpeg_read_scanlines(d, rows, n);
    }
    jpeg_finish_decompress(d);
}

static void encode(struct worker *w)
{
    j_compress_ptr e = &w->encoder;
    size_t stride = (size_t)w->width * 3;
    unsigned char *at;
    unsigned long length;

    /* As large as the pixels: libjpeg then never takes a buffer of its own. */
    buffer_room(&w->out, stride * (size_t)(w->rows ? w->rows : w->height) + 65536);
    at = w->out.at;
    length = w->out.room;
    jpeg_mem_dest(e, &at, &length);
    e->image_width = (JDIMENSION)w->width;
    e->image_height = (JDIMENSION)(w->rows ? w->rows : w->height);
    e->input_components = 3;
    e->in_color_space = JCS_RGB;
    jpeg_set_defaults(e); /* 4:2:0 */
    jpeg_set_quality(e, 95, TRUE);
    e->dct_method = JDCT_ISLOW;
    jpeg_start_compress(e, TRUE);
    while (e->next_scanline < e->image_height) {
        JSAMPROW rows[16];
        JDIMENSION n = 0;

        while (n < 16 && e->next_scanline + n < e->image_height) {
            rows[n] = w->pixels.at + stride * (e->next_scanline + n);
            n++;
        }
        jpeg_write_scanlines(e, rows, n);
    }
    jpeg_finish_compress(e);
    w->out.length = length;
}

static void work(const char *in, const char *out, char **name, size_t n, size_t first, size_t step,
                 size_t decoded, size_t encoded, int rows)
{
    struct worker w = { .rows = rows };
    char path[4096];

    w.decoder.err = w.encoder.err = jpeg_std_error(&w.error);
    jpeg_create_decompress(&w.decoder);
    jpeg_create_compress(&w.encoder);
    for (size_t i = first; i < n; i += step) {
        w.height = 0;
        for (size_t k = decoded; k-- > 0;) {
            snprintf(path, sizeof path, "%s/%s", in, name[(i + k) % n]);
            read_file(&w.file, path);
            decode(&w);
        }
        for (size_t k = 0; k < encoded; k++) {
            encode(&w);
            snprintf(path, sizeof path, "%s/%zu-%s", out, k, name[i]);
            write_file(&w.out, path);
        }
    }
    jpeg_destroy_decompress(&w.decoder);
    jpeg_destroy_compress(&w.encoder);
    free(w.file.at);
    free(w.pixels.at);
    free(w.out.at);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char **list(const char *folder, size_t *n)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    char **name = NULL;
    size_t room = 0;

    if (!dir)
        die(folder);
    *n = 0;
    while ((entry = readdir(dir))) {
        const char *dot = strrchr(entry->d_name, '.');

        if (!dot || strcmp(dot, ".jpg") != 0)
            continue;
        if (*n == room) {
            room = 2 * room + 64;
            name = realloc(name, room * sizeof *name);
        }
        if (!name || !(name[*n] = strdup(entry->d_name)))
            die("memory");
        ++*n;
    }
    closedir(dir);
    if (*n)
        qsort(name, *n, sizeof *name, by_name);
    return name;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool wait_all(int jobs)
{
    bool good = true;

    for (int i = 0; i < jobs; i++) {
        int status;

        if (wait(&status) < 0 || status != 0)
            good = false;
    }
    return good;
}

int main(int argc, char **argv)
{
    int jobs = argc >= 4 && argc <= 7 ? atoi(argv[3]) : 0, decoded = argc > 4 ? atoi(argv[4]) : 1;
    int encoded = argc > 5 ? atoi(argv[5]) : 1, rows = argc > 6 ? atoi(argv[6]) : 0;
    double start = now(), seconds;
    char **name;
    size_t n;

    if (jobs < 1 || decoded < 1 || encoded < 1 || rows < 0) {
        fprintf(stderr, "usage: limit IN OUT JOBS [DECODED [ENCODED [ROWS]]]\n");
        return 2;
    }
    if (mkdir(argv[2], 0777) && errno != EEXIST)
        die(argv[2]);
    name = list(argv[1], &n);
    for (int i = 0; i < jobs; i++) {
        pid_t pid = fork();

        if (pid < 0)
            die("fork");
        if (pid == 0) {
            work(argv[1], argv[2], name, n, (size_t)i, (size_t)jobs, (size_t)decoded,
                 (size_t)encoded, rows);
            exit(0);
        }
    }
    if (!wait_all(jobs))
        return 1;
    seconds = now() - start;
    printf("limit %zu images %.3f seconds %.1f images/s\n", n * (size_t)encoded, seconds,
           (double)(n * (size_t)encoded) / seconds);
    for (size_t i = 0; i < n; i++)
        free(name[i]);
    free(name);
    return 0;
}
