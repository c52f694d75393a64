/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stddef.h>

/* cli.h: the verbs of the command, each in a file of its name. */

/* Exit statuses.  0: success, also after SIGINT, SIGTERM or a closed pipe. */
enum { EXIT_FAILED = 1, EXIT_LOSS = 3, EXIT_USAGE = 64 }; /* EXIT_LOSS: --fail-on-loss */

/* main() gets argv[0] = "peat VERB" and the arguments after the verb.  It returns the exit status.
 */
struct verb {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *summary; /* NULL: not in the help */
	unsigned bit;	     /* enum verb_bit; 0: no options */
};

/* The i-th verb; NULL after the last. */
const struct verb *cli__verb(size_t i);

int trace_main(int argc, char **argv);
int list_main(int argc, char **argv);
int examples_main(int argc, char **argv);
int doctor_main(int argc, char **argv);
int build_main(int argc, char **argv);
int replay_main(int argc, char **argv);
int report_main(int argc, char **argv);
int convert_main(int argc, char **argv);
int record_main(int argc, char **argv);
int count_main(int argc, char **argv);
int hist_main(int argc, char **argv);
int top_main(int argc, char **argv);
int stat_main(int argc, char **argv);
int profile_main(int argc, char **argv);
int agent_main(int argc, char **argv);
int recv_main(int argc, char **argv);
int bench_main(int argc, char **argv);
int complete_main(int argc, char **argv);

/* Flushes stdout.  0, or EXIT_FAILED after printing the error of any earlier write. */
int cli__flush_stdout(void);

#endif /* CLI_H */
