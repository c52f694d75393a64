/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/files/symbol_file.h: finds the file of a mapping, and makes sure that it is that file.
 *
 * In this order: the kernel's own link to it, /proc/PID/map_files/BEGIN-END; its path as the
 * process sees it, /proc/PID/root/PATH; its path; a copy that perf keeps by build-id.  Files are
 * opened by sys/foreign_file.c: whoever started the process has chosen them.
 *
 * A build-id identifies a file.  Without it, a recording may have meant another file: one of this
 * machine is used only if the recording was made here, and if the file has not changed since.  An
 * ELF file for a machine that cannot run it is never used.
 */
#ifndef PEAT_SYMBOLS_FILES_SYMBOL_FILE_H
#define PEAT_SYMBOLS_FILES_SYMBOL_FILE_H

#include "symbols/files/file_reader.h"
#include "symbols/processes/mapped_file.h"

/* Where and when a recording was made. */
struct file_origin {
	char arch[32];	    /* of the machine, as in uname -m; "": unknown */
	bool is_elsewhere;  /* another machine than this one, or another kernel */
	int64_t changed_ns; /* when the recording was written last, since 1970; 0: unknown */
};

/* A process that has the file mapped. */
struct file_place {
	uint32_t pid;
	uint64_t begin, end;
	bool is_live; /* /proc/PID is this process: neither recorded nor ended */
	const struct file_origin *origin; /* NULL: here and now */
};

/*
 * Opens the file, without reading symbols.  opened->fd belongs to the caller; opened->path is that
 * of `file`.  0, or a negative errno:
 *
 *	-ENOENT		not found
 *	-ESTALE		another file has its path
 *	-EXDEV		the file was mapped on another machine, and has no build-id
 *	-ENOEXEC	no regular file, or no ELF file
 *	-EACCES, ...	of open(2), or of file_reader__build_id()
 */
int symbol_file__open(const struct file_reader *reader, const struct mapped_file *file,
		      const struct file_place *place, struct opened_file *opened);

/* Whether the file can be opened later, when the process has ended: by its path. */
bool symbol_file__is_lasting(const struct mapped_file *file);

#endif /* PEAT_SYMBOLS_FILES_SYMBOL_FILE_H */
