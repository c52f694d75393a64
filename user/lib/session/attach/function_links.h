/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session/attach/function_links.h: attaches the programs of functions/plan.bpf.c to the functions
 * of a source: by one link where the kernel has links of many places, else by one link each.
 */
#ifndef PEAT_SESSION_ATTACH_FUNCTION_LINKS_H
#define PEAT_SESSION_ATTACH_FUNCTION_LINKS_H

#include <stdbool.h>
#include <stddef.h>

struct part;
struct peat_session;

/* Whether the kernel has cookies of attachments (Linux 5.15): libbpf refuses them without. */
bool function_links__have_cookies(void);

/*
 * Before the load: chooses the programs and their attach type, and sets their constants and the
 * sizes of their maps.  0 or a negative errno; the log has the reason.  -E2BIG: too many functions
 * for links of one place each.
 */
int function_links__prepare(const struct part *part);

/* After the load: writes the plans. */
int function_links__fill(const struct part *part);

/* Attaches them, and lets them begin.  0 or a negative errno; the log has the reason. */
int function_links__attach(struct peat_session *session, struct part *part);

/*
 * Attaches all of them to a further file that has the functions, with the same plans.  `differing`:
 * functions that were left out, since they would have another plan there.  0, -ENOENT: the file has
 * none of the functions; or another negative errno, without a message.
 */
int function_links__attach_file(struct peat_session *session, struct part *part, const char *path,
				size_t *differing);

#endif /* PEAT_SESSION_ATTACH_FUNCTION_LINKS_H */
