/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * functions.h: functions of the kernel and of programs, and tracepoints, as sources of a session,
 * without a BPF object and without a compiler.
 *
 *	kprobe:FUNCTION			kretprobe:FUNCTION
 *	uprobe:FILE:FUNCTION		uretprobe:FILE:FUNCTION
 *	usdt:FILE:PROVIDER:NAME		tracepoint:CATEGORY:NAME
 *
 * FUNCTION, PROVIDER, CATEGORY and NAME can be globs (*, ?, [...]).  FILE is a path, a library's
 * name or a program in PATH.  By a name, all files of it are traced that this machine has, or that
 * processes execute, also in containers and later; with peat_session_opts.pid, the one that this
 * process executes.  FUNCTION can have an offset at a call, vfs_read+0x10.  In a file,
 * FUNCTION can be an offset alone, 0x1234.
 *
 * A source has one type of events, named as its function.  Its fields:
 *
 *	count, file		parameters, by their names in the kernel's BTF; of programs, in
 *				their debug information, which libpeat-data reads: DWARF in the
 *				file, or in a separate debug file
 *	arg1 ... arg12		the same by number, also where no types are known; of USDT, as many
 *				as it has
 *	arg1.text, buf.text	the text that an address points to; of USDT and of programs in user
 *				memory, of the kernel by the address, on s390x in kernel memory
 *	arg1.user_text		the same, in user memory
 *	file.f_inode.i_ino	members, behind up to 4 pointers
 *	result, latency		of kretprobe and uretprobe
 *	caller			the address that the function returns to
 *	function		of a glob: the function's name; event: of tracepoints and USDT
 *
 * A field that cannot be read in an event, because a pointer leads nowhere, is absent from it.
 */
#ifndef PEAT_FUNCTIONS_H
#define PEAT_FUNCTIONS_H

#include <peat/common.h>
#include <peat/object_file.h>
#include <peat/session.h>

PEAT_BEGIN_DECLS

/* Whether the text begins as such a source: with "kprobe:", and so on. */
PEAT_API bool peat_functions__are(const char *source);

struct peat_function_opts {
	size_t sz; /* sizeof(struct peat_function_opts) */
	/*
	 * The paths of the fields.  Those that peat_session_opts.where and .table name are read as
	 * well.  NULL: all parameters, and of a return result and latency; of a glob none of them
	 * but latency; of USDT the first 8 arguments.
	 */
	const char *const *fields;
	uint32_t field_count;
	uint32_t most;	 /* functions; 0: 4,000 */
	bool only_named; /* without `fields`: only those of where and table */
	uint8_t reserved[7];
};

/*
 * Adds programs that run at the functions of a source.
 *
 *	0	added
 *	-EINVAL	no such source; a field of another type
 *	-ENOENT	no such function, tracepoint, file or field
 *	-E2BIG	too many functions, or more than 8 fields
 *	another negative errno; the log has the reason
 */
PEAT_API int peat_session__add_functions(struct peat_session *session, const char *source,
					 const struct peat_function_opts *opts);

/* Describes the events of a source, without loading it.  NULL and errno: errors as above. */
PEAT_API struct peat_object *peat_object__open_functions(const char *source,
							 const struct peat_function_opts *opts);

struct peat_function {
	size_t sz;	       /* size of the library's struct: later ones may be longer */
	const char *source;    /* "kprobe:vfs_read"; pointers are valid during the call */
	const char *prototype; /* "ssize_t vfs_read(struct file *file, ...)"; NULL: unknown */
	const char *module;    /* "nf_tables"; NULL: of the kernel itself, or of a program */
	/* USDT: "8@%rbx -4@%eax": the size of each argument, and its place; NULL: others, or none
	 */
	const char *arguments;
};

/*
 * Calls `visit` for each function or tracepoint that a source stands for, in the order of their
 * names, until it returns another value than 0, which is returned then.  Errors as above.
 */
PEAT_API int peat_functions__each(const char *source,
				  int (*visit)(void *ctx, const struct peat_function *function),
				  void *ctx);

/*
 * The same for the files of a process: FILE is the one that it executes, or of its root directory;
 * 0: as above.  "usdt:*" or "usdt:*:PROVIDER:NAME": the USDT of all files that the process, or all
 * processes, execute.  -ESRCH: there is no such process.
 */
PEAT_API int peat_functions__each_of(const char *source, uint32_t pid,
				     int (*visit)(void *ctx, const struct peat_function *function),
				     void *ctx);

PEAT_END_DECLS

#endif /* PEAT_FUNCTIONS_H */
