/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef TESTS_LIVE_BPF_MANY_BPF_H
#define TESTS_LIVE_BPF_MANY_BPF_H

#define MANY_MAPS 4

/* The start of each map's event; events differ in length. */
struct many_head {
	unsigned int map;    /* its number */
	unsigned int number; /* of the call, counted from 0 */
};

#endif /* TESTS_LIVE_BPF_MANY_BPF_H */
