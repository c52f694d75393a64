/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_CHANNEL_TASK_HELPERS_H
#define PEAT_CHANNEL_TASK_HELPERS_H

#include <stdbool.h>
#include <bpf/libbpf.h>

/*
 * Whether all programs of an object may call this helper about the running task.  Events of an
 * object have one layout, so one program that may not is enough.
 */
bool task_helpers__have(struct bpf_object *object, enum bpf_func_id helper);

/* Whether any program of the object runs for packets, which have no task. */
bool task_helpers__are_for_packets(const struct bpf_object *object);

#endif /* PEAT_CHANNEL_TASK_HELPERS_H */
