/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* flood.h: the events and counters of the load generator. */
#ifndef FLOOD_H
#define FLOOD_H

#define FLOOD_CPUS	   256 /* a power of two */
#define FLOOD_PER_CALL_MAX 100
#define FLOOD_BYTES_MAX	   3800 /* fits into the smallest slots */

/* Numbered per CPU and object; check is the complement of number. */
struct flood {
	unsigned long long number;
	unsigned long long check;
};

/* A longer event; the bytes of fill count up from number. */
struct flood_long {
	unsigned long long number;
	unsigned long long check;
	unsigned char fill[FLOOD_BYTES_MAX - 16];
};

/* Counters of one CPU, on a cache line of their own. */
struct flood_count {
	unsigned long long tries; /* reserves */
	unsigned long long unused[7];
};

#endif /* FLOOD_H */
