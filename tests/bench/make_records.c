/* make_records: makes very many tiny images with their COCO, to measure the cost of a record.
 *
 * Usage: make_records DIR N OBJECTS. Makes N pictures of 32 x 32 pixels, a thousand in each folder
 * below DIR/images: hard links to a few files. With OBJECTS, DIR/annotations.json has that many
 * objects for each, a polygon of four points with its box. Equal bytes on every run. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jpeglib.h>

enum { SIDE = 32, A_FOLDER = 1000, A_FILE = 20000 /* links; ext4 allows 65000 */ };

static void die(const char *what)
{
    fprintf(stderr, "make_records: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void write_jpeg(const char *path)
{
    struct jpeg_compress_struct c;
    struct jpeg_error_mgr errors;
    FILE *file = fopen(path, "wb");

    if (!file)
        die(path);
    c.err = jpeg_std_error(&errors);
    jpeg_create_compress(&c);
    jpeg_stdio_dest(&c, file);
    c.image_width = c.image_height = SIDE;
    c.input_components = 3;
    c.in_color_space = JCS_RGB;
    jpeg_set_defaults(&c);
    jpeg_start_compress(&c, TRUE);
    for (int y = 0; y < SIDE; y++) {
        JSAMPLE row[3 * SIDE], *rows = row;

        for (int x = 0; x < SIDE; x++) {
            row[3 * x] = (JSAMPLE)(8 * x);
            row[3 * x + 1] = (JSAMPLE)(8 * y);
            row[3 * x + 2] = (JSAMPLE)(4 * (x + y));
        }
        jpeg_write_scanlines(&c, &rows, 1);
    }
    jpeg_finish_compress(&c);
    jpeg_destroy_compress(&c);
    if (fclose(file) != 0)
        die(path);
}

static void make_folder(const char *path)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        die(path);
}

static void make_images(const char *dir, long n)
{
    char first[4200] = "", path[4200];

    for (long i = 0; i < n; i++) {
        if (i % A_FOLDER == 0) {
            snprintf(path, sizeof path, "%s/images/%05ld", dir, i / A_FOLDER);
            make_folder(path);
        }
        snprintf(path, sizeof path, "%s/images/%05ld/%08ld.jpg", dir, i / A_FOLDER, i);
        if (i % A_FILE == 0) {
            strcpy(first, path);
            write_jpeg(path);
        } else if (link(first, path) != 0) {
            die(path);
        }
    }
}

static void write_annotations(const char *dir, long n, long objects)
{
    char path[4200];
    FILE *file;

    snprintf(path, sizeof path, "%s/annotations.json", dir);
    file = fopen(path, "w");
    if (!file)
        die(path);
    fputs("{\"categories\": [{\"id\": 1, \"name\": \"thing\"}],\n\"images\": [", file);
    for (long i = 0; i < n; i++)
        fprintf(
            file,
            "%s\n{\"id\": %ld, \"file_name\": \"%05ld/%08ld.jpg\", \"width\": 32, \"height\": 32}",
            i ? "," : "", i + 1, i / A_FOLDER, i);
    fputs("],\n\"annotations\": [", file);
    for (long i = 0; i < n * objects; i++) {
        long x = i % 7 + 2, y = i % 11 + 3, w = i % 5 + 8, h = i % 3 + 9;

        fprintf(
            file,
            "%s\n{\"id\": %ld, \"image_id\": %ld, \"category_id\": 1, \"bbox\": [%ld, %ld, %ld, "
            "%ld], \"area\": %ld, \"iscrowd\": 0, \"segmentation\": [[%ld, %ld, %ld, %ld, %ld, "
            "%ld, %ld, %ld]]}",
            i ? "," : "", i + 1, i / objects + 1, x, y, w, h, w * h, x, y, x + w, y, x + w, y + h,
            x, y + h);
    }
    fputs("]}\n", file);
    if (ferror(file) || fclose(file) != 0)
        die(path);
}

int main(int argc, char **argv)
{
    long n = argc == 4 ? atol(argv[2]) : 0, objects = argc == 4 ? atol(argv[3]) : 0;
    char path[4200];

    if (n < 1 || objects < 0) {
        fputs("usage: make_records DIR N OBJECTS\n", stderr);
        return 2;
    }
    make_folder(argv[1]);
    snprintf(path, sizeof path, "%s/images", argv[1]);
    make_folder(path);
    make_images(argv[1], n);
    if (objects)
        write_annotations(argv[1], n, objects);
    return 0;
}
