/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session/attach/session_links.h: programs that the kernel runs at the call and at the return of a
 * function, by one link, with 8 bytes that it keeps in between (Linux 6.10; functions of user
 * space: 6.13).  These need its BTF and its JIT.
 *
 * libbpf 1.1 finds a function of the kernel only with the parameters that the program gives it, and
 * they changed in Linux 7.0.  So the calls are written here.
 */
#ifndef PEAT_SESSION_ATTACH_SESSION_LINKS_H
#define PEAT_SESSION_ATTACH_SESSION_LINKS_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_program;

/* BTF ids of the kernel's functions bpf_session_is_return() and bpf_session_cookie(). */
struct session_calls {
	int32_t is_return, cookie;
};

/*
 * Finds the functions.  The kernel is tried: false if it lacks such programs or links, or does not
 * allow them.
 */
bool session_links__find(struct session_calls *calls, bool is_of_user);

/* Before the load: the program calls these functions.  0 or a negative errno. */
int session_links__set_calls(struct bpf_program *program, const struct session_calls *calls);

#endif /* PEAT_SESSION_ATTACH_SESSION_LINKS_H */
