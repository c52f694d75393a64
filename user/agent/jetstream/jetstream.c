// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jetstream/jetstream.c: the functions of the output. */
#ifdef HAVE_NATS

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/errors.h"
#include "jetstream/jetstream.h"
#include "jetstream/sender.h"
#include "jetstream/setup.h"

struct jetstream {
	struct peat_output output;
	char *name;
	char host[HOST_NAME_MAX + 1];
	struct jetstream_config config;
	struct sender sender;
};

static void settle_batch(void *arg, struct peat_batch *batch, uint64_t refused, const char *why)
{
	peat_output__settle(arg, batch, refused, why);
}

static void close_jetstream(struct peat_output *output)
{
	struct jetstream *jetstream = (struct jetstream *)output;

	sender__free(&jetstream->sender);
	jetstream_config__free(&jetstream->config);
	free(jetstream->name);
	free(jetstream);
}

static uint64_t wall_clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The run is of batches without an origin: their numbers begin anew with each output. */
static int init_jetstream(struct jetstream *jetstream, const struct peat_output_opts *opts)
{
	int err = jetstream_config__read(&jetstream->config, opts);

	if (err)
		return err;
	jetstream->name = strdup(opts->name);
	if (!jetstream->name)
		return -ENOMEM;
	if (gethostname(jetstream->host, sizeof(jetstream->host)))
		return -errno;
	jetstream->sender =
		(struct sender){ .config = &jetstream->config,
				 .name = jetstream->name,
				 .wake_fd = opts->wake_fd,
				 .settled = settle_batch,
				 .arg = jetstream,
				 .origin = { jetstream->host, jetstream->name, wall_clock_now() },
				 .batch_origin = opts->origin,
				 .batch_arg = opts->arg };
	return sender__init(&jetstream->sender);
}

static struct peat_output *open_jetstream(const struct peat_output_opts *opts)
{
	struct jetstream *jetstream = calloc(1, sizeof(*jetstream));
	int err;

	if (!jetstream)
		return fail_null(-ENOMEM);
	jetstream->output = (struct peat_output){ .sz = sizeof(struct peat_output),
						  .ops = &jetstream_output,
						  .settled = opts->settled,
						  .arg = opts->arg };
	err = init_jetstream(jetstream, opts);
	if (!err)
		return &jetstream->output;
	close_jetstream(&jetstream->output);
	return fail_null(err);
}

static int write_jetstream(struct peat_output *output, struct peat_batch *batch)
{
	return sender__send(&((struct jetstream *)output)->sender, batch);
}

static int acknowledged_jetstream(struct peat_output *output, int timeout_ms)
{
	return sender__run(&((struct jetstream *)output)->sender, timeout_ms);
}

static int check_jetstream(const struct peat_output_opts *opts)
{
	struct jetstream_config config = { 0 };
	int err = jetstream_config__read(&config, opts);

	jetstream_config__free(&config);
	return err;
}

static int set_up_jetstream(const struct peat_output_opts *opts,
			    void (*print)(void *arg, const char *line), void *arg)
{
	struct jetstream_config config = { 0 };
	int err = jetstream_config__read(&config, opts);

	err = err ?: setup__stream(&config, opts->name, print, arg);
	jetstream_config__free(&config);
	return err;
}

const struct peat_output_ops jetstream_output = {
	.check = check_jetstream,
	.sz = sizeof(struct peat_output_ops),
	.name = "jetstream",
	.takes = PEAT_TAKES_EVENTS | PEAT_TAKES_POINTS,
	.open = open_jetstream,
	.write = write_jetstream,
	.acknowledged = acknowledged_jetstream,
	.close = close_jetstream,
	.set_up = set_up_jetstream,
};

#endif /* HAVE_NATS */
