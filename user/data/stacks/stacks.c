// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stacks/stacks.c: the sink that counts the stacks of events. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include <peat/recording.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/opts.h"
#include "stacks/counted_stacks.h"
#include "stacks/event_stack.h"
#include "stacks/stack_formats.h"
#include "stacks/stack_weight.h"
#include "stacks/stacks.h"

struct stacks {
	struct peat_sink sink;
	int fd;
	enum peat_stacks_format format;
	struct peat_stacks_opts opts;
	struct counted_stacks counted;
	struct stack_weight weight;
	struct string_counts names; /* of the events that have stacks */
	bool has_events;	    /* with and without stacks */
	bool is_finished;
};

/* ---- events ---------------------------------------------------------------------------------- */

static bool is_called(const struct peat_event *event, const char *pattern)
{
	return event->schema ? peat_schema__is_called(event->schema, pattern)
			     : !fnmatch(pattern, stack_weight__event_name(event), 0);
}

static bool is_chosen(const struct stacks *stacks, const struct peat_event *event)
{
	const char *const *pattern = stacks->opts.events;

	while (pattern && *pattern && !is_called(event, *pattern))
		pattern++;
	return !pattern || *pattern;
}

static int note_event(struct stacks *stacks, const struct peat_event *event)
{
	const char *name = stack_weight__event_name(event);
	struct string_count *noted = string_counts__add(&stacks->names, name, strlen(name));

	if (!noted)
		return -ENOMEM;
	noted->count++;
	return 0;
}

static void note_time(struct counted_stacks *counted, uint64_t time_ns)
{
	if (!time_ns)
		return;
	if (!counted->first_ns || time_ns < counted->first_ns)
		counted->first_ns = time_ns;
	if (time_ns > counted->last_ns)
		counted->last_ns = time_ns;
}

/* The weight of an event: opts.weight, or its period, or opts.period_ns. */
static int weigh(struct stacks *stacks, const struct peat_event *event, uint64_t *value)
{
	struct counted_stacks *counted = &stacks->counted;
	int found = stack_weight__of(&stacks->weight, event, value);

	if (found < 0)
		return found;
	counted->unit.kind = stacks->weight.unit;
	if (!found && stacks->opts.period_ns) {
		*value = stacks->opts.period_ns;
		counted->unit.kind = PEAT_FIELD_DURATION;
	}
	if (!stacks->opts.weight)
		counted->period = *value;
	return 0;
}

static int count_stack(struct stacks *stacks, const struct peat_event *event)
{
	struct counted_stacks *counted = &stacks->counted;
	uint64_t value;
	uint32_t node;
	int err = note_event(stacks, event) ?: weigh(stacks, event, &value);

	if (!err)
		err = event_stack__add(counted, stacks->opts.symbols, !stacks->opts.no_symbols,
				       event, &node);
	if (!err) {
		note_time(counted, event->time_ns);
		stack_tree__count(&counted->tree, node, 1, value);
	}
	return err;
}

static int write_event(struct peat_sink *sink, const struct peat_event *event)
{
	struct stacks *stacks = (struct stacks *)sink;

	if (event->kind != PEAT_EVENT_DATA)
		return 0;
	stacks->has_events = true;
	return is_chosen(stacks, event) && event_stack__exists(event) ? count_stack(stacks, event)
								      : 0;
}

/* ---- the end --------------------------------------------------------------------------------- */

static int refuse_several(const struct stacks *stacks)
{
	const struct string_count **names = string_counts__sorted(&stacks->names);
	struct strbuf list = { 0 };

	for (const struct string_count **name = names; name && *name; name++) {
		strbuf__text(&list, name == names ? "" : ", ");
		strbuf__bytes(&list, (*name)->text, (*name)->bytes);
	}
	strbuf__char(&list, 0);
	log__error("several events have stacks: %s: choose one by its name",
		   names && !list.failed ? list.bytes : "(no memory)");
	strbuf__free(&list);
	free(names);
	return -EINVAL;
}

static const char *explain_no_stacks(const struct stacks *stacks)
{
	if (!stacks->has_events)
		return "no events: the output has no stacks";
	if (stacks->opts.events)
		return "no sample of the chosen events has a callchain: peat replay --stats lists "
		       "the events of a recording";
	return "no event has a stack: record with perf record -g, or peat record --stacks both";
}

