// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* state/state_text.c: prints and parses the ledger of an agent. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/strbuf.h"
#include "state/state.h"

#define HEAD "peat-agent state 1"
#define END  "end"

struct number {
	const char *name;
	size_t offset;
};

#define OF_LEDGER(member)                                                                          \
	{                                                                                          \
#member, offsetof(struct source_counts, ledger.member)                             \
	}
#define OF_SOURCE(member)                                                                          \
	{                                                                                          \
#member, offsetof(struct source_counts, member)                                    \
	}
#define OF_FLOW(member)                                                                            \
	{                                                                                          \
#member, offsetof(struct flow_counts, member)                                      \
	}

/* The numbers in the order of the text, which has each once. */
static const struct number source_numbers[] = {
	OF_LEDGER(emitted),	   OF_LEDGER(in_ring),	      OF_LEDGER(overwritten),
	OF_LEDGER(corrupt),	   OF_LEDGER(lost_ring_full), OF_LEDGER(lost_nested),
	OF_LEDGER(lost_no_ring),   OF_LEDGER(lost_too_big),   OF_LEDGER(lost_throttled),
	OF_LEDGER(lost_abandoned), OF_LEDGER(lost_other),     OF_LEDGER(filtered),
	OF_LEDGER(counted),	   OF_SOURCE(delivered),      OF_SOURCE(lost),
	OF_SOURCE(skipped),	   OF_SOURCE(handed_over),    OF_SOURCE(offered),
	OF_SOURCE(agent_died),
};
#define SOURCE_NUMBERS (sizeof(source_numbers) / sizeof(*source_numbers))

static const struct number flow_numbers[] = {
	OF_FLOW(offered), OF_FLOW(dropped),    OF_FLOW(waiting), OF_FLOW(acknowledged),
	OF_FLOW(refused), OF_FLOW(agent_died), OF_FLOW(spooled),
};
#define FLOW_NUMBERS (sizeof(flow_numbers) / sizeof(*flow_numbers))

/* They follow if the output has a spool, but for states of former versions. */
static const struct number spool_numbers[] = {
	OF_FLOW(spool_id),
	{ "spool_acknowledged", offsetof(struct flow_counts, ends.acknowledged) },
	{ "spool_refused", offsetof(struct flow_counts, ends.refused) },
	{ "spool_dropped", offsetof(struct flow_counts, ends.dropped) },
};
#define SPOOL_NUMBERS (sizeof(spool_numbers) / sizeof(*spool_numbers))

/* ---- printing -------------------------------------------------------------------------------- */

static void print_number(struct strbuf *out, const char *name, uint64_t number)
{
	strbuf__char(out, ' ');
	strbuf__text(out, name);
	strbuf__char(out, ' ');
	strbuf__unsigned(out, number);
}

static void print_numbers(struct strbuf *out, const struct number *numbers, size_t count,
			  const void *of)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t number;

		memcpy(&number, (const char *)of + numbers[i].offset, sizeof(number));
		print_number(out, numbers[i].name, number);
	}
}

static void print_counts(struct strbuf *out, const char *of, const struct source_counts *counts)
{
	strbuf__text(out, of);
	print_number(out, "has_ledger", counts->has_ledger);
	print_number(out, "has_events", counts->has_events);
	print_numbers(out, source_numbers, SOURCE_NUMBERS, counts);
	strbuf__char(out, '\n');
}

static void print_source(struct strbuf *out, const struct state_source *source)
{
	strbuf__text(out, "source ");
	strbuf__text(out, source->name);
	print_number(out, "pinned_ns", source->pinned_ns);
	print_number(out, "read", source->read);
	strbuf__char(out, '\n');
	if (source->pin) {
		strbuf__text(out, "pin ");
		strbuf__text(out, source->pin);
		strbuf__char(out, '\n');
	}
	print_counts(out, "own", &source->own);
	print_counts(out, "programs", &source->programs);
}

static void print_flow(struct strbuf *out, const struct state_flow *flow)
{
	strbuf__text(out, "flow ");
	strbuf__text(out, flow->source);
	strbuf__char(out, ' ');
	strbuf__text(out, flow->output);
	print_numbers(out, flow_numbers, FLOW_NUMBERS, &flow->counts);
	if (flow->counts.spool_id)
		print_numbers(out, spool_numbers, SPOOL_NUMBERS, &flow->counts);
	strbuf__char(out, '\n');
}

char *state__print(const struct state *state)
{
	struct strbuf out = { 0 };

	strbuf__text(&out, HEAD "\nagent");
	print_number(&out, "start_ns", state->start_ns);
	print_number(&out, "agents", state->agents);
	strbuf__char(&out, '\n');
	for (size_t i = 0; i < state->source_count; i++)
		print_source(&out, &state->sources[i]);
	for (size_t i = 0; i < state->flow_count; i++)
		print_flow(&out, &state->flows[i]);
	strbuf__text(&out, END "\n");
	strbuf__char(&out, '\0');
	if (!out.failed)
		return out.bytes;
	strbuf__free(&out);
	return fail_null(-ENOMEM);
}

