// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/destination.c: the place that a sink's bytes go to. */
#include "base/errors.h"
#include "print/destination.h"

struct destination destination__of(int fd, const struct peat_sink_opts *opts)
{
	return (struct destination){ .fd = fd, .write = opts->output, .arg = opts->output_arg };
}

int destination__write(const struct destination *to, struct strbuf *out)
{
	int err;

	if (!to->write)
		return strbuf__write(out, to->fd);
	err = to->write(to->arg, out->bytes, out->count);
	if (err >= 0)
		err = out->failed ? -ENOMEM : 0;
	out->count = 0;
	out->failed = false;
	return err ? fail(err) : 0;
}
