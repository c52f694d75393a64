// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* output.c: prints events to a file, a pipe or a terminal. */
#include <errno.h>
#include <libgen.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "messages.h"
#include "output.h"
#include "record_file.h"
#include "signals.h"

static int open_output(struct output *output, const char *path, const char *made_from)
{
	if (path && !strcmp(path, "-"))
		path = NULL;
	*output = (struct output){ .path = path, .name = path, .fd = STDOUT_FILENO };
	if (path)
		output->fd = record_file__create(path, made_from);
	return output->fd < 0 ? EXIT_FAILED : 0;
}

int output__open(struct output *output, const char *path)
{
	return open_output(output, path, NULL);
}

/* Whether the path is a file of the recording's directory: data, data.0 and so on. */
static bool is_inside(const char *path, const struct stat *directory)
{
	const char *name = strrchr(path, '/');
	char *copy = strdup(path);
	struct stat status;
	bool inside;

	inside = copy && S_ISDIR(directory->st_mode) &&
		 !strncmp(name ? name + 1 : path, "data", strlen("data")) &&
		 !stat(dirname(copy), &status) && status.st_dev == directory->st_dev &&
		 status.st_ino == directory->st_ino;
	free(copy);
	return inside;
}

static bool is_part_of(const char *path, const char *recording)
{
	struct stat theirs, ours;
	int err = strcmp(recording, "-") != 0 ? stat(recording, &theirs)
					      : fstat(STDIN_FILENO, &theirs);

	if (err || stat(path, &ours))
		return false;
	return (theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino) ||
	       is_inside(path, &theirs);
}

int output__open_beside(struct output *output, const char *path, const char *recording)
{
	if (!path || !strcmp(path, "-") || !is_part_of(path, recording))
		return open_output(output, path, recording);
	messages__print("cannot write to %s: it is the recording itself", path);
	return EXIT_FAILED;
}

/* Columns of the terminal; 0: no terminal, so lines are not cut. */
static uint32_t terminal_width(int fd)
{
	struct winsize size;

	return isatty(fd) && !ioctl(fd, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

/* See no-color.org. */
static bool has_colours(int fd)
{
	const char *no_color = getenv("NO_COLOR"), *type = getenv("TERM");

	return isatty(fd) && !(no_color && *no_color) && type && *type && strcmp(type, "dumb");
}

int output__open_sink(struct output *output, const struct options *options,
		      struct peat_sink_opts *opts)
{
	opts->width = options->wide ? 0 : terminal_width(output->fd);
	opts->colour = has_colours(output->fd);
	opts->fields = options->fields;
	output->sink = options->json ? peat_sink__new_json(output->fd, opts)
				     : peat_sink__new_text(output->fd, opts);
	if (!output->sink)
		return -errno;
	output->follows_width = opts->width && !options->json;
	if (output->follows_width)
		signals__catch_resize();
	return 0;
}

static void set_err(struct output *output, int err)
{
	if (err && !output->err)
		output->err = err;
}

/* No width: the terminal has been closed. */
static void follow_width(struct output *output)
{
	uint32_t width = terminal_width(output->fd);

	if (width)
		set_err(output, peat_sink__set_width(output->sink, width));
}

void output__write(struct output *output, const struct peat_event *event)
{
	if (output->follows_width && signals__take_resize())
		follow_width(output);
	set_err(output, peat_sink__write(output->sink, event));
}

void output__flush(struct output *output)
{
	if (output->sink)
		set_err(output, peat_sink__flush(output->sink));
}

void output__finish(struct output *output)
{
	if (output->sink)
		set_err(output, peat_sink__finish(output->sink));
}

void output__check_closed_pipe(struct output *output)
{
	struct pollfd fd = { .fd = output->fd };

	if (!output->is_file && poll(&fd, 1, 0) > 0 && (fd.revents & POLLERR))
		set_err(output, -EPIPE);
}

int output__close(struct output *output)
{
	peat_sink__free(output->sink);
	output->sink = NULL;
	if (output->path && close(output->fd))
		set_err(output, -errno);
	if (!output->err || output->err == -EPIPE)
		return 0;
	messages__print("cannot write to %s: %s", output->name ? output->name : "stdout",
			strerror(-output->err));
	return EXIT_FAILED;
}
