/* self: what stands in the filter of system calls for the process that it is of. */
#pragma once

/* Larger than any process's number. */
enum { FILTER_SELF = 0x51f1f1f1 };
