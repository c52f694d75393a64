// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* output.c: prints events to a file, a pipe or a terminal. */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/base/output.h"
#include "cli/base/new_file.h"
#include "cli/base/signals.h"

/* How often blocked output asks whether it is given up. */
#define WAIT_MS 50

static int open_output(struct output *output, const char *path, const char *made_from)
{
	if (path && !strcmp(path, "-"))
		path = NULL;
	*output = (struct output){ .path = path, .name = path, .fd = STDOUT_FILENO };
	if (path)
		output->fd = new_file__create(path, made_from);
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

/* Waits until write(2) of a few bytes does not block.  -ETIME: the output is given up. */
static int wait_for_room(const struct output *output)
{
	struct pollfd wanted = { .fd = output->fd, .events = POLLOUT };
	const uint64_t since_ns = peat_clock__now_ns();
	int ready;

	while ((ready = poll(&wanted, 1, WAIT_MS)) <= 0) {
		if (ready < 0 && errno != EINTR)
			return -errno;
		if (signals__give_up_output(since_ns))
			return -ETIME;
	}
	return 0;
}

/* As write(2), which blocks only before the end of the run.  0: a signal has arrived. */
static ssize_t write_some(const struct output *output, const char *bytes, size_t count)
{
	int err = signals__is_ending() ? wait_for_room(output) : 0;
	ssize_t put;

	if (err)
		return err;
	if (signals__is_ending() && count > PIPE_BUF)
		count = PIPE_BUF;
	put = write(output->fd, bytes, count);
	if (put > 0)
		return put;
	if (put < 0 && errno == EAGAIN) /* another process made the pipe non-blocking */
		return wait_for_room(output);
	return put < 0 && errno == EINTR ? 0 : put ? -errno : -EIO;
}

/* Keeps bytes until the run has ended: meanwhile its programs are detached. */
static int keep(struct output *output, const char *bytes, size_t count)
{
	char *grown = realloc(output->kept, output->kept_bytes + count);

	if (!grown)
		return -ENOMEM;
	memcpy(grown + output->kept_bytes, bytes, count);
	output->kept = grown;
	output->kept_bytes += count;
	return 0;
}

static bool is_kept(void)
{
	return signals__is_stopping() && !signals__is_ending();
}

static int write_all(struct output *output, const char *bytes, size_t count)
{
	while (count && !is_kept()) {
		ssize_t put = write_some(output, bytes, count);

		if (put < 0)
			return (int)put;
		bytes += put;
		count -= (size_t)put;
	}
	return count ? keep(output, bytes, count) : 0;
}

static int write_kept(struct output *output)
{
	char *kept = output->kept;
	int err;

	if (!kept || is_kept())
		return 0;
	output->kept = NULL;
	err = write_all(output, kept, output->kept_bytes);
	output->kept_bytes = 0;
	free(kept);
	return err;
}

/* The sink's output: as it writes to a file descriptor by itself, but a stop ends it. */
static int write_output(void *arg, const char *bytes, size_t count)
{
	struct output *output = arg;
	int err = output->err ? output->err : write_kept(output);

	if (!err)
		err = write_all(output, bytes, count);
	if (!err && !output->kept)
		output->unwritten = 0;
	return err;
}

int output__open_sink(struct output *output, const struct options *options,
		      struct peat_sink_opts *opts)
{
	opts->width = options->output.wide ? 0 : terminal_width(output->fd);
	opts->colour = has_colours(output->fd);
	opts->fields = options->output.fields;
	opts->output = write_output;
	opts->output_arg = output;
	output->sink = options->output.json ? peat_sink__new_json(-1, opts)
					    : peat_sink__new_text(-1, opts);
	if (!output->sink)
		return -errno;
	output->follows_width = opts->width && !options->output.json;
	output->tells_hidden = output->follows_width && !options->output.quiet;
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
	output->unwritten++;
	set_err(output, peat_sink__write(output->sink, event));
}

static void finish_kept(struct output *output)
{
	if (!output->err)
		set_err(output, write_kept(output));
	if (!output->err && !output->kept)
		output->unwritten = 0;
}

void output__flush(struct output *output)
{
	if (output->sink)
		set_err(output, peat_sink__flush(output->sink));
	finish_kept(output);
}

void output__finish(struct output *output)
{
	if (output->sink)
		set_err(output, peat_sink__finish(output->sink));
	finish_kept(output);
}

void output__check_closed_pipe(struct output *output)
{
	struct pollfd fd = { .fd = output->fd };

	if (!output->is_file && poll(&fd, 1, 0) > 0 && (fd.revents & POLLERR))
		set_err(output, -EPIPE);
}

/* A heading cannot tell which columns are missing. */
static void report_hidden(const struct output *output)
{
	char names[256];
	int count = output->tells_hidden && !output->err
			    ? peat_sink__hidden_columns(output->sink, names, sizeof(names))
			    : 0;

	if (count > 0 && (size_t)count < sizeof(names))
		messages__print("no room for %s: --wide prints all columns, --fields those named",
				names);
}

int output__close(struct output *output)
{
	report_hidden(output);
	peat_sink__free(output->sink);
	output->sink = NULL;
	free(output->kept);
	output->kept = NULL;
	if (output->path && close(output->fd))
		set_err(output, -errno);
	if (!output->err || output->err == -EPIPE)
		return 0;
	if (output->err == -ETIME) {
		messages__print("the last output, with about %llu events, was not written: nobody "
				"read it",
				(unsigned long long)output->unwritten);
		return EXIT_FAILED;
	}
	messages__print("cannot write to %s: %s", output->name ? output->name : "stdout",
			strerror(-output->err));
	return EXIT_FAILED;
}
