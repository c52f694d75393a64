/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ring/stack_opts.h: the stacks that users request, and how the kernel samples them. */
#ifndef PEAT_RING_STACK_OPTS_H
#define PEAT_RING_STACK_OPTS_H

#include <stdint.h>
#include <linux/perf_event.h>

#include <peat/channel.h>
#include <peat/record.h>
#include <peat/wire.h>

/* The bits of kinds that are stacks.  PEAT_STACK_NONE is the only other value. */
#define STACK_OPTS_KINDS                                                                           \
	((uint32_t)PEAT_STACK_KERNEL | (uint32_t)PEAT_STACK_USER | (uint32_t)PEAT_STACK_DWARF)

/* The kernel's limit of addresses (kernel.perf_event_max_stack), at most 1024. */
uint32_t stack_opts__max_depth(void);

/*
 * Checks a request and sets defaults for members that are 0.  0, or -EINVAL, with the reason in the
 * log; `what` names the struct of the options.
 */
int stack_opts__set_defaults(struct peat_stack_request *opts, const char *what);

/*
 * Makes an event sample the stacks.  Kernel and user addresses of a sample share its limit, which
 * is the sum of both, if the kernel allows that many.
 */
void stack_opts__set_attr(const struct peat_stack_request *opts, struct perf_event_attr *attr);

/* The same for the layout of its samples. */
void stack_opts__set_layout(const struct peat_stack_request *opts, struct peat_layout *layout);

#endif /* PEAT_RING_STACK_OPTS_H */
