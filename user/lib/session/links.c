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

/* One program may have several links. */
int links__keep(struct peat_session *session, struct bpf_link *link)
{
	struct bpf_link **grown = reallocarray(session->links, (size_t)session->link_count + 1,
					       sizeof(struct bpf_link *));

	if (!grown) {
		bpf_link__destroy(link);
		return -ENOMEM;
	}
	session->links = grown;
	grown[session->link_count++] = link;
	return 0;
}

int links__pin(const struct peat_session *session, int number, const char *path)
{
	return bpf_link__pin(session->links[number], path);
}

bool links__is_link(const struct peat_session *session, int number)
{
	struct bpf_link_info info = { 0 };
	uint32_t bytes = sizeof(info);

	return !bpf_obj_get_info_by_fd(bpf_link__fd(session->links[number]), &info, &bytes);
}

/*
 * The program attached last is detached first, so that a program that uses the notes of others,
 * such as those of interrupts, never runs without them.
 */
void links__detach(struct peat_session *session)
{
	for (int i = session->link_count - 1; i >= 0; i--)
		bpf_link__destroy(session->links[i]); /* a pinned link stays */
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
		bpf_link__disconnect(session->links[i]);
		close(bpf_link__fd(session->links[i]));
	}
	network__disown(session->network);
	links__detach(session);
}
