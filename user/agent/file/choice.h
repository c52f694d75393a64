/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* file/choice.h: the settings of an output to files. */
#ifndef PEAT_FILE_CHOICE_H
#define PEAT_FILE_CHOICE_H

#include <sys/types.h>

#include <peat/output.h>

enum file_format { FILE_JSON, FILE_PERF, FILE_PCAPNG };
enum file_sync { FILE_SYNC_NEVER, FILE_SYNC_ROTATE, FILE_SYNC_BATCH };

struct file_choice {
	char *path; /* "-": standard output */
	enum file_format format;
	enum file_sync sync;
	mode_t mode;		    /* of new files */
	uint64_t level;		    /* of zstd; 0: not compressed */
	uint64_t max_bytes, max_ms; /* of a file, which is rotated then; UINT64_MAX: no limit */
	uint64_t keep;		    /* rotated files */
	uint64_t quota;		    /* bytes of all files */
	bool removes_when_full;	    /* rotated files, if the disk has no space */
};

/* 0; -EINVAL: the log has the reason; -ENOMEM.  Free the choice in any case. */
int file_choice__read(struct file_choice *choice, const struct peat_output_opts *opts);
void file_choice__free(struct file_choice *choice);

/* Likewise for an error that a later step finds in one of the settings. */
int file_choice__refuse(const struct peat_output_opts *opts, const char *name, const char *why);

#endif /* PEAT_FILE_CHOICE_H */
