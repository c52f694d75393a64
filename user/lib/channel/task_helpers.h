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

/* A program of the object that is not left out and runs for packets, which have no task; or NULL.
 */
const struct bpf_program *task_helpers__find_for_packets(const struct bpf_object *object);

/* Likewise a program that runs for tasks. */
const struct bpf_program *task_helpers__find_for_tasks(const struct bpf_object *object);

#endif /* PEAT_CHANNEL_TASK_HELPERS_H */
