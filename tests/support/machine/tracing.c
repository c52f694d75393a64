// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tracing.c: peat trace -j run, and its events looked through. */
#include <signal.h>
#include <string.h>
#include <check.h>

#include "tracing.h"

void tracing__start(struct tracing *tracing, const char *const *argv)
{
	*tracing = (struct tracing){ 0 };
	command__start(&tracing->peat, ALL_CAPS, argv);
	command__expect(tracing->peat.err, "attached");
}

void tracing__finish(struct tracing *tracing)
{
	command__finish(&tracing->peat);
	ck_assert_msg(tracing->peat.status == 0, "status %d: %s", tracing->peat.status,
		      tracing->peat.err_text);
	ck_assert_msg(strstr(tracing->peat.err_text, " 0 lost"), "%s", tracing->peat.err_text);
	tracing->events = json_lines__split(tracing->peat.out_text);
}

void tracing__stop(struct tracing *tracing)
{
	kill(tracing->peat.pid, SIGINT);
	tracing__finish(tracing);
}

void tracing__free(struct tracing *tracing)
{
	json_lines__free(&tracing->events);
	command__free(&tracing->peat);
}

const char *tracing__next(const struct tracing *tracing, const char *type, pid_t pid, size_t *from)
{
	while (*from < tracing->events.count) {
		const char *event = tracing->events.lines[(*from)++];

		if (json_lines__number(event, "pid") == pid &&
		    !strcmp(json_lines__text(event, "type"), type))
			return event;
	}
	return NULL;
}

size_t tracing__count(const struct tracing *tracing, const char *type, pid_t pid)
{
	size_t count = 0, from = 0;

	while (tracing__next(tracing, type, pid, &from))
		count++;
	return count;
}

const char *tracing__only(const struct tracing *tracing, const char *type, pid_t pid)
{
	size_t count = tracing__count(tracing, type, pid), from = 0;

	ck_assert_msg(count == 1, "%zu events %s of process %d, not 1", count, type, (int)pid);
	return tracing__next(tracing, type, pid, &from);
}
