/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * sections.h: the features and the records of a perf.data that is known to be sound, found by the
 * least code, which shares nothing with the library's.
 */
#ifndef SECTIONS_H
#define SECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sections {
	uint8_t *bytes;
	size_t count;
	bool pipe;
};

/* Aborts when it is no perf.data of this machine's byte order. */
void sections__read(struct sections *file, const char *path);
void sections__free(struct sections *file);

/* Calls back for each feature, those of records FEATURE too, and for each record. */
void sections__each_feature(const struct sections *file,
			    void (*fn)(uint64_t id, const uint8_t *at, size_t bytes, void *arg),
			    void *arg);
void sections__each_record(const struct sections *file,
			   void (*fn)(const uint8_t *at, size_t bytes, void *arg), void *arg);

/* Path of a file of the corpus: in $PEAT_CORPUS, or beside this checkout; NULL: it is not there. */
const char *sections__corpus(const char *name);

/* The names of all files there, sorted, to NULL; NULL when there is no corpus. */
const char *const *sections__corpus_names(void);

#endif /* SECTIONS_H */
