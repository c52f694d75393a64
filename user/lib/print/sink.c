// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/sink.c: the calls of all sinks, and the options of the text and JSON sinks. */
#include <errno.h>

#include <peat/sink.h>

#include "base/internal.h"
#include "print/json.h"
#include "print/text.h"

static int read_sink_opts(struct peat_sink_opts *opts, int fd, const struct peat_sink_opts *callers)
{
	int err;

	*opts = (struct peat_sink_opts){ .sz = sizeof(*opts) };
	err = opts__read(opts, sizeof(*opts), callers, "peat_sink_opts");
	if (err)
		return err;
	if (fd < 0) {
		log__error("peat_sink: invalid file descriptor %d", fd);
		return -EINVAL;
	}
	if (opts->reserved[0]) {
		log__error("peat_sink_opts.reserved must be 0");
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

/* Sinks of the caller may return an error without setting errno. */
static int checked(int result)
{
	return result < 0 ? fail(result) : result;
}

int peat_sink__write(struct peat_sink *sink, const struct peat_event *event)
{
	if (sink->write)
		return checked(sink->write(sink, event));
	log__error("peat_sink: the sink has no function `write`");
	return fail(-EINVAL);
}

int peat_sink__flush(struct peat_sink *sink)
{
	return sink->flush ? checked(sink->flush(sink)) : 0;
}

int peat_sink__finish(struct peat_sink *sink)
{
	return sink->finish ? checked(sink->finish(sink)) : peat_sink__flush(sink);
}

void peat_sink__free(struct peat_sink *sink)
{
	if (sink && sink->free)
		sink->free(sink);
}
