// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* kinds: an object with the BTF of a struct; it is never loaded. */
#include <vmlinux.h>
#include <peat/peat.bpf.h>
#include "../../support/where/kinds.bpf.h"

struct kinds kinds;
