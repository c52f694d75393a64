// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* alone_mixed: through the pointer, events are shorter and longer. */
#define WRITES WRITE(16), WRITE(40)
#include "alone.bpf.h"
