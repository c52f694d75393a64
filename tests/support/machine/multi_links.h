/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* multi_links.h: links of uprobe_multi, tried without the library. */
#ifndef TESTS_SUPPORT_MACHINE_MULTI_LINKS_H
#define TESTS_SUPPORT_MACHINE_MULTI_LINKS_H

#include <stdbool.h>

/*
 * Whether this kernel has links of uprobe_multi whose pid is that of a process, as Linux 6.10 and
 * newer do: the running test fails if such a kernel has none.  Needs root.
 */
bool multi_links__are_possible(void);

/* Loads a program for such a link, which does nothing. */
int multi_links__load_program(void);

#endif /* TESTS_SUPPORT_MACHINE_MULTI_LINKS_H */
