/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/loading.h: loads one object, until the session is cancelled. */
#ifndef PEAT_SESSION_LOADING_H
#define PEAT_SESSION_LOADING_H

struct bpf_object;
struct load_failure;
struct peat_session;

/*
 * Asks for the verifier's error messages and statistics at the first attempt.  Without it, libbpf
 * lets the kernel verify a refused program again, and log each instruction: that takes many times
 * as long.
 */
void loading__shorten_logs(struct bpf_object *object);

/* Loads the object.  -ECANCELED: peat_session__cancel() was called; `failure` means nothing. */
int loading__run(const struct peat_session *session, struct bpf_object *object,
		 struct load_failure *failure);

#endif /* PEAT_SESSION_LOADING_H */
