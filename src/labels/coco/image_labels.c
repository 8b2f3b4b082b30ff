/* image_labels: classes of a whole image, as members of its element in "images". */
#include "labels/coco/image_labels.h"

#include "base/number.h"

#include <stdio.h>

static const char one_name[] = "category_id", list_name[] = "category_ids",
                  weight_name[] = "weight";

/* --- reading --- */

struct label_reader {
    const struct place *place;
    const struct categories *categories;
    struct pile labels; /* struct image_label */
};

/* Returns the value of a member; its `at` is NULL if it is missing or null. */
static struct slice member_of(struct slice element, const char *name)
{
    struct slice value = pick_again(element, name);

    if (value.at == element.at || *value.at == 'n')
        value.at = NULL;
    return value;
}

bool coco_label_weight_read(const struct place *p, struct slice value, const char *member,
                            double *weight)
{
    if (number_scan(value, weight) == value.length && *weight >= 0 && *weight <= 1)
        return true;
    return place_fault(p, value, member, "label-weight",
                       "expected the weight of a label, a number from 0 to 1");
}

/* The class with this id, once. */
static bool add_label(struct label_reader *r, struct slice id_text, const char *member,
                      double weight)
{
    const struct image_label *labels = r->labels.at;
    const struct category *category;
    unsigned set = 0;
    int64_t id;

    if (!id_read(id_text, &id, &set))
        return place_fault(r->place, id_text, member, "coco-type",
                           "expected the id of a category, or a list of them");
    category = categories_find(r->categories, id);
    if (!category)
        return place_fault(r->place, id_text, member, "label-class", "no category has the id %lld",
                           (long long)id);
    categories_check_listed(r->categories, r->place->faults, id, id_text, "images");
    for (size_t i = 0; i < r->labels.n; i++)
        if (labels[i].category == category)
            return place_fault(r->place, id_text, member, "label-twice",
                               "the image has this label already");
    *(struct image_label *)pile_add(&r->labels, sizeof(struct image_label)) =
        (struct image_label){ category, weight };
    return true;
}

/* {"category_id": 3, "weight": 0.7}, or the id alone. */
static bool read_item(struct label_reader *r, struct slice item, size_t i)
{
    struct slice id = item, weight_text = { 0 };
    char member[64];
    double weight = 1;

    snprintf(member, sizeof member, "%s[%zu]", list_name, i);
    if (*item.at == '{') {
        id = member_of(item, one_name);
        weight_text = member_of(item, weight_name);
    }
    if (!id.at)
        return place_fault(r->place, item, member, r->place->code_missing,
                           "the key \"%s\" is missing", one_name);
    if (weight_text.at && !coco_label_weight_read(r->place, weight_text, member, &weight))
        return false;
    return add_label(r, id, member, weight);
}

static bool read_list(struct label_reader *r, struct slice list)
{
    struct scan s = scan_start(list, 0);
    bool first = true, good = true;
    struct slice item;

    if (*list.at != '[' || !scan_open(&s, '['))
        return place_fault(r->place, list, list_name, "coco-type",
                           "expected a list of ids of categories");
    for (size_t i = 0; scan_element(&s, &first) && scan_value(&s, &item); i++)
        good = read_item(r, item, i) && good;
    return good;
}

/* If all weights are 0, the image has no class, which an empty list says as well. */
static bool check_sum(const struct label_reader *r, struct slice list)
{
    const struct image_label *labels = r->labels.at;
    double sum = 0;

    for (size_t i = 0; i < r->labels.n; i++)
        sum += labels[i].weight;
    return !r->labels.n || sum > 0 ||
           place_fault(r->place, list, list_name, "label-weight",
                       "the weights of an image's labels must not all be 0");
}

bool coco_image_labels_read(const struct place *p, struct slice element,
                            const struct categories *categories, struct arena *arena,
                            struct image_labels *to)
{
    struct label_reader r = { .place = p, .categories = categories };
    struct slice one = member_of(element, one_name), list = member_of(element, list_name);
    bool good;

    if (one.at && list.at)
        good = place_fault(p, list, list_name, "label-twice",
                           "an image may have \"%s\" or \"%s\", not both", one_name, list_name);
    else if (one.at)
        good = add_label(&r, one, one_name, 1);
    else
        good = read_list(&r, list) && check_sum(&r, list);
    to->n = r.labels.n;
    to->at = r.labels.at;
    arena_take_over(arena, r.labels.at);
    return good;
}

/* --- printing --- */

bool coco_is_image_label_key(struct slice name)
{
    return scan_equals(name, one_name) || scan_equals(name, list_name);
}

static bool is_one(const struct output *out)
{
    return out->n_labels == 1 && out->labels->weight == 1;
}

/* Prints ids alone if every weight is 1. */
static void print_list(const struct output *out, struct text *text)
{
    text_addc(text, '[');
    for (size_t i = 0; i < out->n_labels; i++) {
        const struct image_label *label = &out->labels[i];

        text_adds(text, i ? ", " : "");
        if (label->weight == 1) {
            text_add_integer(text, label->category->id);
            continue;
        }
        text_addf(text, "{\"%s\": ", one_name);
        text_add_integer(text, label->category->id);
        text_addf(text, ", \"%s\": ", weight_name);
        number_print(text, label->weight);
        text_addc(text, '}');
    }
    text_addc(text, ']');
}

void coco_image_labels_replace(struct slice name, struct slice source, const struct output *out,
                               struct text *text)
{
    static const size_t around = 4; /* quotes, colon and space */

    if (*source.at != '[' && is_one(out)) {
        text_add_integer(text, out->labels->category->id);
        return;
    }
    text_cut(text, text->length - name.length - around);
    text_addf(text, "\"%s\": ", list_name);
    print_list(out, text);
}

void coco_image_labels_add(const struct output *out, struct text *text)
{
    if (is_one(out)) {
        text_addf(text, ", \"%s\": ", one_name);
        text_add_integer(text, out->labels->category->id);
        return;
    }
    text_addf(text, ", \"%s\": ", list_name);
    print_list(out, text);
}
