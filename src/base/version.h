/* version: which lockstep this is. */
#pragma once

#define LOCKSTEP_VERSION "0.1.0"
