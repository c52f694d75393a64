/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * test_output.h: an output `test` of the test's own program, and an agent that has it.  The test
 * defines write_test() and is_away().  A failure here fails the running test.
 */
#ifndef TESTS_SUPPORT_AGENT_TEST_OUTPUT_H
#define TESTS_SUPPORT_AGENT_TEST_OUTPUT_H

#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/agent.h>

#include "support/machine/harness.h"

/* Configurations are YAML. */
#ifdef HAVE_YAML
#define NEED_YAML
#else
#define NEED_YAML skip("peat was built without libyaml")
#endif

struct test_output {
	struct peat_output output;
	char name[16];
	int wake_fd;
	void (*origin)(void *arg, const struct peat_batch *batch, struct peat_origin *origin);
};

static atomic_int test_opens, test_closes;

/* The write() of peat_output_ops. */
static int write_test(struct peat_output *output, struct peat_batch *batch);

/* The output takes no batch now: it is asked again soon. */
static bool is_away(void);

static const struct peat_output_ops test_output;

/* The value `refuse` of a setting is refused. */
static struct peat_output *open_test(const struct peat_output_opts *opts)
{
	struct test_output *test;

	for (uint32_t i = 0; i < opts->setting_count; i++)
		if (!strcmp(opts->settings[i].value, "refuse")) {
			peat_output__refuse_setting(opts, &opts->settings[i], "refused");
			return NULL;
		}
	test = calloc(1, sizeof(*test));
	ck_assert_ptr_nonnull(test);
	test->output = (struct peat_output){ .sz = sizeof(test->output),
					     .ops = &test_output,
					     .settled = opts->settled,
					     .arg = opts->arg };
	test->wake_fd = opts->wake_fd;
	test->origin = opts->origin;
	snprintf(test->name, sizeof(test->name), "%s", opts->name);
	test_opens++;
	return &test->output;
}

static int wait_test(struct peat_output *output, int timeout_ms)
{
	struct test_output *test = (struct test_output *)output;
	struct pollfd fd = { .fd = test->wake_fd, .events = POLLIN };

	poll(&fd, 1, is_away() && timeout_ms > 10 ? 10 : timeout_ms);
	return 0;
}

static void close_test(struct peat_output *output)
{
	test_closes++;
	free(output);
}

static const struct peat_output_ops test_output = {
	.sz = sizeof(test_output),
	.name = "test",
	.takes = PEAT_TAKES_EVENTS | PEAT_TAKES_POINTS,
	.open = open_test,
	.write = write_test,
	.acknowledged = wait_test,
	.close = close_test,
};

/* peat_agent__new() by the configuration `path`, which stays as long as the agent. */
static inline struct peat_agent *new_test_agent(const char *path)
{
	static const struct peat_output_ops *const outputs[] = { &test_output, NULL };
	static const char *paths[2];
	const struct peat_agent_opts opts = { .sz = sizeof(opts),
					      .paths = paths,
					      .outputs = outputs };

	paths[0] = path;
	return peat_agent__new(&opts);
}

#endif /* TESTS_SUPPORT_AGENT_TEST_OUTPUT_H */
