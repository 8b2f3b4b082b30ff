/* dataset: the COCO file: run lengths, numbers in several honest forms, one object a line. */
#include "dataset.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct dataset {
    const char *folder;
    FILE *images, *annotations[2];
    char *image_text, *annotation_text[2];
    size_t image_size, annotation_size[2];
    int64_t next_id;
};

struct dataset *dataset_new(const char *folder)
{
    struct dataset *d = calloc(1, sizeof *d);

    if (!d)
        abort();
    d->folder = folder;
    d->next_id = 101;
    d->images = open_memstream(&d->image_text, &d->image_size);
    for (int k = 0; k < 2; k++)
        d->annotations[k] = open_memstream(&d->annotation_text[k], &d->annotation_size[k]);
    if (!d->images || !d->annotations[0] || !d->annotations[1])
        abort();
    return d;
}

/* Prints at most `digits` digits after the point, without trailing zeros. */
static void put_short(FILE *f, double v, int digits)
{
    char text[64];
    size_t n = (size_t)snprintf(text, sizeof text, "%.*f", digits, v);

    while (n && strchr(text, '.') && text[n - 1] == '0')
        text[--n] = '\0';
    if (n && text[n - 1] == '.')
        text[--n] = '\0';
    fputs(text, f);
}

static void put_number(FILE *f, double v, enum form form)
{
    switch (form) {
    case SHORTEST:
        put_short(f, v, 2);
        break;
    case WHOLE:
        fprintf(f, "%.0f", v);
        break;
    case FIXED:
        fprintf(f, "%.2f", v);
        break;
    case POINT_ZERO:
        fprintf(f, "%.1f", v);
        break;
    }
}

static void put_polygons(FILE *f, const struct object *o)
{
    fputc('[', f);
    for (int i = 0; i < o->rings; i++) {
        fputs(i ? ", [" : "[", f);
        for (int k = 0; k < o->ring[i].n; k++) {
            fputs(k ? ", " : "", f);
            put_number(f, o->ring[i].at[k].x, o->form);
            fputs(", ", f);
            put_number(f, o->ring[i].at[k].y, o->form);
        }
        fputc(']', f);
    }
    fputc(']', f);
}

/* Runs of 0 and 1 down the columns, beginning with zeros. */
static size_t runs(const struct scene *s, int owner, uint32_t *run)
{
    size_t n = 0;
    bool now = false;

    run[0] = 0;
    for (int x = 0; x < s->c.w; x++)
        for (int y = 0; y < s->c.h; y++) {
            bool set = s->owner[y * s->c.w + x] == owner;

            if (set != now) {
                run[++n] = 0;
                now = set;
            }
            run[n]++;
        }
    return n + 1;
}

/* The string of the COCO API: five bits a character, differences to the run before last. */
static void put_string(FILE *f, const uint32_t *run, size_t n)
{
    fputc('"', f);
    for (size_t i = 0; i < n; i++) {
        int64_t v = (int64_t)run[i] - (i > 2 ? (int64_t)run[i - 2] : 0);
        bool more = true;

        while (more) {
            int c = (int)(v & 31);

            v >>= 5; /* arithmetic, as gcc and clang have it */
            more = c & 16 ? v != -1 : v != 0;
            c = (more ? c | 32 : c) + 48;
            if (c == '\\')
                fputc('\\', f);
            fputc(c, f);
        }
    }
    fputc('"', f);
}

static void put_rle(FILE *f, const struct scene *s, int number)
{
    uint32_t *run = malloc(((size_t)s->c.w * (size_t)s->c.h + 1) * sizeof *run);
    size_t n;

    if (!run)
        abort();
    n = runs(s, number + 1, run);
    fputs("{\"counts\": ", f);
    if (s->object[number].kind == COUNTS) {
        for (size_t i = 0; i < n; i++)
            fprintf(f, "%s%u", i ? ", " : "[", run[i]);
        fputc(']', f);
    } else {
        put_string(f, run, n);
    }
    fprintf(f, ", \"size\": [%d, %d]}", s->c.h, s->c.w);
    free(run);
}

/* The bounds and number of the pixels that an object owns. */
static struct bounds visible(const struct scene *s, int number, double *area)
{
    struct bounds b = { 1e9, 1e9, -1e9, -1e9 };

