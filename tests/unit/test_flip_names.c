/* test_flip_names: which names change places in a mirror. */
#include "labels/coco/flip_names.h"

#include "labels/coco/keypoint_layouts.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { MAX_NAME = 48 };

/* Lists, as words separated by commas, and the result for each name: the digit of its partner
 * (hexadecimal), or - for none, ! for a side alone, ? for perhaps a side. */
static const struct {
    const char *names, *sides;
} lists[] = {
    /* words */
    { "nose,left_eye,right_eye", "-21" },
    { "L_ear,r_ear,hip_l,Hip_R", "1032" },
    { "kneeLEFT,left_arm,leftfoot,r_foot", "!!!!" },
    { "Left,RIGHT,a-left-b,a-right-b,upper left,upper right", "103254" },
    { "lLeg,rLeg,LWrist,RWrist,toeL,toeR", "103254" },
    { "backLeftPaw,backRightPaw,lefthand,righthand,left1,right1", "103254" },
    { "shoeright,shoeleft,bright,cleft", "10--" },
    { "left_a,right_a,left_a", "10!" },
    { "Left_a,right_a,left_a", "10!" },
    { "nose,tail,,elbow,collar,ball,girl,lip", "--------" },
    /* letters inside, with numbers and brackets */
    { "forelegL1,forelegR1,forelegL2,forelegR2", "1032" },
    { "leg_L_1,leg_R_1,kneeL_front,kneeR_front", "1032" },
    { "thumbR4,thumbL4,lt_ear,rt_ear,rgt ear,lft ear", "103254" },
    { "eye(L),eye(R),ear[left],ear[right],lip{r},lip{l}", "103254" },
    { "L2,R2,L3,a_l_b", "10!!" },
    { "l-eye,r-eye,Eye:l,Eye:r,eye/left,eye/right", "103254" },
    /* both a word and a letter: the word is the side */
    { "left_L5,right_L5,left_r2,right_r2", "1032" },
    { "left_l5,left_r5", "??" },
    /* single letters */
    { "L,R", "10" },
    { "l,nose,r", "2-0" },
    { "L,M,R", "?-?" },
    { "A,L,B,R,C", "-?-?-" },
    { "A,L,B,C", "----" },
    { "point_a,point_l,point_r", "-??" },
    { "C1,T1,L1,L2,L3,T2,T3", "-------" },
    { "C1,T1,L1,R1", "--??" },
    { "leg_L,leg_M,leg_R", "2-0" },
    { "toeL,toeR,toes", "10-" },
    { "toe_l,toe_r,toe_s", "\?\?-" },
    /* perhaps */
    { "lsho,rsho,elbl,elbr,FL,FR,HL,HR", "????????" },
    { "tail,tair,lip_upper,rip_upper,LASI,RASI", "??????" },
    { "LFPaw,RFPaw,thumbl4,thumbr4", "????" },
    { "collar,corrar", "??" },
    /* misspelt */
    { "earleft,earright,eyeleft,eyerigth,nose", "10?--" },
    { "ojo_izquierdo,ojo_drecho,oeil_gauche,oeil_drot", "?-?-" },
    { "cleft,clift,bright,brittle,link1,rest1,\u5de6\u8033,\u773c\u8033", "--------" },
    /* other languages, only in pairs */
    { "oeil_gauche,oeil_droite,linkes Auge,rechtes Auge,link1,link2", "1032--" },
    { "ojo izquierdo,ojo derecho,occhio sinistro,occhio destro", "1032" },
    { "oeil_gauche,oeil_droit,main_gauche,main_droite,pied droit,pied gauche", "103254" },
    { "occhio_sx,occhio_dx,ojo izq,ojo der,lewe oko,prawe oko", "103254" },
    { "\u5de6\u8033,\u53f3\u8033,\u9f3b", "10-" },
    { "\u00e9paule_L,\u00e9paule_R,\u00e9paule", "10-" },
    /* conventions mixed in one list */
    { "l_eye,right_eye,r_eye,left_eye", "2301" },
    { "left_eye,r_eye", "!!" },
    { "eyeleft,righteye", "-!" },
};

/* Names by commas to a list, in the scratch text. */
static size_t split(char *text, const char **names)
{
    size_t n = 0;

    names[n++] = text;
    for (char *p = text; *p; p++)
        if (*p == ',') {
            *p = '\0';
            names[n++] = p + 1;
        }
    return n;
}

