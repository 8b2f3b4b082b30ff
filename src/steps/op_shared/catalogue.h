/* catalogue: groups of ops and transforms in listings, and the libraries that names come from. */
#pragma once

/* The heading under which an op or transform is listed. */
enum group {
    GROUP_NONE, /* neither op nor transform */
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

/* The library that defines an entry's name and parameters. */
enum origin {
    ORIGIN_NONE, /* neither op nor transform */
    ORIGIN_TORCHVISION,
    ORIGIN_ALBUMENTATIONS,
    ORIGIN_YOLO,
    ORIGIN_MMDETECTION,
    ORIGIN_OWN,
    ORIGIN_PLUGIN,
    ORIGINS,
};
