/* test_camera: camera matrices that move with an image, and RQ decomposition. */
#include "geom/camera.h"

#include "unit.h"

#include <cjson/cJSON.h>
#include <string.h>

static const cJSON *get(const cJSON *o, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(o, name);
}

static bool is_word(const cJSON *o, const char *name, const char *word)
{
    return strcmp(get(o, name)->valuestring, word) == 0;
}

/* Reads the first three columns, and the fourth if there is one. */
static struct camera read_matrix(const cJSON *rows)
{
    struct camera c = { 0 };

    for (int i = 0; i < 3; i++) {
        const cJSON *row = cJSON_GetArrayItem(rows, i), *fourth = cJSON_GetArrayItem(row, 3);

        for (int j = 0; j < 3; j++)
            c.matrix.m[3 * i + j] = cJSON_GetArrayItem(row, j)->valuedouble;
        c.last[i] = fourth ? fourth->valuedouble : 0;
    }
    return c;
}

static double largest(const double *v, int n)
{
    double max = 0;

    for (int i = 0; i < n; i++)
        max = fmax(max, fabs(v[i]));
    return max;
}

static void check_all(const double *a, const double *b, int n, double slack)
{
    for (int i = 0; i < n; i++)
        CHECK_NEAR(a[i], b[i], slack);
}

static void check_split(const cJSON *o, const struct camera *c)
{
    const struct posed_camera p = camera_split(c);
    const cJSON *wanted = get(o, "decomposed"), *t = get(wanted, "t");
    struct camera k = read_matrix(get(wanted, "K")), r = read_matrix(get(wanted, "R"));

    CHECK(camera_is_regular(c));
    check_all(p.intrinsics.m, k.matrix.m, 9, 1e-9 * largest(k.matrix.m, 9));
    check_all(p.rotation.m, r.matrix.m, 9, 1e-9);
    for (int i = 0; t && i < 3; i++)
        CHECK_NEAR(p.translation[i], cJSON_GetArrayItem(t, i)->valuedouble,
                   1e-9 * fmax(1, fabs(cJSON_GetArrayItem(t, i)->valuedouble)));
}

static void check_case(const cJSON *o)
{
    struct camera c, wanted, map;

    if (is_word(o, "kind", "fxfycxcy")) {
        CHECK(get(o, "map") != NULL);
        return;
    }
    c = read_matrix(get(o, "input"));
    if (!is_word(o, "kind", "rq")) {
        wanted = read_matrix(get(o, "expected"));
        map = read_matrix(get(o, "map"));
        camera_move(&c, &map.matrix, false);
        check_all(c.matrix.m, wanted.matrix.m, 9, 1e-9 * largest(wanted.matrix.m, 9));
        check_all(c.last, wanted.last, 3, 1e-9 * fmax(1, largest(wanted.last, 3)));
        CHECK(camera_is_triangular(&c) == cJSON_IsTrue(get(o, "upper_triangular")));
        if (get(o, "decomposed_also")) /* fy is negative, and becomes positive */
            CHECK(c.matrix.m[4] < 0);
    }
    check_split(o, &c);
}

static void test_golden(void)
{
    FILE *file = fopen("tests/golden/camera.jsonl", "r");
    char *line = NULL;
    size_t room = 0, lines = 0;

    if (!CHECK(file != NULL))
        return;
    while (getline(&line, &room, file) > 0) {
        cJSON *o = cJSON_Parse(line);

        if (!CHECK(o != NULL))
            continue;
        snprintf(unit_subject, sizeof unit_subject, "%s", get(o, "id")->valuestring);
        check_case(o);
        cJSON_Delete(o);
        lines++;
    }
    *unit_subject = '\0';
    CHECK(lines == 101);
    free(line);
    fclose(file);
}

static struct point project(const struct camera *c, const double x[3])
{
    const double *m = c->matrix.m;
    double v[3];

    for (int i = 0; i < 3; i++)
        v[i] = m[3 * i] * x[0] + m[3 * i + 1] * x[1] + m[3 * i + 2] * x[2] + c->last[i];
    return (struct point){ v[0] / v[2], v[1] / v[2] };
}

static struct camera random_camera(void)
{
    return (struct camera){ .matrix = { { unit_double(300, 900), 0, unit_double(200, 400), 0,
                                          unit_double(300, 900), unit_double(200, 400), 0, 0, 1 } },
                            .last = { unit_double(-9, 9), unit_double(-9, 9), 0.1 } };
}

/* A camera that counts from pixel centers projects to the same place of the image, half a pixel
 * less. */
static void test_points(void)
{
    const struct mat3 map = { { 0.8, -0.5, 31, 0.6, 0.7, -12, 1e-4, -2e-4, 1 } };

    for (int i = 0; i < 10000; i++) {
        const double x[] = { unit_double(-2, 2), unit_double(-2, 2), unit_double(4, 40) };
        struct camera old = random_camera(), by_corner = old, by_center = old;
        struct point p = project(&old, x), q = mat3_apply(&map, p);
        struct point half = mat3_apply(&map, (struct point){ p.x + 0.5, p.y + 0.5 }), r;

        camera_move(&by_corner, &map, false);
        r = project(&by_corner, x);
        CHECK_NEAR(r.x, q.x, 1e-9 * fmax(1, fabs(q.x)));
        CHECK_NEAR(r.y, q.y, 1e-9 * fmax(1, fabs(q.y)));
        camera_move(&by_center, &map, true);
        r = project(&by_center, x);
        CHECK_NEAR(r.x, half.x - 0.5, 1e-9 * fmax(1, fabs(half.x)));
        CHECK_NEAR(r.y, half.y - 0.5, 1e-9 * fmax(1, fabs(half.y)));
    }
}

static void test_four(void)
{
    struct camera c = { .matrix = { { -500, 1e-14, 320, 0, 400, 240, 0, 0, 2 } } };
    double four[4];

    CHECK(camera_four(&c, four));
    CHECK(four[0] == -250 && four[1] == 200 && four[2] == 160 && four[3] == 120);
    c.matrix.m[1] = 1e-6;
    CHECK(!camera_four(&c, four) && camera_is_triangular(&c));
    c.matrix.m[3] = 1e-6;
    CHECK(!camera_is_triangular(&c));
    c = (struct camera){ .matrix = { { 1, 2, 3, 2, 4, 6, 0, 0, 1 } } };
    CHECK(!camera_is_regular(&c));
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_golden),
        TEST(test_points),
        TEST(test_four),
    };

    return unit_main(tests, COUNTOF(tests));
}
