/* catalogue: how lists of ops and transforms sort their entries, and where a name comes from. */
#pragma once

/* What an entry is listed under. */
enum group {
    GROUP_NONE, /* of no op or transform */
    GROUP_GEOMETRY,
    GROUP_CROP,
    GROUP_COLOUR,
    GROUP_BLUR,
    GROUP_NOISE,
    GROUP_WEATHER,
    GROUP_DROPOUT,
    GROUP_POLICY,
    GROUP_JOIN,
    GROUP_LABELS,
    GROUPS,
};

/* The library whose name and parameters an entry has. */
enum origin {
    ORIGIN_NONE, /* of no op or transform */
    ORIGIN_TORCHVISION,
    ORIGIN_ALBUMENTATIONS,
    ORIGIN_YOLO,
    ORIGIN_MMDETECTION,
    ORIGIN_OWN,
    ORIGIN_PLUGIN,
    ORIGINS,
};
