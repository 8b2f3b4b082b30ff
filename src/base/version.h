/* version: the version of lockstep. */
#pragma once

#define LOCKSTEP_VERSION "0.1.0"