    *area = 0;
    for (int y = 0; y < s->c.h; y++)
        for (int x = 0; x < s->c.w; x++)
            if (s->owner[y * s->c.w + x] == number + 1) {
                b.x0 = fmin(b.x0, x);
                b.y0 = fmin(b.y0, y);
                b.x1 = fmax(b.x1, x + 1);
                b.y1 = fmax(b.y1, y + 1);
                *area += 1;
            }
    return b;
}

static void put_segmentation(FILE *f, const struct scene *s, int number)
{
    const struct object *o = &s->object[number];

    if (o->kind == BOX)
        return;
    fputs("\"segmentation\": ", f);
    if (o->kind == BOX_BARE)
        fputs("[]", f);
    else if (o->kind == POLYGON)
        put_polygons(f, o);
    else
        put_rle(f, s, number);
    fputs(", ", f);
}

static void put_joints(FILE *f, const struct object *o)
{
    int labelled = 0;

    fputs("\"num_keypoints\": ", f);
    for (int i = 0; i < JOINTS; i++)
        labelled += o->joint[i][2] > 0;
    fprintf(f, "%d, \"keypoints\": [", labelled);
    for (int i = 0; i < JOINTS; i++)
        fprintf(f, "%s%d, %d, %d", i ? ", " : "", o->joint[i][0], o->joint[i][1], o->joint[i][2]);
    fputs("], ", f);
}

static void put_object(FILE *f, const struct scene *s, int number, int64_t image, int64_t id)
{
    const struct object *o = &s->object[number];
    bool pixels = o->kind == RLE || o->kind == COUNTS || o->kind == CROWD;
    double area = 0;
    struct bounds b = o->bounds;
    enum form form = pixels && o->form != POINT_ZERO ? WHOLE : o->form;

    if (pixels)
        b = visible(s, number, &area);
    else if (o->kind == POLYGON)
        for (int i = 0; i < o->rings; i++)
            area += ring_area(&o->ring[i]);
    else
        area = (b.x1 - b.x0) * (b.y1 - b.y0);
    fputc('{', f);
    put_segmentation(f, s, number);
    if (o->has_joints)
        put_joints(f, o);
    fputs("\"area\": ", f);
    put_short(f, area, 5);
    fprintf(f, ", \"iscrowd\": %d, \"image_id\": %lld, \"bbox\": [", o->kind == CROWD,
            (long long)image);
    put_number(f, b.x0, form);
    fputs(", ", f);
    put_number(f, b.y0, form);
    fputs(", ", f);
    put_number(f, b.x1 - b.x0, form);
    fputs(", ", f);
    put_number(f, b.y1 - b.y0, form);
    fprintf(f, "], \"category_id\": %d, \"id\": %lld", (int)o->category, (long long)id);
    fprintf(f, "%s%s},\n", o->extra ? ", " : "", o->extra ? o->extra : "");
}

static void make_folder(const char *path)
{
    if (mkdir(path, 0777) && errno != EEXIST) {
        fprintf(stderr, "make_samples: %s: %s\n", path, strerror(errno));
        exit(1);
    }
}

