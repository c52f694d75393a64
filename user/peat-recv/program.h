/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* peat-recv/program.h: the parts of peat-recv. */
#ifndef PEAT_RECV_PROGRAM_H
#define PEAT_RECV_PROGRAM_H

#include <argp.h>
#include <stdbool.h>

#include <peat/receive.h>

/* The command has the same: an error, or missing events; and wrong options. */
enum { EXIT_FAILED = 1, EXIT_USAGE = 64 };

/* ---- messages.c ------------------------------------------------------------------------------ */

/* Prints a line to stderr. */
__attribute__((format(printf, 1, 2))) void messages__print(const char *format, ...);

/* The library's messages; verbose: also INFO, twice: also DEBUG. */
void messages__set_verbosity(int verbose);

/* Keeps lines until the release, up to 64 KiB: a screen is shown. */
void messages__hold(void);
void messages__release(void);

/* ---- receive.c ------------------------------------------------------------------------------- */

/* The options of tables, --count and --top. */
struct count_options {
	const char *top;      /* the event; NULL: --count */
	uint64_t interval_ms; /* 0: one table, at the end */
	uint64_t tables, rows;
	bool timestamps;
};

/* Options, as the command line has them. */
struct recv_options {
	struct peat_receiver_opts receiver;
	const char *path; /* of -o; NULL: standard output */
	int verbose;
	bool quiet, json;
	struct count_options counts;
};

/* Receives until the end, SIGINT or SIGTERM.  The exit status. */
int receive__run(struct recv_options *options);

/* Whether SIGINT or SIGTERM has arrived. */
bool receive__is_stopped(void);

/* ---- count_options.c ------------------------------------------------------------------------- */

/* The options of tables; its input is a struct recv_options. */
extern const struct argp count_options__argp;

/* Refuses options that exclude each other.  False: the reason is printed. */
bool count_options__check(const struct recv_options *options);

/* Sets defaults.  `all`: also events that are stored. */
void count_options__finish(struct recv_options *options, bool all);

/* ---- counts.c -------------------------------------------------------------------------------- */

/* Prints or shows the tables.  0; -ENODATA: the end of the stream; or a negative errno. */
int counts__run(const struct recv_options *options, struct peat_receiver *receiver);

#endif /* PEAT_RECV_PROGRAM_H */
