/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/files/file_reader.h: reads symbols and call frame information of files, in a namer if
 * there is one, else in this process.
 */
#ifndef PEAT_SYMBOLS_FILES_FILE_READER_H
#define PEAT_SYMBOLS_FILES_FILE_READER_H

#include <sys/stat.h>

#include "symbols/dwarf/call_frames.h"
#include "symbols/debug/debug_places.h"
#include "symbols/elf/file_symbols.h"
#include "symbols/dwarf/line_cache.h"
#include "symbols/namer/namer.h"

struct file_reader {
	struct namer *namer; /* NULL: this process reads them */
	enum namer_patience patience;
	uint32_t wait_ms; /* NAMER_SHORTLY */
	struct debug_places places;
	bool no_demangle;
	/* Makes room for a result of a namer.  -EBUSY: there is none now; NULL: not needed. */
	int (*make_room)(void *arg, uint64_t bytes, bool is_of_root);
	void *room_arg;
};

/* A file that was opened and checked, but not read. */
struct opened_file {
	int fd;
	struct stat status;
	const char *path; /* for messages, and to find its debug file */
	bool is_of_root;  /* nobody else can have written it */
	uint32_t pid;	  /* a process whose root directory may have the debug file; 0: none */
	struct build_id build_id; /* read by file_reader__build_id(), once */
	bool is_id_read;
};

/*
 * Reads file->build_id, 0 bytes: it has none.  0, or a negative errno: -ENOEXEC: no ELF file, or
 * those of namer__read().
 */
int file_reader__build_id(const struct file_reader *reader, struct opened_file *file);

/* Likewise for symbols; the names are in `read`. */
int file_reader__symbols(const struct file_reader *reader, const struct opened_file *file,
			 struct file_symbols *read);

/* Likewise, -ENODATA: the file has none. */
int file_reader__frames(const struct file_reader *reader, const struct opened_file *file,
			struct call_frames *frames);

/* Reads .debug_frame of its debug file, alone.  Likewise, -ENOENT: there is no debug file. */
int file_reader__debug_frame(const struct file_reader *reader, const struct opened_file *file,
			     struct call_frames *frames);

/*
 * Adds the lines of at most LINE_ADDRESSES_MAX addresses to a cache, by the namer, which has to be
 * there.  0: perhaps those of an earlier call alone, that returned -EAGAIN.  Or a negative errno:
 * -ENODATA: the file has no lines, -EXDEV: this process has to read them, since the file is of root
 * or of this user and its debug information names other files.
 */
int file_reader__lines(const struct file_reader *reader, const struct opened_file *file,
		       const uint64_t *addresses, uint32_t count, struct line_cache *cache);

/* Opens the debug file of an ELF file in this process.  0, -ENOENT, -ENOMEM. */
int file_reader__open_debug(const struct file_reader *reader, const struct opened_file *file,
			    const struct elf_file *elf, struct elf_file **debug);

#endif /* PEAT_SYMBOLS_FILES_FILE_READER_H */
