// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/links.c: keeps, pins and closes the links of a session. */
#include <stdlib.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/internal.h"
#include "session/links.h"
#include "session/network.h"
#include "session/session.h"

static void close_link(const struct session_link *link)
{
	if (link->link)
		bpf_link__destroy(link->link);
	else
		close(link->fd);
}

/* One program may have several links. */
static int keep(struct peat_session *session, const struct session_link *link)
{
	struct session_link *grown = reallocarray(session->links, (size_t)session->link_count + 1,
						  sizeof(struct session_link));

	if (!grown) {
		close_link(link);
		return -ENOMEM;
	}
	session->links = grown;
	grown[session->link_count++] = *link;
	return 0;
}

int links__keep(struct peat_session *session, struct bpf_link *link)
{
	return keep(session, &(struct session_link){ link, bpf_link__fd(link) });
}

int links__keep_fd(struct peat_session *session, int fd)
{
	return keep(session, &(struct session_link){ NULL, fd });
}

int links__pin(const struct peat_session *session, int number, const char *path)
{
	const struct session_link *link = &session->links[number];

	if (link->link)
		return bpf_link__pin(link->link, path);
	return bpf_obj_pin(link->fd, path) ? -errno : 0;
}

bool links__is_link(const struct peat_session *session, int number)
{
	struct bpf_link_info info = { 0 };
	uint32_t bytes = sizeof(info);

	return !bpf_obj_get_info_by_fd(session->links[number].fd, &info, &bytes);
}

/*
 * The program attached last is detached first, so that a program that uses the notes of others,
 * such as those of interrupts, never runs without them.  They are closed one after the other: the
 * kernel serialises the closes of perf events of uprobes, so closing them in parallel is not
 * faster.
 */
void links__detach(struct peat_session *session)
{
	for (int i = session->link_count - 1; i >= 0; i--)
		close_link(&session->links[i]); /* a pinned link stays */
	free(session->links);
	session->links = NULL;
	session->link_count = 0;
	program_events__detach(&session->program_events);
	network__free(session->network);
	session->network = NULL;
}

/* The descriptor of a perf event is libbpf's: it stays open until the child ends or calls exec. */
void links__disown(struct peat_session *session)
{
	for (int i = 0; i < session->link_count; i++) {
		if (!session->links[i].link)
			continue; /* the parent has it open, too */
		bpf_link__disconnect(session->links[i].link);
		close(session->links[i].fd);
	}
	network__disown(session->network);
	links__detach(session);
}
