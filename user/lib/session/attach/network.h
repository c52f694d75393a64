/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/attach/network.h: tc and XDP programs, attached to network interfaces. */
#ifndef PEAT_SESSION_ATTACH_NETWORK_H
#define PEAT_SESSION_ATTACH_NETWORK_H

#include <stdbool.h>
#include <stddef.h>

struct bpf_object;
struct bpf_program;
struct network;

/*
 * Sets the type of programs in sections such as "tc/egress", which libbpf does since 1.3, and
 * "xdp_pass", which it does not.  Before the object is loaded.
 */
void network__set_types(const struct bpf_object *object);

/* Whether the program is attached to network interfaces. */
bool network__accepts(const struct bpf_program *program);

/* The interfaces of a comma-separated list of names.  NULL and errno, the reason in the log. */
struct network *network__new(const char *names);

/*
 * Attaches a loaded program to all interfaces: a tc program in the direction that its section
 * names, or in both.  0, or a negative errno: it is attached to none, and `why` names the interface
 * that refused it and the reason.
 */
int network__attach(struct network *network, const struct bpf_program *program, char *why,
		    size_t room);

/* For a child of fork(): network__free() leaves the interfaces alone.  NULL is allowed. */
void network__disown(struct network *network);

/* Detaches all programs and removes the qdiscs added for them.  NULL is allowed. */
void network__free(struct network *network);

#endif /* PEAT_SESSION_ATTACH_NETWORK_H */
