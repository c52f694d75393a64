/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_EVENT_STACK_H
#define PEAT_EVENT_STACK_H

#include <peat/stack.h>

/*
 * True if the kernel addresses of the event's stack begin with frames of the BPF program that took
 * it, and of the kernel's code that ran the program.
 */
bool stack__begins_with_program(const struct peat_event *event);

#endif /* PEAT_EVENT_STACK_H */
