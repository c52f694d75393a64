/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session/attach/uprobe_links.h: attaches programs of uprobes by links of uprobe_multi instead of
 * perf events, if the kernel has them: see session/attach/uprobe_multi.h.
 *
 * Not those of an object with a program array: its slots are for programs of one attach type.  Not
 * usdt, whose arguments libbpf finds: from libbpf 1.3 on, it uses such links itself.
 */
#ifndef PEAT_SESSION_ATTACH_UPROBE_LINKS_H
#define PEAT_SESSION_ATTACH_UPROBE_LINKS_H

#include <stdbool.h>
#include <stddef.h>

struct bpf_program;
struct part;
struct peat_session;
struct uprobe_place;
struct uprobe_target;

/*
 * Before the load: chooses the programs that are attached by links, since the attach type is fixed
 * then.  They return 0.  0 or a negative errno.
 */
int uprobe_links__choose(const struct part *part);

/* Whether the program was chosen. */
bool uprobe_links__accepts(const struct bpf_program *program);

/*
 * Attaches a loaded program that was chosen to the target's function in a file.  `place` has the
 * path and the process; the other members are filled in.  `name`: the path for messages.  0,
 * -ENOENT: there is no such file or function; or a negative errno.  `why`, of `room` bytes, gets
 * the cause.
 */
int uprobe_links__attach(struct peat_session *session, const struct bpf_program *program,
			 const struct uprobe_target *target, struct uprobe_place *place,
			 const char *name, char *why, size_t room);

/* The same for the file and function of its section, in all processes. */
int uprobe_links__attach_by_section(struct peat_session *session, const struct bpf_program *program,
				    const char *section, char *why, size_t room);

#endif /* PEAT_SESSION_ATTACH_UPROBE_LINKS_H */
