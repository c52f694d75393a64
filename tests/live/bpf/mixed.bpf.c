// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* mixed: a program on packets beside one of tasks. */
#include "kinds.bpf.h"

KIND("tc", of_tc, true, 0)
KIND("raw_tp/task_rename", of_renames, true, 0)
