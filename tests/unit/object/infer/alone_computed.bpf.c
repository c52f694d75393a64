// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* alone_computed: through the pointer, events have a size that is computed. */
#define WRITES WRITE(amount & 31)
#include "alone.bpf.h"
