// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/links.c: keeps, pins and closes the links of a session. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/array.h"
#include "session/attach/links.h"
#include "session/attach/network.h"
#include "session/parts/session.h"
#include "sys/quiet_thread.h"

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
	if (!ARRAY_RESERVE_NEXT(session->links, session->link_count)) {
		close_link(link);
		return -ENOMEM;
	}
	session->links[session->link_count++] = *link;
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

int links__pin(const struct peat_session *session, uint32_t number, const char *path)
{
	const struct session_link *link = &session->links[number];

	if (link->link)
		return bpf_link__pin(link->link, path);
	return bpf_obj_pin(link->fd, path) ? -errno : 0;
}

bool links__is_link(const struct peat_session *session, uint32_t number)
{
	struct bpf_link_info info = { 0 };
	uint32_t bytes = sizeof(info);

	return !bpf_obj_get_info_by_fd(session->links[number].fd, &info, &bytes);
}

/* ---- detaching ------------------------------------------------------------------------------- */

#define CLOSERS 16

struct closer {
	pthread_t thread;
	bool has_thread;
	const struct session_link *link, *end; /* closes each step-th of these */
	int step;
};

static void *run_closer(void *arg)
{
	const struct closer *closer = arg;

	for (const struct session_link *link = closer->link; link < closer->end;
	     link += closer->step)
		if (!link->link)
			close(link->fd);
	return NULL;
}

/*
 * Closes the links of uprobe_multi, in parallel: each close waits for grace periods, 60 ms, and
 * they are the same ones for all.  In contrast, the kernel serialises the closes of perf events.
 */
static void close_fds(const struct session_link *links, uint32_t count)
{
	struct closer closers[CLOSERS];
	int used = 0;

	for (uint32_t i = 0; i < count && used < CLOSERS; i++)
		used += !links[i].link;
	for (int i = 0; i < used; i++) {
		closers[i] =
			(struct closer){ .link = links + i, .end = links + count, .step = used };
		closers[i].has_thread =
			!quiet_thread__start(&closers[i].thread, run_closer, &closers[i]);
		if (!closers[i].has_thread)
			run_closer(&closers[i]);
	}
	for (int i = 0; i < used; i++)
		if (closers[i].has_thread)
			pthread_join(closers[i].thread, NULL);
}

static void free_links(struct peat_session *session)
{
	free(session->links);
	session->links = NULL;
	session->link_count = 0;
}

/*
 * Pinned links stay.  Of libbpf's links, the last is closed first, so that a program that uses the
 * notes of others, such as those of interrupts, never runs without them.
 */
void links__detach(struct peat_session *session)
{
	for (uint32_t i = session->link_count; i--;)
		if (session->links[i].link)
			bpf_link__destroy(session->links[i].link);
	close_fds(session->links, session->link_count);
	free_links(session);
	program_events__detach(&session->program_events);
	network__free(session->network);
	session->network = NULL;
}

/*
 * Closes what the parent has open, too.  The descriptor of a perf event is libbpf's: it stays open
 * until the child ends or calls exec.
 */
void links__disown(struct peat_session *session)
{
	for (uint32_t i = 0; i < session->link_count; i++) {
		const struct session_link *link = &session->links[i];

		close(link->fd);
		if (link->link) {
			bpf_link__disconnect(link->link);
			bpf_link__destroy(link->link);
		}
	}
	free_links(session);
	network__disown(session->network);
	links__detach(session);
}
