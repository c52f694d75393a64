/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef MANY_BPF_H
#define MANY_BPF_H

#define MANY_MAPS 4

/* What the event of each map begins with; they differ in length. */
struct many_head {
	unsigned int map;    /* its number */
	unsigned int number; /* of the call, counted from 0 */
};

#endif /* MANY_BPF_H */
