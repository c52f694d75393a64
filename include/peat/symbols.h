/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols.h: names of addresses: functions, files and lines, of the kernel and of processes, also
 * of processes that have ended, or are in containers.  Link with libpeat-data (data.h).
 *
 *	struct peat_symbols *symbols = peat_symbols__new(NULL);
 *
 *	while (peat_reader__next(reader, &event) > 0) {
 *		peat_symbols__follow(symbols, event);
 *		count = peat_symbols__stack(symbols, event, &frames);
 *		for (int i = 0; i < count; i++)
 *			printf("%s\n", frames[i].symbol ? frames[i].symbol : "?");
 *	}
 *
 * Mappings of processes are taken from the reader's records (PEAT_SIDE_BAND_MMAP, _TASK and _COMM
 * of peat_reader_opts.side_band), and from /proc/PID/maps for processes that began before.  Records
 * of PEAT_SIDE_BAND_KSYMBOL name BPF programs by time.  Without any record, names are from the
 * mappings that a process has now, at most a second ago.
 *
 * A name is never a guess: a file counts only if it is the mapped one, by its build-id or inode.
 * Otherwise frames have a module and an offset, and the log has the reason, once for each file.
 */
#ifndef PEAT_SYMBOLS_H
#define PEAT_SYMBOLS_H

#include <peat/common.h>
#include <peat/reader.h>
#include <peat/stack.h>

PEAT_BEGIN_DECLS

struct peat_symbols;

struct peat_symbols_opts {
	size_t sz; /* sizeof(struct peat_symbols_opts) */
	/*
	 * Memory of symbol tables and perf maps; 0: 256 MiB.  The tables used least recently are
	 * dropped beyond that, and read again when they are needed.
	 */
	uint64_t memory_bytes;
	/*
	 * Directories with separate debug files, DIR/.build-id/ab/cdef.debug, ends with NULL; NULL:
	 * /usr/lib/debug.  perf's copies in ~/.debug are used as well, if ~ is the user's own.
	 */
	const char *const *debug_dirs;
	bool no_demangle; /* C++ and Rust names as in the symbol table */
	bool lines;	  /* find file and line, and inlined functions, in debug information */
	bool debuginfod;  /* ask the servers of $DEBUGINFOD_URLS for debug information */
	/*
	 * Name addresses of recordings: never look into /proc/PID, since the process of that pid
	 * may be another one now.  Files are found by their paths and build-ids.
	 */
	bool recorded;
	bool quiet; /* log files without names or call frame information at INFO, not at WARN */
	uint8_t reserved[1]; /* 0 */
	/*
	 * With `namer`: names are wanted while events come.  A call waits so long at most for a
	 * file that root does not own, and five times that in each second for all of them.  Its
	 * frames have no names until it is read.  0: a call waits for each file.
	 */
	uint16_t wait_ms;
	/*
	 * A program whose main() calls peat_namer__main(): the command peat of the same version, or
	 * this program, "/proc/self/exe".  It runs as a child without any rights, and reads the
	 * symbols, call frame information and lines of files, so that a damaged or hostile file
	 * cannot crash or block this process.  NULL: this process reads them.
	 */
	const char *namer;
};

/* The defaults: all members but sz are 0.  NULL options mean the same. */
#define PEAT_SYMBOLS_OPTS_INIT                                                                     \
	{                                                                                          \
		sizeof(struct peat_symbols_opts), 0, NULL, false, false, false, false, false,      \
			{ 0 }, 0, NULL                                                             \
	}

/*
 * NULL and errno on failure: EINVAL, ENOMEM; ENOTSUP: libdebuginfod is not installed, or
 * libpeat-data was built without libdw, which reads lines.
 */
PEAT_API struct peat_symbols *peat_symbols__new(const struct peat_symbols_opts *opts);
PEAT_API void peat_symbols__free(struct peat_symbols *symbols); /* accepts NULL */

/*
 * The end is near: from now on, all calls together wait `ms` milliseconds at most for files that
 * root does not own, and 20 times as long for files of root.  Frames of files that are not read
 * until then have no names.  Ends the wait of a call that waits now.  Only with
 * peat_symbols_opts.namer.  Signal handlers may call it.
 */
PEAT_API void peat_symbols__hurry(struct peat_symbols *symbols, uint32_t ms);

/*
 * Runs as the namer of another process: peat_symbols_opts.namer.  Called first in main() if argv[0]
 * is "peat-namer".  Returns the exit status.
 */
PEAT_API int peat_namer__main(int argc, char **argv);

/*
 * Applies an event: records of mappings, forks and execs change the mappings of a process, other
 * events nothing.  Records apply from their time on: events of a process that execs keep the names
 * of the old program if they are older.  0 or -ENOMEM.
 *
 * With a live reader, use peat_reader_opts.ordered: otherwise, an event may come before the record
 * of a mapping that it needs, and its frames have no names.
 */
PEAT_API int peat_symbols__follow(struct peat_symbols *symbols, const struct peat_event *event);

/*
 * Stores the frames of the event's stack in `frames`, innermost first, valid until the next call
 * with `symbols`.  Stacks given by registers and memory are unwound.  Frames of the BPF program
 * that took the stack, and of the kernel's code that ran it, are left out.  Inlined functions are
 * frames of their own (peat_symbols_opts.lines).
 *
 * Addresses after the first one are returned to: names and lines are of the call before.
 *
 * Returns the number of frames; 0: the event has no stack; or -ENOMEM.
 */
PEAT_API int peat_symbols__stack(struct peat_symbols *symbols, const struct peat_event *event,
				 const struct peat_stack_frame **frames);

/*
 * Names one address of process `pid` at `time_ns` (0: now), or of the kernel.  Returns the number
 * of frames, several if functions are inlined, at least 1, or -ENOMEM.
 */
PEAT_API int peat_symbols__address(struct peat_symbols *symbols, enum peat_space space,
				   uint32_t pid, uint64_t time_ns, uint64_t address,
				   const struct peat_stack_frame **frames);

/*
 * Names the stack in a field, KSTACK or USTACK, of an event or of a row of a table; `data` and
 * `bytes` as for peat_field__number().  A user stack is one of process `pid`, at `time_ns` (0:
 * now). Stores the frames as peat_symbols__stack() does.
 *
 * Returns their number; 0: there is no stack, the number is an error of bpf_get_stackid(); or
 * -ENOMEM.
 */
PEAT_API int peat_symbols__field(struct peat_symbols *symbols, const struct peat_field *field,
				 const void *data, uint32_t bytes, uint32_t pid, uint64_t time_ns,
				 const struct peat_stack_frame **frames);

struct peat_symbols_stats {
	size_t sz;		 /* sizeof(struct peat_symbols_stats), set by the caller */
	uint64_t memory_bytes;	 /* memory of symbol tables now */
	uint64_t tables;	 /* files whose symbols are in memory */
	uint64_t read, dropped;	 /* tables read from files, and dropped beyond memory_bytes */
	uint64_t named, unnamed; /* frames with and without a symbol so far */
};

/* Returns 0 or a negative errno. */
PEAT_API int peat_symbols__stats(const struct peat_symbols *symbols,
				 struct peat_symbols_stats *stats);

PEAT_END_DECLS

#endif /* PEAT_SYMBOLS_H */
