/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>

/* Exit statuses, beside 0: done, or ended by SIGINT, SIGTERM or a closed pipe. */
enum { EXIT_FAILED = 1, EXIT_USAGE = 64 };

/* A word behind "peat".  main gets argv[0] = "peat trace" and what followed; returns the status. */
struct verb {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *summary;
};

int trace_main(int argc, char **argv);
int list_main(int argc, char **argv);
int build_main(int argc, char **argv);
int replay_main(int argc, char **argv);
int convert_main(int argc, char **argv);
int record_main(int argc, char **argv);
int bench_main(int argc, char **argv);

/* Diagnostics: "peat: " and one line, on stderr. */
__attribute__((format(printf, 1, 2))) void cli__complain(const char *format, ...);

/* From now on show the library's errors and warnings; 1: what it does as well; 2: everything. */
void cli__show_messages(int verbose);

#endif /* CLI_H */
