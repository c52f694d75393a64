/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* flood.h: the events of the load generator, and what it counts. */
#ifndef FLOOD_H
#define FLOOD_H

#define FLOOD_CPUS	   256 /* a power of two */
#define FLOOD_PER_CALL_MAX 100
#define FLOOD_BYTES_MAX	   3800 /* fits the smallest slots */

/* Numbered for each CPU and object; the check is the complement. */
struct flood {
	unsigned long long number;
	unsigned long long check;
};

/* The same, longer: the bytes count up from the number. */
struct flood_long {
	unsigned long long number;
	unsigned long long check;
	unsigned char fill[FLOOD_BYTES_MAX - 16];
};

/* Of one CPU, on a cache line of its own. */
struct flood_count {
	unsigned long long tries; /* reserves */
	unsigned long long unused[7];
};

#endif /* FLOOD_H */
