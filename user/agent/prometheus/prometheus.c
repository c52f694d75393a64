// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* prometheus/prometheus.c: serves the newest points of each source to Prometheus. */
#ifdef HAVE_MICROHTTPD
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "base/log.h"
#include "output/settings.h"
#include "prometheus/listener.h"
#include "prometheus/prometheus.h"
#include "prometheus/server.h"

#define DEFAULT_ADDRESS "127.0.0.1:9464"
#define DEFAULT_SERIES	10000
/* The share of a series in an answer, on average. */
#define SERIES_BYTES 4096

struct prometheus {
	struct peat_output output;
	struct metrics metrics;
	struct listener listener;
	struct server *server;
	int wake_fd;
};

struct choice {
	char *address;
	bool is_public;
	uint64_t max_series;
};

static const struct setting_row rows[] = {
	{ "prometheus", SETTING_TEXT, offsetof(struct choice, address), 0, 0 },
	{ "public", SETTING_BOOL, offsetof(struct choice, is_public), 0, 0 },
	{ "max-series", SETTING_NUMBER, offsetof(struct choice, max_series), 1, 1000000 },
};

static int read_address(const struct peat_output_opts *opts, const struct choice *choice,
			struct address *address)
{
	const char *why = address__parse(choice->address ?: DEFAULT_ADDRESS, address);

	if (!why && address__is_public(address) && !choice->is_public)
		why = "other machines can reach this address: use one such as " DEFAULT_ADDRESS
		      ", or set public: true";
	return why ? settings__refuse_value(opts, "prometheus", why) : 0;
}

static int open_listener(struct prometheus *prometheus, const struct peat_output_opts *opts,
			 const struct choice *choice)
{
	struct address address;
	const char *why = "";
	char name[128];
	int err = read_address(opts, choice, &address);

	if (err)
		return err;
	err = listener__open(&prometheus->listener, &address, &why);
	if (err) {
		log__error("output %s: cannot listen on %s: %s", opts->name,
			   choice->address ?: DEFAULT_ADDRESS, why);
		return err;
	}
	listener__name(&prometheus->listener, name, sizeof(name));
	log__info("output %s: metrics are served on %s", opts->name, name);
	return 0;
}

static int start_server(struct prometheus *prometheus, const struct peat_output_opts *opts)
{
	const struct server_opts server_opts = { .metrics = &prometheus->metrics,
						 .healthy = opts->healthy,
						 .arg = opts->arg };

	prometheus->server = server__start(prometheus->listener.fd, &server_opts);
	if (prometheus->server)
		return 0;
	log__error("output %s: the HTTP server does not start: %s", opts->name, strerror(errno));
	listener__remove(&prometheus->listener);
	return -errno;
}

static int start(struct prometheus *prometheus, const struct peat_output_opts *opts)
{
	struct choice choice = { .max_series = DEFAULT_SERIES };
	int err = settings__read(opts, rows, sizeof(rows) / sizeof(*rows), &choice);

	err = err ?: open_listener(prometheus, opts, &choice);
	prometheus->metrics.sets.most = choice.max_series;
	prometheus->metrics.sets.most_bytes = choice.max_series * SERIES_BYTES;
	free(choice.address);
	return err ?: start_server(prometheus, opts);
}

static void free_all(struct prometheus *prometheus)
{
	newest__free(&prometheus->metrics.newest);
	label_sets__free(&prometheus->metrics.sets);
	free(prometheus);
}

static struct peat_output *open_prometheus(const struct peat_output_opts *opts)
{
	struct prometheus *prometheus = calloc(1, sizeof(*prometheus));
	int err;

	if (!prometheus)
		return fail_null(-ENOMEM);
	prometheus->output = (struct peat_output){ .sz = sizeof(prometheus->output),
						   .ops = &prometheus_output,
						   .settled = opts->settled,
						   .arg = opts->arg };
	prometheus->wake_fd = opts->wake_fd;
	newest__init(&prometheus->metrics.newest);
	prometheus->metrics.collect = opts->collect;
	prometheus->metrics.arg = opts->arg;
	err = start(prometheus, opts);
	if (!err)
		return &prometheus->output;
	free_all(prometheus);
	return fail_null(err);
}

/* The points are answered to whom asks: the batch has arrived. */
static int write_prometheus(struct peat_output *output, struct peat_batch *batch)
{
	struct prometheus *prometheus = (struct prometheus *)output;
	bool is_kept = !newest__keep(&prometheus->metrics.newest, batch);

	peat_output__settle(output, batch, is_kept ? 0 : peat_batch__points(batch),
			    is_kept ? NULL : "no memory");
	return 0;
}

/* write() takes and settles everything: there is nothing to wait for but the agent. */
static int wait_prometheus(struct peat_output *output, int timeout_ms)
{
	struct pollfd wake = { .fd = ((struct prometheus *)output)->wake_fd, .events = POLLIN };

	poll(&wake, 1, timeout_ms);
	return 0;
}

static void close_prometheus(struct peat_output *output)
{
	struct prometheus *prometheus = (struct prometheus *)output;

	listener__remove(&prometheus->listener);
	server__stop(prometheus->server);
	free_all(prometheus);
}

static int check_prometheus(const struct peat_output_opts *opts)
{
	struct choice choice = { 0 };
	struct address address;
	int err = settings__read(opts, rows, sizeof(rows) / sizeof(*rows), &choice);

	err = err ?: read_address(opts, &choice, &address);
	free(choice.address);
	return err;
}

const struct peat_output_ops prometheus_output = {
	.check = check_prometheus,
	.sz = sizeof(prometheus_output),
	.name = "prometheus",
	.takes = PEAT_TAKES_POINTS,
	.open = open_prometheus,
	.write = write_prometheus,
	.acknowledged = wait_prometheus,
	.close = close_prometheus,
};
#endif /* HAVE_MICROHTTPD */
