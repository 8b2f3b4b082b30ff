/* limit: measures how fast JPEG files can be read, decoded, encoded and written, and nothing else.
 *
 * Usage: limit IN OUT JOBS [DECODED [ENCODED [ROWS [KIND]]]]. Forks JOBS processes; each takes
 * every JOBS-th *.jpg of IN. For each image to write, it decodes DECODED (1) images: this one and
 * the next ones of IN, as steps that join images must. The image is encoded and written ENCODED (1)
 * times, as copies are. With ROWS, an output has that many rows, of decoded images one below the
 * other. The libjpeg-turbo calls are lockstep's: accurate DCT, fancy upsampling, quality 95, and
 * the subsampling of the image that was decoded last.
 *
 * KIND is the form of the pixels between decoder and encoder: rgb; planes, of luma and chroma as in
 * the file, so that no color is converted and no chroma resampled; or coefficients, which are not
 * even transformed. Prints "limit N images S seconds R images/s", counting written images. */
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

/* A buffer that a process keeps from image to image: a fresh page costs more than the work on it.
 */
struct buffer {
    uint8_t *at;
    size_t room, length;
};

enum kind { RGB, PLANES, COEFFICIENTS };

/* Rows of blocks that belong together: of luma 16, at most, of chroma 8. */
enum { BAND = 16 };

struct worker {
    enum kind kind;
    struct buffer file, pixels, out;
    int width, height;      /* size of the image in `pixels` */
    int across[3], down[3]; /* how often samples lie beside and below: libjpeg's factors */
    /* Strides of the planes, which are stored one after the other. */
    size_t stride[3];
    int planes;
    int rows; /* that are encoded; 0: those of one image */
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

/* A band's rows of each plane: those of the bands before it take as much room. */
static void band_rows(struct worker *w, const jpeg_component_info *component, int n, int band,
                      JSAMPROW row[3][BAND])
{
    uint8_t *at = w->pixels.at;

    for (int c = 0; c < n; c++) {
        int rows = component[c].v_samp_factor * DCTSIZE;

        for (int y = 0; y < rows; y++)
            row[c][y] = at + w->stride[c] * (size_t)(band * rows + y);
        at += w->stride[c] * component[c].height_in_blocks * DCTSIZE +
              w->stride[c] * BAND; /* the last band may be cut */
    }
}

static int bands_of(const jpeg_component_info *luma, int height)
{
    int rows = luma->v_samp_factor * DCTSIZE;

    return (height + rows - 1) / rows;
}

static void decode_planes(struct worker *w)
{
    j_decompress_ptr d = &w->decoder;
    JSAMPROW row[3][BAND];
    JSAMPARRAY rows[3] = { row[0], row[1], row[2] };
    size_t room = 0;

    d->out_color_space = d->jpeg_color_space;
    d->raw_data_out = TRUE;
    d->dct_method = JDCT_ISLOW;
    jpeg_start_decompress(d);
    w->width = (int)d->output_width;
    w->height = (int)d->output_height;
    w->planes = d->num_components;
    for (int c = 0; c < d->num_components; c++) {
        /* a band ends with whole blocks of luma */
        w->stride[c] = (size_t)d->comp_info[c].width_in_blocks * DCTSIZE + 2 * DCTSIZE;
        room += w->stride[c] * (d->comp_info[c].height_in_blocks * DCTSIZE + BAND);
    }
    buffer_room(&w->pixels, room);
    for (int i = 0, n = bands_of(d->comp_info, w->height); i < n; i++) {
        band_rows(w, d->comp_info, d->num_components, i, row);
        jpeg_read_raw_data(d, rows, (JDIMENSION)d->comp_info[0].v_samp_factor * DCTSIZE);
    }
    jpeg_finish_decompress(d);
}

static void decode(struct worker *w)
{
    j_decompress_ptr d = &w->decoder;
    size_t stride, first;

    jpeg_mem_src(d, w->file.at, w->file.length);
    jpeg_read_header(d, TRUE);
    for (int c = 0; c < d->num_components && c < 3; c++) {
        w->across[c] = d->comp_info[c].h_samp_factor;
        w->down[c] = d->comp_info[c].v_samp_factor;
    }
    if (w->kind == COEFFICIENTS)
        return; /* encode reads them, as libjpeg keeps them no longer than it reads */
    if (w->kind == PLANES) {
        decode_planes(w);
        return;
    }
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

    /* The room is large enough for libjpeg never to allocate a buffer of its own. */
    buffer_room(&w->out,
                (w->kind == COEFFICIENTS ? 2 * w->file.length
                                         : stride * (size_t)(w->rows ? w->rows : w->height)) +
                    65536);
    at = w->out.at;
    length = w->out.room;
    jpeg_mem_dest(e, &at, &length);
    if (w->kind == COEFFICIENTS) {
        jpeg_copy_critical_parameters(&w->decoder, e);
        jpeg_write_coefficients(e, jpeg_read_coefficients(&w->decoder));
        jpeg_finish_compress(e);
        w->out.length = length;
        jpeg_finish_decompress(&w->decoder);
        return;
    }
    e->image_width = (JDIMENSION)w->width;
    e->image_height = (JDIMENSION)(w->rows ? w->rows : w->height);
    e->input_components = w->kind == PLANES ? w->planes : 3;
    e->in_color_space = w->kind != PLANES ? JCS_RGB : w->planes == 3 ? JCS_YCbCr : JCS_GRAYSCALE;
    jpeg_set_defaults(e);
    jpeg_set_quality(e, 95, TRUE);
    e->dct_method = JDCT_ISLOW;
    e->raw_data_in = w->kind == PLANES;
    for (int c = 0; e->num_components == w->decoder.num_components && c < e->num_components; c++) {
        e->comp_info[c].h_samp_factor = w->across[c];
        e->comp_info[c].v_samp_factor = w->down[c];
    }
    jpeg_start_compress(e, TRUE);
    for (int i = 0; w->kind == PLANES && e->next_scanline < e->image_height; i++) {
        JSAMPROW row[3][BAND];
        JSAMPARRAY rows[3] = { row[0], row[1], row[2] };

        band_rows(w, e->comp_info, e->num_components, i, row);
        jpeg_write_raw_data(e, rows, (JDIMENSION)e->comp_info[0].v_samp_factor * DCTSIZE);
    }
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
                 size_t decoded, size_t encoded, int rows, enum kind kind)
{
    struct worker w = { .kind = kind, .rows = rows };
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

static int kind_of(const char *word)
{
    static const char *const words[] = { "rgb", "planes", "coefficients" };

    for (int i = 0; i < 3; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    return -1;
}

int main(int argc, char **argv)
{
    int jobs = argc >= 4 && argc <= 8 ? atoi(argv[3]) : 0, decoded = argc > 4 ? atoi(argv[4]) : 1;
    int encoded = argc > 5 ? atoi(argv[5]) : 1, rows = argc > 6 ? atoi(argv[6]) : 0;
    int kind = argc > 7 ? kind_of(argv[7]) : RGB;
    double start = now(), seconds;
    char **name;
    size_t n;

    if (jobs < 1 || decoded < 1 || encoded < 1 || rows < 0 || kind < 0 ||
        (kind != RGB && (decoded > 1 || rows > 0)) || (kind == COEFFICIENTS && encoded > 1)) {
        fprintf(stderr,
                "usage: limit IN OUT JOBS [DECODED [ENCODED [ROWS [KIND]]]]\n"
                "KIND: rgb; planes or coefficients of one image each, these encoded once\n");
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
                 (size_t)encoded, rows, (enum kind)kind);
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
