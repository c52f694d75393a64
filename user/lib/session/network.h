/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* network.h: programs that see packets, attached to network interfaces: tc and XDP. */
#ifndef NETWORK_H
#define NETWORK_H

#include <stdbool.h>
#include <stddef.h>

struct bpf_object;
struct bpf_program;
struct network;

/*
 * Gives programs of sections such as "tc/egress" their type, which libbpf knows since 1.3.  For an
 * object that is not loaded yet.
 */
void network__set_types(const struct bpf_object *object);

/* Whether programs like this one are attached to interfaces. */
bool network__takes(const struct bpf_program *program);

/* The interfaces of a list of names with commas between them.  NULL and errno, a word in the log.
 */
struct network *network__new(const char *names);

/*
 * Attaches a loaded program to all of them: of tc in the direction that its section names, or both.
 * 0 or a negative errno: it is attached to none of them, and `why` says which would not have it,
 * and why.
 */
int network__attach(struct network *network, const struct bpf_program *program, char *why,
		    size_t room);

/* Detaches all programs, and removes what was made for them.  Takes NULL. */
void network__free(struct network *network);

#endif /* NETWORK_H */