static int check_events(const struct stacks *stacks)
{
	if (!stacks->opts.events && stacks->names.by_text.count > 1)
		return refuse_several(stacks);
	if (!stacks->names.by_text.count)
		log__warn("%s", explain_no_stacks(stacks));
	if (stacks->weight.negative)
		log__warn("%llu events have a negative \"%s\": they count as 0",
			  (unsigned long long)stacks->weight.negative, stacks->opts.weight);
	return 0;
}

/* The name of the counted event, or of several with commas. */
static int join_names(const struct stacks *stacks, struct strbuf *names)
{
	const struct string_count **sorted = string_counts__sorted(&stacks->names);

	for (size_t i = 0; sorted && sorted[i]; i++) {
		strbuf__text(names, i ? ", " : "");
		strbuf__bytes(names, sorted[i]->text, sorted[i]->bytes);
	}
	strbuf__char(names, 0);
	free(sorted);
	return sorted && !names->failed ? 0 : -ENOMEM;
}

static int write_format(const struct stacks *stacks)
{
	int err = stack_formats__of(stacks->format)->write(&stacks->counted, stacks->fd);

	if (err && err != -EPIPE)
		log__error("cannot write stacks: %s", strerror(-err));
	return err;
}

static int finish_stacks(struct peat_sink *sink)
{
	struct stacks *stacks = (struct stacks *)sink;
	struct strbuf names = { 0 };
	int err = 0;

	if (stacks->is_finished)
		return 0;
	stacks->is_finished = true;
	err = check_events(stacks);
	if (!err)
		err = join_names(stacks, &names);
	if (!err) {
		stacks->counted.event = stacks->names.by_text.count ? names.bytes : NULL;
		err = write_format(stacks);
	}
	stacks->counted.event = NULL;
	strbuf__free(&names);
	return err;
}

/* A part of the stacks makes no output: it is written by finish_stacks(). */
static int flush(struct peat_sink *sink)
{
	(void)sink;
	return 0;
}

static void free_stacks(struct peat_sink *sink)
{
	struct stacks *stacks = (struct stacks *)sink;

	counted_frames__free(&stacks->counted.frames);
	stack_tree__free(&stacks->counted.tree);
	string_counts__free(&stacks->names);
	free(stacks);
}

/* ---- making it ------------------------------------------------------------------------------- */

void stacks__set_wall_clock(struct peat_sink *sink, int64_t wall_clock_ns)
{
	((struct stacks *)sink)->counted.wall_clock_ns = wall_clock_ns;
}

int stacks__compare(struct peat_sink *sink, const struct peat_sink *before)
{
	const struct stacks *counted = (const struct stacks *)before;
	int err = check_events(counted);

	if (!err)
		((struct stacks *)sink)->counted.before = &counted->counted;
	return err;
}

static int check_opts(int fd, enum peat_stacks_format format, const struct peat_stacks_opts *opts)
{
	if (fd < 0) {
		log__error("peat_sink__new_stacks: invalid file descriptor %d", fd);
		return -EINVAL;
	}
	if (!stack_formats__of(format)) {
		log__error("peat_sink__new_stacks: invalid format %u", format);
		return -EINVAL;
	}
	if (!(opts->min_percent >= 0 && opts->min_percent <= 100)) {
		log__error("peat_sink__new_stacks: min_percent is not between 0 and 100");
		return -EINVAL;
	}
	return OPTS_CHECK_RESERVED(opts, "peat_stacks_opts");
}

struct peat_sink *peat_sink__new_stacks(int fd, enum peat_stacks_format format,
					const struct peat_stacks_opts *callers)
{
	struct peat_stacks_opts opts = { .sz = sizeof(opts) };
	int err = opts__read(&opts, sizeof(opts), callers, "peat_stacks_opts");
	struct stacks *stacks;

	if (!err)
		err = check_opts(fd, format, &opts);
	if (err)
		return fail_null(err);
	stacks = calloc(1, sizeof(*stacks));
	if (!stacks)
		return fail_null(-ENOMEM);
	stacks->sink = (struct peat_sink){
		.sz = sizeof(stacks->sink),
		.write = write_event,
		.flush = flush,
		.finish = finish_stacks,
		.free = free_stacks,
	};
	stacks->fd = fd;
	stacks->format = format;
	stacks->opts = opts;
	stacks->weight.path = opts.weight;
	stacks->counted.title = opts.title;
	stacks->counted.weight = opts.weight;
	stacks->counted.is_weighted = opts.weight != NULL;
	stacks->counted.wall_clock_ns = opts.wall_clock_ns;
	stacks->counted.inverted = opts.inverted;
	stacks->counted.reversed = opts.reversed;
	stacks->counted.min_percent = opts.min_percent;
	return &stacks->sink;
}
