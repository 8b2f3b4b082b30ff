/* self: the placeholder for the process id in the filter of system calls. */
#pragma once

/* Larger than any process id. */
enum { FILTER_SELF = 0x51f1f1f1 };
