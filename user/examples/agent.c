// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * agent.c: an agent with an output of its own, `tally`, which prints numbers of events.
 *
 *	cc agent.c $(pkg-config --cflags --libs libpeat-agent) -o agent
 *
 * Then, as root: ./agent agent.yaml, with "outputs: {screen: {tally: events}}" in that file.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <peat/agent.h>

struct tally {
	struct peat_output output; /* first: the functions get its address */
	struct pollfd wake;
};

static const struct peat_output_ops tally_output;

static struct peat_output *open_tally(const struct peat_output_opts *opts)
{
	struct tally *tally = calloc(1, sizeof(*tally));

	if (!tally)
		return NULL;
	tally->output = (struct peat_output){ .sz = sizeof(tally->output),
					      .ops = &tally_output,
					      .settled = opts->settled,
					      .arg = opts->arg };
	tally->wake = (struct pollfd){ .fd = opts->wake_fd, .events = POLLIN };
	return &tally->output;
}

static int write_tally(struct peat_output *output, struct peat_batch *batch)
{
	printf("%s: %llu events\n", peat_batch__source(batch),
	       (unsigned long long)peat_batch__events(batch));
	peat_output__settle(output, batch, 0, NULL); /* others wait for an answer first */
	return 0;
}

/* Waits until there is a batch. */
static int wait_tally(struct peat_output *output, int timeout_ms)
{
	poll(&((struct tally *)output)->wake, 1, timeout_ms);
	return 0;
}

static void close_tally(struct peat_output *output)
{
	free(output);
}

static const struct peat_output_ops tally_output = {
	.sz = sizeof(tally_output),
	.name = "tally",
	.takes = PEAT_TAKES_EVENTS,
	.open = open_tally,
	.write = write_tally,
	.acknowledged = wait_tally,
	.close = close_tally,
};

int main(int argc, char **argv)
{
	const char *const paths[] = { argc > 1 ? argv[1] : "agent.yaml", NULL };
	const struct peat_output_ops *const outputs[] = { &tally_output, NULL };
	struct peat_agent_opts opts = { .sz = sizeof(opts), .paths = paths, .outputs = outputs };
	struct peat_agent *agent = peat_agent__new(&opts);

	if (!agent || peat_agent__start(agent)) {
		perror("agent");
		return 1;
	}
	sleep(3);
	peat_agent__free(agent); /* stops it first */
	return 0;
}
