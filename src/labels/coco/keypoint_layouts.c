/* keypoint_layouts: public keypoint layouts, whose owners define the points that swap in a mirror.
 */
#include "labels/coco/keypoint_layouts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The 68 points of 300-W: jaw, brows, nose, eyes, outer and inner lips. */
#define FACE_68                                                                                    \
    "0..7-16..9 17..21-26..22 31-35 32-34 36..39-45..42 40-47 41-46 "                              \
    "48..50-54..52 55-59 56-58 60-64 61-63 65-67"

#define BODY_17 "1-2 3-4 5-6 7-8 9-10 11-12 13-14 15-16"

#define FINGERS(side)                                                                              \
    side "_thumb1..4 " side "_forefinger1..4 " side "_middle_finger1..4 " side                     \
         "_ring_finger1..4 " side "_pinky_finger1..4 "

/* Pairs as the owners' configurations have them ("swap"): mmpose, configs/_base_/datasets/, one
 * file a layout, which name the papers and home pages of the data sets. */
static const struct layout layouts[] = {
    /* faces */
    { "300w", 68, FACE_68, NULL },
    { "wflw", 98,
      "0..15-32..17 33..37-46..42 38..41-50..47 55-59 56-58 60..64-72..68 65..67-75..73 "
      "76..78-82..80 83-87 84-86 88-92 89-91 93-95 96-97",
      NULL },
    { "cofw", 29, "0-1 2-3 4-6 5-7 8-9 10-11 12-14 13-15 16-17 18-19 22-23", NULL },
    { "aflw", 19, "0..2-5..3 6..8-11..9 12-14 15-17", NULL },
    { "lapa", 106,
      "0..15-32..17 33..37-46..42 38..41-50..47 55..59-65..61 66..70-79..75 71..73-82..80 74-83 "
      "84..86-90..88 91-95 92-94 96-100 97-99 101-103 104-105",
      NULL },
    /* bodies */
    { "coco", 17, BODY_17, NULL },
    { "coco_wholebody", 133,
      BODY_17 " 17..19-20..22 23..30-39..32 40..44-49..45 54-58 55-57 59..62-68..65 63-70 64-69 "
              "71..73-77..75 78-82 79-81 83-87 84-86 88-90 91..111-112..132",
      "nose left_eye right_eye left_ear right_ear left_shoulder right_shoulder left_elbow "
      "right_elbow left_wrist right_wrist left_hip right_hip left_knee right_knee left_ankle "
      "right_ankle left_big_toe left_small_toe left_heel right_big_toe right_small_toe right_heel "
      "face-0..67 left_hand_root " FINGERS("left") "right_hand_root " FINGERS("right") },
    { "coco_wholebody_openpose", 134,
      "2..4-5..7 8..10-11..13 14-15 16-17 18..20-21..23 24..31-40..33 41..45-50..46 55-59 56-58 "
      "60..63-69..66 64-71 65-70 72..74-78..76 79-83 80-82 84-88 85-87 89-91 92..112-113..133",
      "nose neck right_shoulder right_elbow right_wrist left_shoulder left_elbow left_wrist "
      "right_hip right_knee right_ankle left_hip left_knee left_ankle right_eye left_eye right_ear "
      "left_ear left_big_toe left_small_toe left_heel right_big_toe right_small_toe right_heel "
      "face-0..67 left_hand_root " FINGERS("left") "right_hand_root " FINGERS("right") },
    { "halpe26", 26, BODY_17 " 20-21 22-23 24-25", NULL },
    { "halpe", 136,
      BODY_17
      " 20-21 22-23 24-25 26..33-42..35 43..47-52..48 57-61 58-60 62..65-71..68 66-73 67-72 "
      "74..76-80..78 81-85 82-84 86-90 87-89 91-93 94..114-115..135",
      "nose left_eye right_eye left_ear right_ear left_shoulder right_shoulder left_elbow "
      "right_elbow left_wrist right_wrist left_hip right_hip left_knee right_knee left_ankle "
      "right_ankle head neck hip left_big_toe right_big_toe left_small_toe right_small_toe "
      "left_heel right_heel face-0..67 left_wrist " FINGERS("left") "right_wrist " FINGERS(
          "right") },
    { "ap10k", 17, "0-1 5..7-8..10 11..13-14..16", NULL },
    { "hand", 21, "", NULL },
    { "interhand", 42, "0..20-21..41", NULL },
};

/* --- ranges --- */

/* "17..21", or "17": its first and last number; what follows it. */
static const char *read_range(const char *p, size_t *first, size_t *last)
{
    char *end;

    *first = *last = strtoul(p, &end, 10);
    if (strncmp(end, "..", 2) == 0)
        *last = strtoul(end + 2, &end, 10);
    return end;
}

/* The k-th number of a range that goes up or down. */
static size_t range_at(size_t first, size_t last, size_t k)
{
    return first <= last ? first + k : first - k;
}

void layout_mirror(const struct layout *layout, size_t *mirror)
{
    for (size_t i = 0; i < layout->n; i++)
        mirror[i] = i;
    for (const char *p = layout->pairs; *p; p += strspn(p, " ")) {
        size_t a, a_last, b, b_last, n;

        p = read_range(p, &a, &a_last);
        p = read_range(p + 1, &b, &b_last);
        n = (a < a_last ? a_last - a : a - a_last) + 1;
        for (size_t k = 0; k < n; k++) {
            mirror[range_at(a, a_last, k)] = range_at(b, b_last, k);
            mirror[range_at(b, b_last, k)] = range_at(a, a_last, k);
        }
    }
}

/* --- finding --- */

const struct layout *layout_at(size_t index)
{
    return index < COUNTOF(layouts) ? &layouts[index] : NULL;
}

const struct layout *layout_find(const char *name)
{
    for (size_t i = 0; i < COUNTOF(layouts); i++)
        if (strcasecmp(layouts[i].name, name) == 0)
            return &layouts[i];
    return NULL;
}

/* True if the name is the stem followed by this number. */
static bool is_numbered(const char *name, const char *stem, size_t length, size_t number)
{
    char digits[24];

    snprintf(digits, sizeof digits, "%zu", number);
    return strncmp(name, stem, length) == 0 && strcmp(name + length, digits) == 0;
}

/* Do `word` bytes, "nose" or "face-0..67", name the first of the n names? How many it names; 0
 * when it does not. */
static size_t match_word(const char *word, size_t length, const char *const *names, size_t n)
{
    const char *dots = memmem(word, length, "..", 2);
    size_t stem = dots ? (size_t)(dots - word) : length, first, last;

    if (!dots)
        return n && strncmp(names[0], word, length) == 0 && !names[0][length];
    while (stem && word[stem - 1] >= '0' && word[stem - 1] <= '9')
        stem--;
    read_range(word + stem, &first, &last);
    for (size_t k = first; k <= last; k++)
        if (k - first >= n || !is_numbered(names[k - first], word, stem, k))
            return 0;
    return last - first + 1;
}

static bool has_names(const struct layout *layout, const char *const *names)
{
    size_t i = 0;

    for (const char *p = layout->names; *p; p += strspn(p, " ")) {
        size_t length = strcspn(p, " "), matched = match_word(p, length, names + i, layout->n - i);

        if (!matched)
            return false;
        i += matched;
        p += length;
    }
    return i == layout->n;
}

const struct layout *layout_of_names(const char *const *names, size_t n)
{
    for (size_t i = 0; i < COUNTOF(layouts); i++)
        if (layouts[i].names && layouts[i].n == n && has_names(&layouts[i], names))
            return &layouts[i];
    return NULL;
}
