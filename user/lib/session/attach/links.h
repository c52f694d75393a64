/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/attach/links.h: the links that attach the programs of a session. */
#ifndef PEAT_SESSION_ATTACH_LINKS_H
#define PEAT_SESSION_ATTACH_LINKS_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_link;
struct peat_session;

/* The session owns the link from now on, also after an error.  0 or -ENOMEM. */
int links__keep(struct peat_session *session, struct bpf_link *link);

/* The same for a link that libbpf does not know, by its file descriptor. */
int links__keep_fd(struct peat_session *session, int fd);

/* Pins the link with this number.  0 or a negative errno. */
int links__pin(const struct peat_session *session, uint32_t number, const char *path);

/* False: libbpf attached the program without a link of the kernel (before Linux 5.15). */
bool links__is_link(const struct peat_session *session, uint32_t number);

/* Detaches all programs, and frees the links. */
void links__detach(struct peat_session *session);

/*
 * The same in a child of fork(), where links, perf events, filters of tc and pins are the parent's:
 * its programs stay attached.
 */
void links__disown(struct peat_session *session);

#endif /* PEAT_SESSION_ATTACH_LINKS_H */