/* FOLDER/kind/name with its suffix replaced when one is given; makes the folders on the way. */
static void path_of(char *path, size_t room, const char *folder, const char *kind, const char *name,
                    const char *suffix)
{
    int stem = suffix ? (int)(strrchr(name, '.') - name) : (int)strlen(name);
    char *slash;

    snprintf(path, room, "%s/%s/%.*s%s", folder, kind, stem, name, suffix ? suffix : "");
    for (slash = path + strlen(folder); (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        make_folder(path);
        *slash = '/';
    }
}

void dataset_add(struct dataset *d, const struct record *r, const struct scene *s)
{
    char path[512];

    scene_check(s, r->file_name);
    path_of(path, sizeof path, d->folder, "images", r->file_name, NULL);
    file_write(path, r->file, r->quality, &s->c);
    path_of(path, sizeof path, d->folder, "masks", r->file_name, ".png");
    file_write_mask(path, s);
    fprintf(d->images,
            "{\"license\": %d, \"file_name\": \"%s\", \"coco_url\": "
            "\"https://example.org/samples/%s\", \"height\": %d, \"width\": %d, "
            "\"date_captured\": \"2024-05-01 09:30:00\", \"id\": %lld%s%s},\n",
            r->license, r->file_name, r->file_name, s->c.h, s->c.w, (long long)r->id,
            r->extra ? ", " : "", r->extra ? r->extra : "");
    for (int k = 0; k < s->n; k++) {
        bool crowd = s->object[k].kind == CROWD;

        /* Crowds have ids of twelve digits in COCO's own files; others have gaps. Two heaps, so
         * that an image's annotations do not stand together. */
        put_object(d->annotations[k % 2], s, k, r->id,
                   crowd ? 900100000000 + d->next_id : d->next_id);
        d->next_id += 1 + d->next_id * 7 % 5;
    }
}

static const char *const head =
    "{\n"
    "\"info\": {\"description\": \"lockstep samples: painted scenes\", \"url\": "
    "\"https:\\/\\/example.org\\/samples\", \"version\": \"1.0\", \"year\": 2024, \"contributor\": "
    "\"make_samples\", \"date_created\": \"2024\\/05\\/01\"},\n"
    "\"licenses\": [\n"
    "{\"url\": \"https://creativecommons.org/publicdomain/zero/1.0/\", \"id\": 1, \"name\": "
    "\"CC0 1.0 Universal\"},\n"
    "{\"url\": \"https://example.org/licence\", \"id\": 4, \"name\": "
    "\"Do as you like \\u2013 \xc3\xa0 votre gr\xc3\xa9\"}\n"
    "],\n"
    "\"mask_labels\": {\"0\": \"none\", \"1-18\": \"as in categories\", \"20\": \"sky\", \"21\": "
    "\"ground\", \"22\": \"road\", \"23\": \"water\", \"24\": \"building\", \"25\": \"plant\", "
    "\"26\": \"pole\", \"27\": \"table\", \"28\": \"hill\"},\n"
    "\"categories\": [\n"
    "{\"supercategory\": \"person\", \"id\": 1, \"name\": \"person\", \"keypoints\": [\"nose\", "
    "\"left_eye\", \"right_eye\", \"left_ear\", \"right_ear\", \"left_shoulder\", "
    "\"right_shoulder\", \"left_elbow\", \"right_elbow\", \"left_wrist\", \"right_wrist\", "
    "\"left_hip\", \"right_hip\", \"left_knee\", \"right_knee\", \"left_ankle\", "
    "\"right_ankle\"], \"skeleton\": [[16, 14], [14, 12], [17, 15], [15, 13], [12, 13], [6, 12], "
    "[7, 13], [6, 7], [6, 8], [7, 9], [8, 10], [9, 11], [2, 3], [1, 2], [1, 3], [2, 4], [3, 5], "
    "[4, 6], [5, 7]]},\n"
    "{\"supercategory\": \"vehicle\", \"id\": 3, \"name\": \"car\"},\n"
    "{\"supercategory\": \"outdoor\", \"id\": 5, \"name\": \"traffic light\"},\n"
    "{\"supercategory\": \"vehicle\", \"id\": 7, \"name\": \"boat\"},\n"
    "{\"supercategory\": \"animal\", \"id\": 8, \"name\": \"bird\"},\n"
    "{\"supercategory\": \"kitchen\", \"id\": 11, \"name\": \"cup\"},\n"
    "{\"supercategory\": \"indoor\", \"id\": 12, \"name\": \"book\"},\n"
    "{\"supercategory\": \"electronic\", \"id\": 13, \"name\": \"laptop\", \"color\": "
    "\"#8c96a0\"},\n"
    "{\"supercategory\": \"food\", \"id\": 14, \"name\": \"apple\"},\n"
    "{\"supercategory\": \"food\", \"id\": 15, \"name\": \"orange\"},\n"
    "{\"supercategory\": \"food\", \"id\": 16, \"name\": \"banana\"},\n"
    "{\"supercategory\": \"sports\", \"id\": 18, \"name\": \"ball\"}\n"
    "],\n";

void dataset_end(struct dataset *d)
{
    char path[512];
    FILE *f;

    fclose(d->images);
    fclose(d->annotations[0]);
    fclose(d->annotations[1]);
    snprintf(path, sizeof path, "%s/annotations.json", d->folder);
    f = fopen(path, "wb");
    if (!f) {
        fprintf(stderr, "make_samples: %s: %s\n", path, strerror(errno));
        exit(1);
    }
    /* Each line ends in a comma; the last of a list loses it. */
    fprintf(f, "%s\"images\": [\n%.*s\n],\n\"annotations\": [\n%s%.*s\n]\n}\n", head,
            (int)d->image_size - 2, d->image_text, d->annotation_text[0],
            (int)d->annotation_size[1] - 2, d->annotation_text[1]);
    if (fclose(f))
        exit(1);
    free(d->image_text);
    free(d->annotation_text[0]);
    free(d->annotation_text[1]);
    free(d);
}
