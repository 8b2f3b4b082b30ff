/* scenes: the pictures of the samples, one function each. */
#pragma once

#include "scene.h"

struct scene street_houses(void);
struct scene street_crossing(void);
struct scene street_night(void);
struct scene harbour_bay(void);
struct scene harbour_sunset(void);
struct scene harbour_rowing(void);
struct scene desk_work(void);
struct scene desk_cutout(void);
struct scene fruit_table(void);
struct scene fruit_apples(void);
struct scene hills_flock(void);
struct scene hills_mist(void);
struct scene hills_wires(void);
struct scene park_lawn(void);
struct scene park_portrait(void);
