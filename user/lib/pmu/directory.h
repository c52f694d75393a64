/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pmu/directory.h: files and names of sysfs and tracefs, of bounded size. */
#ifndef PEAT_PMU_DIRECTORY_H
#define PEAT_PMU_DIRECTORY_H

#include <stddef.h>
#include <stdint.h>

/* sysfs has a page per file. */
#define PMU_FILE_BYTES 4097

/* Names of directory entries, sorted. */
struct pmu_entries {
	char **at;
	uint32_t count;
};

/*
 * Reads the names in a directory, `path` being in `dir`, except those that begin with a dot.  Call
 * pmu_entries__free() after success only.  A negative errno.
 */
int pmu_entries__read(struct pmu_entries *entries, int dir, const char *path);

void pmu_entries__free(struct pmu_entries *entries);

/*
 * Reads a file as text, without the blanks at its end.  -E2BIG: it has more than 4096 bytes;
 * -EBADMSG: control characters; or another negative errno.
 */
int pmu_file__read(int dir, const char *path, char text[PMU_FILE_BYTES]);

/* Reads DIRECTORY/NAME. */
int pmu_file__read_in(int dir, const char *directory, const char *name, char text[PMU_FILE_BYTES]);

#endif /* PEAT_PMU_DIRECTORY_H */