static char sign_of(const struct flip_name *name)
{
    switch (name->side) {
    case FLIP_PAIRED:
        return "0123456789abcdef"[name->partner];
    case FLIP_ALONE:
        return '!';
    case FLIP_UNSURE:
        return '?';
    default:
        return '-';
    }
}

static void test_lists(void)
{
    for (size_t i = 0; i < COUNTOF(lists); i++) {
        const char *names[MAX_NAME];
        struct flip_name pairs[MAX_NAME];
        char text[1000], signs[MAX_NAME + 1] = "";
        size_t n;

        strcpy(text, lists[i].names);
        n = split(text, names);
        flip_names_pair(names, n, pairs);
        for (size_t k = 0; k < n; k++)
            signs[k] = sign_of(&pairs[k]);
        if (!CHECK(strcmp(signs, lists[i].sides) == 0))
            fprintf(stderr, "    %s: %s\n", lists[i].names, signs);
    }
}

/* Combines random names, every other one from the opposites of the name before. A partner's partner
 * is the name itself, and no name is its own partner. */
static void test_involution(void)
{
    static const char *const parts[][2] = {
        { "l", "r" },        { "L", "R" },   { "left", "right" },    { "Left", "Right" },
        { "LEFT", "RIGHT" }, { "lt", "rt" }, { "gauche", "droite" }, { "(", "(" },
        { "_", "_" },        { "1", "1" },   { "2", "2" },           { "eye", "eye" },
        { "Ear", "Ear" },    { "m", "m" },   { "tail", "tail" },     { " ", " " },
    };
    size_t paired = 0;

    for (int round = 0; round < 3000; round++) {
        char text[MAX_NAME][64];
        const char *names[MAX_NAME];
        struct flip_name pairs[MAX_NAME];
        size_t n = (size_t)unit_int(1, 7) * 2;

        for (size_t i = 0; i < n; i += 2) {
            *text[i] = *text[i + 1] = '\0';
            for (int k = unit_int(1, 4); k; k--) {
                int part = unit_int(0, COUNTOF(parts) - 1), side = unit_int(0, 1);

                strcat(text[i], parts[part][side]);
                strcat(text[i + 1], parts[part][!side]);
            }
            names[i] = text[i];
            names[i + 1] = text[i + 1];
        }
        flip_names_pair(names, n, pairs);
        for (size_t i = 0; i < n; i++) {
            size_t j = pairs[i].partner;
            bool other = pairs[i].side == FLIP_PAIRED || pairs[i].side == FLIP_UNSURE;

            CHECK(j < n && other == (j != i));
            if (pairs[i].side == FLIP_PAIRED) {
                CHECK(pairs[j].side == FLIP_PAIRED && pairs[j].partner == i);
                paired++;
            }
        }
    }
    CHECK(paired > 3000);
}

/* A name is sided if it is so beside each other name, or, if alone it is not, beside any. */
static bool is_sided(char (*text)[64], size_t n, size_t i)
{
    const char *names[2] = { text[i] }, *sided[2];
    bool alone = flip_names_sided(names, 1, sided), all = true, any = false;

    for (size_t j = 0; j < n; j++) {
        bool is;

        if (j == i)
            continue;
        names[1] = text[j];
        is = flip_names_sided(names, 2, sided) && sided[0] == names[0];
        all &= is;
        any |= is;
    }
    return alone ? all : any;
}

/* Lists of names put together at random, no two alike, have the sided names that each two of their
 * names have. */
static void test_sided(void)
{
    static const char *const parts[] = { "l", "r",    "R",     "a",  "m",        "C",       "left",
                                         "_", "toe",  "Toe",   "1",  "eyeright", "eyeleft", " ",
                                         "L", "link", "recht", "sx", "Dx" };
    size_t sided_names = 0, others = 0;

    for (int round = 0; round < 300; round++) {
        const char *names[MAX_NAME], *sided[MAX_NAME];
        char text[MAX_NAME][64];
        size_t n = 0, count, at = 0;

        for (int k = unit_int(1, MAX_NAME); k; k--) {
            bool alike = false;

            *text[n] = '\0';
            for (int m = unit_int(1, 4); m; m--)
                strcat(text[n], parts[unit_int(0, COUNTOF(parts) - 1)]);
            for (size_t i = 0; i < n; i++)
                alike |= strcasecmp(text[i], text[n]) == 0;
            names[n] = text[n];
            n += !alike;
        }
        count = flip_names_sided(names, n, sided);
        for (size_t i = 0; i < n; i++) {
            bool is = at < count && sided[at] == names[i];

            if (!CHECK(is == is_sided(text, n, i)))
                fprintf(stderr, "    %s of %zu names\n", names[i], n);
            at += is;
            sided_names += is;
            others += !is;
        }
        CHECK(at == count);
    }
    CHECK(sided_names > 1000 && others > 1000);
}