/* ---- parsing --------------------------------------------------------------------------------- */

/* A line whose words are read one after another. */
struct words {
	char *rest;
	bool bad;
};

static const char *next_word(struct words *words)
{
	const char *word = strsep(&words->rest, " ");

	words->bad = words->bad || !word || !*word;
	return words->bad ? "" : word;
}

static void expect(struct words *words, const char *name)
{
	words->bad = words->bad || strcmp(next_word(words), name) != 0;
}

static uint64_t next_number(struct words *words, const char *name)
{
	const char *text;
	uint64_t number = 0;

	expect(words, name);
	text = next_word(words);
	words->bad = words->bad || strlen(text) > 20 || text[strspn(text, "0123456789")];
	for (; !words->bad && *text; text++)
		words->bad = __builtin_mul_overflow(number, 10, &number) ||
			     __builtin_add_overflow(number, (uint64_t)(*text - '0'), &number);
	return number;
}

static void next_numbers(struct words *words, const struct number *numbers, size_t count, void *of)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t number = next_number(words, numbers[i].name);

		memcpy((char *)of + numbers[i].offset, &number, sizeof(number));
	}
}

static void next_name(struct words *words, char name[STATE_NAME])
{
	const char *word = next_word(words);

	words->bad = words->bad || strlen(word) >= STATE_NAME;
	if (!words->bad)
		strcpy(name, word);
}

static void next_counts(struct words *words, struct source_counts *counts)
{
	counts->ledger.sz = sizeof(counts->ledger);
	counts->has_ledger = next_number(words, "has_ledger");
	counts->has_events = next_number(words, "has_events");
	next_numbers(words, source_numbers, SOURCE_NUMBERS, counts);
	counts->ledger.delivered = counts->has_ledger ? counts->delivered : 0;
}

static int add_source(struct state *state, struct words *words)
{
	struct state_source source = { 0 };

	next_name(words, source.name);
	source.pinned_ns = next_number(words, "pinned_ns");
	source.read = next_number(words, "read");
	if (!ARRAY_RESERVE_NEXT(state->sources, state->source_count))
		return -ENOMEM;
	state->sources[state->source_count++] = source;
	return 0;
}

static int add_flow(struct state *state, struct words *words)
{
	struct state_flow flow = { 0 };

	next_name(words, flow.source);
	next_name(words, flow.output);
	next_numbers(words, flow_numbers, FLOW_NUMBERS, &flow.counts);
	if (words->rest)
		next_numbers(words, spool_numbers, SPOOL_NUMBERS, &flow.counts);
	if (!ARRAY_RESERVE_NEXT(state->flows, state->flow_count))
		return -ENOMEM;
	state->flows[state->flow_count++] = flow;
	return 0;
}

/* The rest of the line, which may have spaces. */
static int set_pin(struct state_source *source, struct words *words)
{
	words->bad = source->pin || !words->rest || *words->rest != '/';
	if (words->bad)
		return 0;
	source->pin = strdup(words->rest);
	words->rest = NULL;
	return source->pin ? 0 : -ENOMEM;
}

static int parse_line(struct state *state, char *line)
{
	struct state_source *last =
		state->source_count ? &state->sources[state->source_count - 1] : NULL;
	struct words words = { .rest = line };
	const char *kind = next_word(&words);
	int err = 0;

	if (!strcmp(kind, "agent")) {
		state->start_ns = next_number(&words, "start_ns");
		state->agents = next_number(&words, "agents");
	} else if (!strcmp(kind, "source")) {
		err = add_source(state, &words);
	} else if (!strcmp(kind, "pin") && last) {
		err = set_pin(last, &words);
	} else if (!strcmp(kind, "own") && last) {
		next_counts(&words, &last->own);
	} else if (!strcmp(kind, "programs") && last) {
		next_counts(&words, &last->programs);
	} else if (!strcmp(kind, "flow")) {
		err = add_flow(state, &words);
	} else {
		return -EBADMSG;
	}
	return err ?: words.bad || words.rest ? -EBADMSG : 0;
}

static int parse_lines(struct state *state, char *text)
{
	const char *head = strsep(&text, "\n");
	char *line;
	int err = strcmp(head, HEAD) ? -EBADMSG : 0;

	while (!err && (line = strsep(&text, "\n"))) {
		if (!strcmp(line, END))
			return text && !*text ? 0 : -EBADMSG;
		err = parse_line(state, line);
	}
	return err ?: -EBADMSG; /* the end is missing */
}

int state__parse(struct state *state, const char *text, size_t bytes)
{
	char *copy = memchr(text, '\0', bytes) ? NULL : strndup(text, bytes);
	int err = copy ? 0 : memchr(text, '\0', bytes) ? -EBADMSG : -ENOMEM;

	*state = (struct state){ 0 };
	err = err ?: parse_lines(state, copy);
	free(copy);
	if (err)
		state__free(state);
	return err;
}

void state__free(struct state *state)
{
	for (size_t i = 0; i < state->source_count; i++)
		free(state->sources[i].pin);
	free(state->sources);
	free(state->flows);
	*state = (struct state){ 0 };
}
