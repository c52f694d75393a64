/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* gallery.h: an operation that a probe watches, and the tools that watch it. */
#ifndef BENCH_GALLERY_GALLERY_H
#define BENCH_GALLERY_GALLERY_H

#include <stdbool.h>
#include <stddef.h>

#define GALLERY_ARGS 12

/* A command line without the name of the program; NULL after the last argument. */
typedef const char *gallery_args[GALLERY_ARGS];

/*
 * `prepare` makes what `run` needs, and `finish` takes it away; both may be NULL.  False: the
 * machine cannot do the operation, and the reason has been printed.
 */
struct gallery_operation {
	const char *title;
	bool (*prepare)(void);
	void (*run)(void);
	void (*finish)(void);
};

struct gallery_entry {
	const char *probe;
	const struct gallery_operation *operation;
	gallery_args rest; /* of peat trace: the hooks run, and select no event */
	gallery_args busy; /* of peat trace: each operation makes events */
	/* A whole command line of another tool that prints each operation; empty: Debian has none
	 * that runs without kprobes. */
	const char *peer;
	gallery_args peer_argv;
};

/* The process of the operations, for arguments. */
extern char gallery__own_pid[16];

/* NULL after the last. */
const struct gallery_entry *gallery_entries__at(size_t i);

/* "gallery: ..." on standard error. */
__attribute__((format(printf, 1, 2))) void gallery__say(const char *format, ...);

#endif /* BENCH_GALLERY_GALLERY_H */
