/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * stored.h: counts the events of bpf/flood.bpf.c in files of recordings that follow each other.
 *
 * It is a reader of its own, which uses nothing of peat: it reads the records of perf.data that
 * stock perf reads, and the numbers in the events.  A failure here fails the test.
 */
#ifndef TESTS_FLEET_STORED_H
#define TESTS_FLEET_STORED_H

#include <stdbool.h>
#include <stdint.h>

struct stored {
	uint64_t pieces, samples;
	uint64_t events;     /* different ones */
	uint64_t repeated;   /* samples of events that were there before */
	uint64_t disordered; /* samples after newer ones of their CPU */
};

/* All zero: no files yet. */
void stored__add_file(struct stored *stored, const char *path);

/* The same for a file whose writer was killed: its last record may be cut. */
void stored__add_cut_file(struct stored *stored, const char *path);

/* Forgets all numbers. */
void stored__free(struct stored *stored);

#endif /* TESTS_FLEET_STORED_H */
