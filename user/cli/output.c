// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* output.c: events on their way to a file, a pipe or a terminal. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"
#include "output.h"

int output__open(struct output *output, const char *path)
{
	*output = (struct output){ .path = path, .name = path, .fd = STDOUT_FILENO };
	if (path)
		output->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (output->fd >= 0)
		return 0;
	cli__complain("cannot write to %s: %m", path);
	return EXIT_FAILED;
}

/* Of the terminal; 0: the output is none, and nothing is cut. */
static uint32_t terminal_width(int fd)
{
	struct winsize size;

	return isatty(fd) && !ioctl(fd, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

int output__begin(struct output *output, bool json, struct peat_sink_opts *opts)
{
	opts->width = terminal_width(output->fd);
	output->sink = json ? peat_sink__new_json(output->fd, opts)
			    : peat_sink__new_text(output->fd, opts);
	return output->sink ? 0 : -errno;
}

static void note(struct output *output, int err)
{
	if (err && !output->err)
		output->err = err;
}

void output__write(struct output *output, const struct peat_event *event)
{
	note(output, peat_sink__write(output->sink, event));
}

void output__flush(struct output *output)
{
	if (output->sink)
		note(output, peat_sink__flush(output->sink));
}

void output__finish(struct output *output)
{
	if (output->sink)
		note(output, peat_sink__finish(output->sink));
}

void output__look_for_closed_pipe(struct output *output)
{
	struct pollfd fd = { .fd = output->fd };

	if (poll(&fd, 1, 0) > 0 && (fd.revents & POLLERR))
		note(output, -EPIPE);
}

int output__close(struct output *output)
{
	peat_sink__free(output->sink);
	output->sink = NULL;
	if (output->path && close(output->fd))
		note(output, -errno);
	if (!output->err || output->err == -EPIPE)
		return 0;
	cli__complain("cannot write to %s: %s", output->name ? output->name : "stdout",
		      strerror(-output->err));
	return EXIT_FAILED;
}
