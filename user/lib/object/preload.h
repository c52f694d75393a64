/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/preload.h: sleepable programs that touch memory for the others of their function:
 * PEAT_PRELOAD.  An object works without them.
 */
#ifndef PEAT_OBJECT_PRELOAD_H
#define PEAT_OBJECT_PRELOAD_H

#include <stdbool.h>

struct bpf_object;
struct bpf_program;

/* Whether the program is sleepable, by its section, as "fentry.s/..." or "uprobe.s". */
bool preload__is_sleepable(const struct bpf_program *program);

/* Whether the program has PEAT_PRELOAD, and is sleepable. */
bool preload__accepts(const struct bpf_object *object, const struct bpf_program *program);

/* Whether the object has such a program. */
bool preload__any(const struct bpf_object *object);

/* 0, or -EINVAL, logged: a program has PEAT_PRELOAD, but is not of uprobe.s or uretprobe.s. */
int preload__check(const struct bpf_object *object);

#endif /* PEAT_OBJECT_PRELOAD_H */
