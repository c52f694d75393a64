/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/processes/mapped_file.h: the files that processes have mapped, each once.  Pure.
 *
 * Two files are the same if path, build-id, device and inode are.  Files are counted references:
 * a mapping has one.
 */
#ifndef PEAT_SYMBOLS_PROCESSES_MAPPED_FILE_H
#define PEAT_SYMBOLS_PROCESSES_MAPPED_FILE_H

#include "base/hash.h"
#include "elf/elf_note.h"

enum mapped_kind {
	MAPPED_FILE,
	MAPPED_ANON, /* memory without a file: code of a JIT compiler */
	MAPPED_VDSO,
	MAPPED_NOTHING /* "[vsyscall]", "[uprobes]", devices: there is nothing to read */
};

/* Identifies a file; fields may be unknown. */
struct mapped_key {
	const char *path; /* as the process has it; "": anonymous memory */
	struct build_id build_id;
	uint32_t major, minor;	    /* 0 with inode 0: unknown */
	uint64_t inode, generation; /* generation: of the inode; 0: unknown */
};

struct symbol_table;

struct mapped_file {
	struct mapped_key key; /* key.path: "[anon]" for all anonymous memory */
	enum mapped_kind kind;
	uint32_t uses;
	struct hash_link link;

	/* The file's table, for symbols/files/symbol_cache.c; NULL: not yet, or not found. */
	struct symbol_table *table;
	uint32_t failed_pid; /* the process with which the file was not found last */
	uint8_t failures;
	uint64_t retry_ns; /* of CLOCK_MONOTONIC: it is not opened before; 0: at any time */
	bool is_warned;
	bool is_looked_for; /* of symbols/symbols.c: in reach, or read early */
};

struct mapped_files {
	struct hash by_key;
	uint64_t uses;					      /* references to all files */
	void (*release)(struct mapped_file *file, void *arg); /* before a file is freed, or NULL */
	void *arg;
};

/* Finds or adds a file, with one more reference.  NULL: no memory. */
struct mapped_file *mapped_files__get(struct mapped_files *files, const struct mapped_key *key);

static inline struct mapped_file *mapped_files__use(struct mapped_files *files,
						    struct mapped_file *file)
{
	files->uses++;
	file->uses++;
	return file;
}

/* Drops a reference; the last one frees the file. */
void mapped_files__put(struct mapped_files *files, struct mapped_file *file);

/* Frees the index; all references have to be dropped before. */
void mapped_files__free(struct mapped_files *files);

#endif /* PEAT_SYMBOLS_PROCESSES_MAPPED_FILE_H */
