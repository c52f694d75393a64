/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * output_run.h: an output that runs as in the agent, with its settled batches counted.  A failure
 * here fails the running test.
 */
#ifndef TESTS_LIVE_AGENT_OUTPUT_RUN_H
#define TESTS_LIVE_AGENT_OUTPUT_RUN_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <peat/log.h>
#include <peat/output.h>

#include "support/machine/harness.h"

static struct {
	struct peat_output *output;
	int wake_fd;
	uint64_t settled, refused, arrived;
	char why[256];
	unsigned warnings;
	char message[512], warning[512]; /* the last ones */
} run;

/* Numbers of batches, as the agent has them; NULL: none. */
static void (*run_origin)(void *arg, const struct peat_batch *batch, struct peat_origin *origin);

/* Skips the test if the output needs a library that this machine lacks. */
#define need_output(name)                                                                          \
	do {                                                                                       \
		if (!peat_output__find(name))                                                      \
			skip("built without the output %s", name);                                 \
	} while (0)

static inline void run__settled(void *arg, struct peat_batch *batch, uint64_t refused,
				const char *why)
{
	(void)arg;
	run.settled++;
	run.refused += refused;
	run.arrived += peat_batch__events(batch) + peat_batch__points(batch) - refused;
	ck_assert_int_eq(!!refused, !!why);
	snprintf(run.why, sizeof(run.why), "%s", why ?: "");
}

static inline void run__print(enum peat_log_level level, const char *text)
{
	if (level > PEAT_LOG_INFO)
		return;
	if (level <= PEAT_LOG_WARN) {
		run.warnings++;
		snprintf(run.warning, sizeof(run.warning), "%s", text);
	}
	snprintf(run.message, sizeof(run.message), "%s", text);
}

/* Opens an output: names and values of settings follow, then NULL. */
static inline void run__open(const char *name, const char *url, va_list args)
{
	struct peat_setting settings[16] = { { .name = name, .value = url } };
	struct peat_output_opts opts = { .sz = sizeof(opts),
					 .name = "collector",
					 .settings = settings,
					 .setting_count = 1,
					 .settled = run__settled,
					 .origin = run_origin };
	const struct peat_output_ops *ops = peat_output__find(name);
	const char *setting;

	ck_assert_msg(ops, "no output %s", name);
	while ((setting = va_arg(args, const char *))) {
		settings[opts.setting_count].name = setting;
		settings[opts.setting_count++].value = va_arg(args, const char *);
	}
	memset(&run, 0, sizeof(run));
	run.wake_fd = opts.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	peat_set_print(run__print);
	run.output = ops->open(&opts);
	ck_assert_msg(run.output, "%s: %s", strerror(errno), run.message);
}

static inline void output_run__open(const char *name, unsigned port, ...)
{
	char url[64];
	va_list args;

	snprintf(url, sizeof(url), "http://127.0.0.1:%u", port);
	va_start(args, port);
	run__open(name, url, args);
	va_end(args);
}

static inline void output_run__open_tls(const char *name, unsigned port, ...)
{
	char url[64];
	va_list args;

	snprintf(url, sizeof(url), "https://127.0.0.1:%u", port);
	va_start(args, port);
	run__open(name, url, args);
	va_end(args);
}

static inline void output_run__open_at(const char *name, const char *url, ...)
{
	va_list args;

	va_start(args, url);
	run__open(name, url, args);
	va_end(args);
}

static inline uint64_t run__now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* The time of a clock, such as CLOCK_PROCESS_CPUTIME_ID. */
static inline double run__seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Lets the output work for this time. */
static inline void output_run__wait(unsigned ms)
{
	const uint64_t until = run__now_ms() + ms;

	for (uint64_t now; (now = run__now_ms()) < until;)
		run.output->ops->acknowledged(run.output, (int)(until - now));
}

/* Takes the caller's reference. */
static inline void output_run__write(struct peat_batch *batch)
{
	int err;

	while ((err = run.output->ops->write(run.output, batch)) == -EAGAIN)
		run.output->ops->acknowledged(run.output, 1000);
	ck_assert_int_eq(err, 0);
	peat_batch__unref(batch);
}

/* Waits until so many batches were settled. */
static inline void output_run__wait_settled(uint64_t count)
{
	while (run.settled < count)
		run.output->ops->acknowledged(run.output, 1000);
}

static inline void output_run__send(struct peat_batch *batch)
{
	const uint64_t before = run.settled;

	output_run__write(batch);
	output_run__wait_settled(before + 1);
}

static inline void output_run__close(void)
{
	run.output->ops->close(run.output);
	close(run.wake_fd);
}

static inline uint64_t output_run__settled(void)
{
	return run.settled;
}

static inline uint64_t output_run__refused(void)
{
	return run.refused;
}

static inline uint64_t output_run__arrived(void)
{
	return run.arrived;
}

static inline unsigned output_run__warnings(void)
{
	return run.warnings;
}

static inline const char *output_run__message(void)
{
	return run.message;
}

static inline const char *output_run__warning(void)
{
	return run.warning;
}

static inline const char *output_run__why(void)
{
	return run.why;
}

#endif /* TESTS_LIVE_AGENT_OUTPUT_RUN_H */
