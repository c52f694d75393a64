// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/sink.c: the calls of all sinks, the options of the text and JSON sinks, and one event. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include <peat/sink.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/opts.h"
#include "base/strbuf.h"
#include "print/json.h"
#include "print/text.h"

static int read_sink_opts(struct peat_sink_opts *opts, int fd, const struct peat_sink_opts *callers)
{
	int err;

	*opts = (struct peat_sink_opts){ .sz = sizeof(*opts) };
	err = opts__read(opts, sizeof(*opts), callers, "peat_sink_opts");
	if (!err)
		err = OPTS_CHECK_RESERVED(opts, "peat_sink_opts");
	if (err)
		return err;
	if (fd < 0 && !opts->output) {
		log__error("peat_sink: invalid file descriptor %d", fd);
		return -EINVAL;
	}
	if (opts->output && fd != -1) {
		log__error(
			"peat_sink_opts: with `output`, the file descriptor has to be -1, not %d",
			fd);
		return -EINVAL;
	}
	return 0;
}

struct peat_sink *peat_sink__new_text(int fd, const struct peat_sink_opts *opts)
{
	struct peat_sink_opts ours;
	int err = read_sink_opts(&ours, fd, opts);

	return err ? fail_null(err) : text__new(fd, &ours);
}

struct peat_sink *peat_sink__new_json(int fd, const struct peat_sink_opts *opts)
{
	struct peat_sink_opts ours;
	int err = read_sink_opts(&ours, fd, opts);

	return err ? fail_null(err) : json__new(fd, &ours);
}

int peat_sink__set_width(struct peat_sink *sink, uint32_t width)
{
	int err = text__set_width(sink, width);

	if (err == -EINVAL)
		log__error("peat_sink__set_width: the sink was not made by peat_sink__new_text()");
	return err ? fail(err) : 0;
}

/* Like snprintf(). */
static int copy_text(const struct strbuf *from, char *text, size_t room)
{
	size_t count = from->count < room ? from->count : room - 1;

	if (from->count > INT_MAX)
		return -EOVERFLOW;
	if (!room)
		return (int)from->count;
	if (count)
		memcpy(text, from->bytes, count);
	text[count] = 0;
	return (int)from->count;
}

int peat_sink__hidden_columns(struct peat_sink *sink, char *text, size_t room)
{
	struct strbuf names = { 0 };
	int result = text__hidden_columns(sink, &names);

	if (result == -EINVAL)
		log__error("peat_sink__hidden_columns: the sink was not made by "
			   "peat_sink__new_text()");
	if (!result)
		result = copy_text(&names, text, room);
	strbuf__free(&names);
	return result < 0 ? fail(result) : result;
}

/* ---- one event ------------------------------------------------------------------------------- */

struct printer {
	struct peat_sink *(*new_sink)(int fd, const struct peat_sink_opts *opts);
	int (*append)(struct peat_sink *sink, const struct peat_event *event, struct strbuf *to);
};

static int print_event(const struct printer *printer, const struct peat_event *event, char *text,
		       size_t room)
{
	struct peat_sink_opts opts = { .sz = sizeof(opts) };
	struct peat_sink *sink = printer->new_sink(-1, &opts);
	struct strbuf line = { 0 };
	int result = sink ? printer->append(sink, event, &line) : -errno;

	if (!result)
		result = copy_text(&line, text, room);
	strbuf__free(&line);
	peat_sink__free(sink);
	return result < 0 ? fail(result) : result;
}

int peat_event__json(const struct peat_event *event, char *text, size_t room)
{
	static const struct printer printer = { json__new, json__append };

	return print_event(&printer, event, text, room);
}

int peat_event__text(const struct peat_event *event, char *text, size_t room)
{
	static const struct printer printer = { text__new, text__append };

	return print_event(&printer, event, text, room);
}

int peat_field__json(const struct peat_field *field, const void *data, uint32_t bytes, char *text,
		     size_t room)
{
	struct strbuf value = { 0 };
	int result = json__append_field(field, data, bytes, &value);

	if (!result)
		result = copy_text(&value, text, room);
	strbuf__free(&value);
	return result < 0 ? fail(result) : result;
}

/* ---- any sink -------------------------------------------------------------------------------- */

/* Sinks of the caller may return an error without setting errno. */
static int checked(int result)
{
	return result < 0 ? fail(result) : result;
}

/* `sz` and the four functions: a later version may have more. */
#define SINK_BYTES (offsetof(struct peat_sink, finish) + sizeof(((struct peat_sink *)NULL)->finish))

static __attribute__((noinline)) int refuse_size(const struct peat_sink *sink)
{
	log__error("peat_sink: .sz is %zu: set it to sizeof(struct peat_sink)", sink->sz);
	return -EINVAL;
}

static inline int check_sink(const struct peat_sink *sink)
{
	return sink->sz < SINK_BYTES ? refuse_size(sink) : 0;
}

static int refuse_write(const struct peat_sink *sink)
{
	if (!check_sink(sink))
		log__error("peat_sink: the sink has no function `write`");
	return fail(-EINVAL);
}

int peat_sink__write(struct peat_sink *sink, const struct peat_event *event)
{
	if (sink->sz < SINK_BYTES || !sink->write)
		return refuse_write(sink);
	return checked(sink->write(sink, event));
}

int peat_sink__flush(struct peat_sink *sink)
{
	int err = check_sink(sink);

	if (!err && sink->flush)
		err = sink->flush(sink);
	return checked(err);
}

int peat_sink__finish(struct peat_sink *sink)
{
	if (check_sink(sink))
		return fail(-EINVAL);
	return sink->finish ? checked(sink->finish(sink)) : peat_sink__flush(sink);
}

void peat_sink__free(struct peat_sink *sink)
{
	if (sink && !check_sink(sink) && sink->free)
		sink->free(sink);
}
