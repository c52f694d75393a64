// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* otlp/otlp.c: the four functions of the output. */
#ifdef HAVE_CURL

#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "otlp/exporter.h"
#include "otlp/otlp.h"

struct otlp {
	struct peat_output output;
	char *name;
	struct otlp_config config;
	struct otlp_exporter exporter;
};

static void settle_batch(void *arg, struct peat_batch *batch, uint64_t refused, const char *why)
{
	peat_output__settle(arg, batch, refused, why);
}

static void close_otlp(struct peat_output *output)
{
	struct otlp *otlp = (struct otlp *)output;

	otlp_exporter__free(&otlp->exporter);
	otlp_config__free(&otlp->config);
	free(otlp->name);
	free(otlp);
	curl_global_cleanup();
}

static int init_otlp(struct otlp *otlp, const struct peat_output_opts *opts)
{
	int err = otlp_config__read(&otlp->config, opts);

	if (err)
		return err;
	otlp->name = strdup(opts->name);
	if (!otlp->name)
		return -ENOMEM;
	otlp->exporter = (struct otlp_exporter){ .config = &otlp->config,
						 .name = otlp->name,
						 .wake_fd = opts->wake_fd,
						 .settled = settle_batch,
						 .arg = otlp };
	return otlp_exporter__init(&otlp->exporter);
}

static struct peat_output *open_otlp(const struct peat_output_opts *opts)
{
	struct otlp *otlp;
	int err;

	if (curl_global_init(CURL_GLOBAL_DEFAULT))
		return fail_null(-ENOMEM);
	otlp = calloc(1, sizeof(*otlp));
	if (!otlp) {
		curl_global_cleanup();
		return fail_null(-ENOMEM);
	}
	otlp->output = (struct peat_output){ .sz = sizeof(struct peat_output),
					     .ops = &otlp_output,
					     .settled = opts->settled,
					     .arg = opts->arg };
	err = init_otlp(otlp, opts);
	if (!err)
		return &otlp->output;
	close_otlp(&otlp->output);
	return fail_null(err);
}

static int write_otlp(struct peat_output *output, struct peat_batch *batch)
{
	return otlp_exporter__send(&((struct otlp *)output)->exporter, batch);
}

static int acknowledged_otlp(struct peat_output *output, int timeout_ms)
{
	return otlp_exporter__run(&((struct otlp *)output)->exporter, timeout_ms);
}

static int check_otlp(const struct peat_output_opts *opts)
{
	struct otlp_config config = { 0 };
	int err = otlp_config__read(&config, opts);

	otlp_config__free(&config);
	return err;
}

const struct peat_output_ops otlp_output = {
	.check = check_otlp,
	.sz = sizeof(struct peat_output_ops),
	.name = "otlp",
	.takes = PEAT_TAKES_EVENTS | PEAT_TAKES_POINTS,
	.open = open_otlp,
	.write = write_otlp,
	.acknowledged = acknowledged_otlp,
	.close = close_otlp,
};

#endif /* HAVE_CURL */