/* Twenty thousand names take less than a second of processor time, whatever their sides are. */
static void test_many_names(void)
{
    static const char *const forms[][2] = { { "l thing", "" }, { "a", "" },    { "point_r_", "" },
                                            { "eyeleft", "" }, { "Left", "" }, { "toe", "L" } };
    enum { MANY = 20000 };
    char(*text)[24] = memory_take(MANY * sizeof *text);
    const char **names = memory_take(MANY * sizeof *names),
               **sided = memory_take(MANY * sizeof *sided);
    clock_t start = clock();

    for (int i = 0; i < MANY; i++) {
        snprintf(text[i], sizeof text[i], "%s%d%s", forms[i % (int)COUNTOF(forms)][0], i,
                 forms[i % (int)COUNTOF(forms)][1]);
        names[i] = text[i];
    }
    CHECK(flip_names_sided(names, MANY, sided) > MANY / 2);
    CHECK((double)(clock() - start) / CLOCKS_PER_SEC < 1);
    free(sided);
    free(names);
    free(text);
}

/* Lists, and the first name that says nothing; -1 for none. */
static const struct {
    const char *names;
    int unnamed;
} nameless[] = {
    { "kpt-0,kpt-1,kpt-2", 0 },
    { "1,2,3,4", 0 },
    { "a,b,c", 0 },
    { "point_a,point_b", 0 },
    { "jaw1,jaw2,brow1", 0 },
    { ",", 0 },
    { "?,...", 0 },
    { "keypoint,keypoint", 0 },
    { "kpt-0", -1 },
    { "nose,tail", -1 },
    { "wrist,thumb1,thumb2,thumb3,thumb4", -1 },
    { "left_1,right_1", -1 },
    { "nose,s1,s2,s3,s4,s5,s6,s7,s8,s9,s10,s11,s12,s13,s14,s15", -1 },
    { "nose,s1,s2,s3,s4,s5,s6,s7,s8,s9,s10,s11,s12,s13,s14,s15,s16", 1 },
    { "left_a,right_a,f-0,f-1,f-2,f-3,f-4,f-5,f-6,f-7,f-8,f-9,f-10,f-11,f-12,f-13,f-14,f-15", 2 },
};

static void test_nameless(void)
{
    for (size_t i = 0; i < COUNTOF(nameless); i++) {
        const char *names[MAX_NAME];
        struct flip_name pairs[MAX_NAME];
        char text[1000];
        size_t n, unnamed;

        strcpy(text, nameless[i].names);
        n = split(text, names);
        flip_names_pair(names, n, pairs);
        unnamed = flip_names_unnamed(names, n, pairs);
        if (!CHECK(unnamed == (nameless[i].unnamed < 0 ? n : (size_t)nameless[i].unnamed)))
            fprintf(stderr, "    %s: %zu\n", nameless[i].names, unnamed);
    }
}

/* Every layout's pairs are of its own keypoints, and undo themselves; its name finds it. */
static void test_layouts(void)
{
    size_t mirror[4096], n = 0;
    const struct layout *layout;

    for (; (layout = layout_at(n)); n++) {
        CHECK(layout_find(layout->name) == layout && layout->n <= COUNTOF(mirror));
        layout_mirror(layout, mirror);
        for (size_t i = 0; i < layout->n; i++)
            if (!CHECK(mirror[i] < layout->n && mirror[mirror[i]] == i))
                fprintf(stderr, "    %s: %zu\n", layout->name, i);
    }
    CHECK(n > 10 && !layout_find("") && !layout_find("300") && layout_find("300W"));
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_lists),      TEST(test_involution), TEST(test_sided),
        TEST(test_many_names), TEST(test_nameless),   TEST(test_layouts),
    };

    return unit_main(tests, COUNTOF(tests));
}
