// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/loading.c: loads one object, until the session is cancelled. */
#include <errno.h>
#include <stdbool.h>
#include <bpf/libbpf.h>

#include "object/libbpf_log.h"
#include "session/loading.h"
#include "session/parts/session.h"

#define LOG_STATS 4 /* BPF_LOG_STATS of the kernel: errors, and a summary */

struct loading {
	const struct peat_session *session;
	struct bpf_object *object;
};

void loading__shorten_logs(struct bpf_object *object)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, object)
		bpf_program__set_log_level(program, LOG_STATS);
}

/*
 * libbpf prints a message for each relocation, and for each program that has a log.  It checks
 * right before it loads a program whether to load it.
 */
static void skip_rest_if_cancelled(void *context)
{
	const struct loading *loading = context;
	struct bpf_program *program;

	if (!loading->session->is_cancelled)
		return;
	bpf_object__for_each_program(program, loading->object)
		bpf_program__set_autoload(program, false);
}

int loading__run(const struct peat_session *session, struct bpf_object *object,
		 struct load_failure *failure)
{
	struct loading loading = { session, object };
	int err;

	libbpf_log__watch(failure);
	libbpf_log__follow(skip_rest_if_cancelled, &loading);
	err = session->is_cancelled ? 0 : bpf_object__load(object);
	libbpf_log__follow(NULL, NULL);
	libbpf_log__watch(NULL);
	return session->is_cancelled ? -ECANCELED : err;
}
