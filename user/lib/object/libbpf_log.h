/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef LIBBPF_LOG_H
#define LIBBPF_LOG_H

/* From here on libbpf's words go to the log: its warnings as INFO, the others as DEBUG. */
void libbpf_log__forward_all(void);

/* Says why `name` could not be opened as an object, given libbpf's errno; returns a negative one.
 */
int libbpf_log__explain_open(const char *name, int number);

/* What libbpf and the verifier said of what cannot be loaded, in a line. */
struct load_failure {
	char program[128]; /* "": they named none */
	char map[128];	   /* likewise: it could not be created */
	char reason[256];
};

/* Notes what this thread is told from here on; NULL: no more. */
void libbpf_log__watch(struct load_failure *failure);

#endif /* LIBBPF_LOG_H */
