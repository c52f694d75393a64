// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * loop.c: a skeleton and an epoll loop of your own, for three seconds.
 *
 *	bpftool gen skeleton hello.bpf.o name hello > hello.skel.h
 *	cc -I. loop.c $(pkg-config --cflags --libs libpeat libbpf) -o loop
 * Then, as root: ./loop
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <peat/peat.h>

#include "hello.skel.h"

static void print_events(struct peat_reader *reader)
{
	const struct peat_event *event;

	/* hello.bpf.c is the only source, and its events begin with the ppid. */
	while (peat_reader__next(reader, &event) > 0)
		if (event->kind == PEAT_EVENT_DATA)
			printf("pid %u, started by %u\n", event->pid, *(uint32_t *)event->data);
}

static int loop(struct peat_reader *reader)
{
	struct epoll_event ready, wanted = { .events = EPOLLIN };
	int epoll_fd = epoll_create1(EPOLL_CLOEXEC);

	/* Add your own fds here. */
	if (epoll_fd < 0 || epoll_ctl(epoll_fd, EPOLL_CTL_ADD, peat_reader__fd(reader), &wanted))
		return -1;
	for (time_t end = time(NULL) + 3; time(NULL) < end;)
		if (epoll_wait(epoll_fd, &ready, 1, 100) > 0)
			print_events(reader);
	return 0;
}

int main(void)
{
	struct peat_channel *channel = peat_channel__new(NULL);
	struct hello *hello = calloc(1, sizeof(*hello));
	struct peat_reader *reader = NULL;

	if (channel && hello && !hello__create_skeleton(hello) &&
	    !peat_channel__open_skeleton(channel, hello->skeleton, NULL) && !hello__load(hello))
		reader = peat_reader__new(channel, NULL);
	if (!reader || hello__attach(hello) || loop(reader)) {
		perror("loop");
		return 1;
	}
	hello__detach(hello);
	peat_reader__flush(reader); /* events emitted before the detach */
	print_events(reader);
	peat_reader__free(reader);
	peat_channel__free(channel);
	hello__destroy(hello);
}
