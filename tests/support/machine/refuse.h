/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* refuse.h: makes the kernel refuse calls, like an older kernel. */
#ifndef TESTS_SUPPORT_MACHINE_REFUSE_H
#define TESTS_SUPPORT_MACHINE_REFUSE_H

#include <stdbool.h>
#include <linux/bpf.h>

/*
 * From now on, the command fails with EINVAL in this thread and in those that it starts.  False:
 * seccomp filters are not possible here.
 */
bool refuse__bpf(enum bpf_cmd command);

/* Likewise, a system call fails with this errno. */
bool refuse__call(long number, int err);

#endif /* TESTS_SUPPORT_MACHINE_REFUSE_H */
