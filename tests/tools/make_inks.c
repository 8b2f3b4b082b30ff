/* make_inks: writes JPEGs of inks, as print shops have them: cmyk.jpg, ycck.jpg in a folder.
 *
 * Both are Adobe's: they hold 255 - ink. 40x30: columns 0-9 are bare paper, 10-19 cyan, 20-29
 * yellow, the rest black. */
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

enum { WIDTH = 40, HEIGHT = 30, INKS = 4 };

static void write_inks(const char *folder, const char *name, J_COLOR_SPACE colours)
{
    static const JSAMPLE inks[WIDTH / 10][INKS] = {
        { 0, 0, 0, 0 }, { 255, 0, 0, 0 }, { 0, 0, 255, 0 }, { 0, 0, 0, 255 }
    };
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    JSAMPLE row[WIDTH * INKS];
    JSAMPROW rows[] = { row };
    char path[1000];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "wb");
    if (!file) {
        perror(path);
        exit(1);
    }
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, file);
    jpeg.image_width = WIDTH;
    jpeg.image_height = HEIGHT;
    jpeg.input_components = INKS;
    jpeg.in_color_space = JCS_CMYK;
    jpeg_set_defaults(&jpeg);
    jpeg_set_colorspace(&jpeg, colours);
    jpeg.write_Adobe_marker = TRUE;
    jpeg_set_quality(&jpeg, 95, TRUE);
    for (int i = 0; i < WIDTH * INKS; i++)
        row[i] = (JSAMPLE)(255 - inks[i / INKS / 10][i % INKS]);
    jpeg_start_compress(&jpeg, TRUE);
    for (int y = 0; y < HEIGHT; y++)
        jpeg_write_scanlines(&jpeg, rows, 1);
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    if (fclose(file)) {
        perror(path);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: make_inks FOLDER\n");
        return 1;
    }
    write_inks(argv[1], "cmyk.jpg", JCS_CMYK);
    write_inks(argv[1], "ycck.jpg", JCS_YCCK);
    return 0;
}
