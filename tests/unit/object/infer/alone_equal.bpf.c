// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* alone_equal: all events have one size. */
#define WRITES WRITE(24)
#include "alone.bpf.h"
