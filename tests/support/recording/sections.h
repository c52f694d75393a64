/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * sections.h: finds the features and records of an intact perf.data, without the library's code.
 */
#ifndef TESTS_SUPPORT_RECORDING_SECTIONS_H
#define TESTS_SUPPORT_RECORDING_SECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sections {
	uint8_t *bytes;
	size_t count;
	bool pipe;
};

/* Aborts if the file is not a perf.data of this machine's byte order. */
void sections__read(struct sections *file, const char *path);
void sections__free(struct sections *file);

/* Call fn() for each feature, including those in HEADER_FEATURE records, or for each record. */
void sections__each_feature(const struct sections *file,
			    void (*fn)(uint64_t id, const uint8_t *at, size_t bytes, void *arg),
			    void *arg);
void sections__each_record(const struct sections *file,
			   void (*fn)(const uint8_t *at, size_t bytes, void *arg), void *arg);

/* Path of a file of the corpus, in $PEAT_CORPUS or next to this checkout; NULL: not found. */
const char *sections__corpus(const char *name);

/* Reads each file of the corpus and calls fn() with it.  Returns the number of files; 0: no corpus.
 */
unsigned int sections__each_file(void (*fn)(const struct sections *file, const char *name,
					    void *arg),
				 void *arg);

/* The names of all files of the corpus, sorted, ending with NULL.  NULL: no corpus. */
const char *const *sections__corpus_names(void);

#endif /* TESTS_SUPPORT_RECORDING_SECTIONS_H */
