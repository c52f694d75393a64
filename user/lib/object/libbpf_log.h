/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_OBJECT_LIBBPF_LOG_H
#define PEAT_OBJECT_LIBBPF_LOG_H

#include <stdbool.h>
#include <stddef.h>

/* Forwards libbpf's messages to the log: its warnings as INFO, the others as DEBUG. */
void libbpf_log__forward_all(void);

struct bpf_object;
struct bpf_object_open_opts;
struct bpf_object_skeleton;

/*
 * Open an object.  NULL and errno on failure: the log has the reason, and names `name`, or the
 * path; EINVAL if the object has no BTF.  Reasons of libbpf need libbpf_log__forward_all() before.
 */
struct bpf_object *libbpf_log__open_mem(const char *name, const void *bytes, size_t count,
					const struct bpf_object_open_opts *opts);
struct bpf_object *libbpf_log__open_file(const char *path, const struct bpf_object_open_opts *opts);

/* Likewise: 0, or a negative errno. */
int libbpf_log__open_skeleton(struct bpf_object_skeleton *skeleton,
			      const struct bpf_object_open_opts *opts);

/* The cause of a failure, from the messages of libbpf and the verifier. */
struct load_failure {
	char program[128]; /* "": no program was named */
	char map[128];	   /* the map that could not be created, or "" */
	char reason[256];  /* one line about the program */
	char last[256];	   /* the last warning about anything, one line, without "libbpf: " */
	bool is_refused;   /* the kernel refused the program; otherwise libbpf did */
};

/* Fills in `failure` from libbpf's messages in this thread, until called with NULL. */
void libbpf_log__watch(struct load_failure *failure);

/* Failures are expected from now on in this thread: libbpf's warnings are forwarded as DEBUG. */
void libbpf_log__expect_failures(bool are_expected);

/* Calls a function at each of libbpf's messages in this thread, until called with NULL. */
void libbpf_log__follow(void (*function)(void *context), void *context);

#endif /* PEAT_OBJECT_LIBBPF_LOG_H */
