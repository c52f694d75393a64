/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tracing.h: peat trace -j while a test does something, and the events it told of.
 *
 *	tracing__start(&tracing, TRACE("exec"));
 *	...
 *	tracing__stop(&tracing);
 *	event = tracing__only(&tracing, "exec", pid);
 *	tracing__free(&tracing);
 *
 * Whatever fails here fails the running test.
 */
#ifndef TESTS_SUPPORT_MACHINE_TRACING_H
#define TESTS_SUPPORT_MACHINE_TRACING_H

#include "command.h"
#include "support/recording/json_lines.h"
#include "process.h"

struct tracing {
	struct command peat;
	struct json_lines events; /* after tracing__stop() */
};

#define TRACE(...) ARGV(command__peat(), "trace", "-v", "-j", __VA_ARGS__)

/* Returns when everything is attached: argv has to have -v. */
void tracing__start(struct tracing *tracing, const char *const *argv);

/* Ends it and reads its events: all valid, and none lost. */
void tracing__stop(struct tracing *tracing);

/* The same for one that ends by itself. */
void tracing__finish(struct tracing *tracing);

void tracing__free(struct tracing *tracing);

/* The next event of this type and process from event `*from` on, and `*from` behind it; NULL. */
const char *tracing__next(const struct tracing *tracing, const char *type, pid_t pid, size_t *from);

/* There has to be one such event, and no second. */
const char *tracing__only(const struct tracing *tracing, const char *type, pid_t pid);

size_t tracing__count(const struct tracing *tracing, const char *type, pid_t pid);

/* A member of an event is written this way. */
#define expect_member(event, path, raw)                                                            \
	do {                                                                                       \
		const char *event_ = (event), *path_ = (path), *raw_ = (raw);                      \
		ck_assert_msg(json_lines__is(event_, path_, raw_), "%s is not %s in %s", path_,    \
			      raw_, event_);                                                       \
	} while (0)

/* A member is this text. */
#define expect_text(event, path, text)                                                             \
	do {                                                                                       \
		const char *event_ = (event), *path_ = (path), *text_ = (text);                    \
		const char *found_ = json_lines__text(event_, path_);                              \
		ck_assert_msg(found_ && !strcmp(found_, text_), "%s is not '%s' in %s", path_,     \
			      text_, event_);                                                      \
	} while (0)

#define expect_number(event, path, number)                                                         \
	do {                                                                                       \
		const char *event_ = (event), *path_ = (path);                                     \
		long long number_ = (long long)(number);                                           \
		ck_assert_msg(json_lines__number(event_, path_) == number_,                        \
			      "%s is not %lld in %s", path_, number_, event_);                     \
	} while (0)

#endif /* TESTS_SUPPORT_MACHINE_TRACING_H */
