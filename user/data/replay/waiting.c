// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay/waiting.c: waits for the writer of a pipe, and for an interrupt. */
#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "replay/waiting.h"

void replay_waiting__mark(struct replay *replay, bool is_ready)
{
	uint64_t count = 1;

	if (is_ready == replay->is_marked)
		return;
	replay->is_marked = is_ready;
	if (is_ready ? write(replay->ready_fd, &count, sizeof(count)) < 0
		     : read(replay->ready_fd, &count, sizeof(count)) < 0)
		replay->is_marked = !is_ready; /* impossible: the fd is private */
}

void replay_waiting__interrupt(const struct replay *replay)
{
	uint64_t one = 1;
	int saved_errno = errno;

	/* It fails only when the count would pass 2^64 - 2, and then it is set already. */
	if (write(replay->interrupt_fd, &one, sizeof(one)) < 0)
		errno = saved_errno;
}

bool replay_waiting__was_interrupted(const struct replay *replay)
{
	uint64_t count;

	return read(replay->interrupt_fd, &count, sizeof(count)) > 0;
}

static int watch(const struct replay *replay, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(replay->epoll_fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

/* epoll refuses regular files, which are always ready: an eventfd that is never read replaces them.
 */
int replay_waiting__open(struct replay *replay)
{
	int pipe_fd = perf_file__fd(replay->in.rec.file), err;

	replay->is_marked = pipe_fd < 0;
	replay->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	replay->interrupt_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	replay->ready_fd = eventfd(replay->is_marked, EFD_CLOEXEC | EFD_NONBLOCK);
	if (replay->epoll_fd < 0 || replay->interrupt_fd < 0 || replay->ready_fd < 0)
		return -errno;
	err = watch(replay, replay->ready_fd);
	if (!err)
		err = watch(replay, replay->interrupt_fd);
	return err || pipe_fd < 0 ? err : watch(replay, pipe_fd);
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

void replay_waiting__close(struct replay *replay)
{
	close_fd(replay->epoll_fd);
	close_fd(replay->interrupt_fd);
	close_fd(replay->ready_fd);
}
