// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/sampling_types.c: types of samples: a tracepoint's by its format, others without fields. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "field/fields.h"
#include "live/sampling_types.h"
#include "schema/plan.h"
#include "sys/caps.h"
#include "sys/tracefs.h"

/* ---- formats --------------------------------------------------------------------------------- */

/* "sched:sched_switch:u": system and event.  0 or -ENOMEM. */
static int set_system(struct sampling_event *event, const char *name, char **tracepoint)
{
	const char *colon = strchr(name, ':');

	event->system = strndup(name, colon ? (size_t)(colon - name) : 0);
	*tracepoint = colon ? strndup(colon + 1, strcspn(colon + 1, ":")) : strdup("");
	return event->system && *tracepoint ? 0 : -ENOMEM;
}

static int read_format(struct sampling_event *event, const char *tracepoint)
{
	struct strbuf text = { 0 };
	char path[512];
	int err;

	snprintf(path, sizeof(path), "events/%s/%s/format", event->system, tracepoint);
	err = tracefs__read(&text, path);
	if (err) {
		log__error("cannot read the format of %s:%s: %s%s%s", event->system, tracepoint,
			   strerror(-err), err == -EACCES ? ": " : "",
			   err == -EACCES ? caps__explain_tracefs() : "");
		strbuf__free(&text);
		return err;
	}
	event->text = text.bytes;
	event->type.format_bytes = text.count;
	return 0;
}

static int parse_format(struct sampling_event *event, const char *tracepoint)
{
	const char *why;
	int err = format_parse__text(&event->format, event->system, event->text,
				     event->type.format_bytes, sizeof(long), &why);

	if (err == -EBADMSG)
		log__error("invalid format of %s:%s: %s", event->system, tracepoint, why);
	if (err)
		return err;
	event->type.system = event->system;
	event->type.format = event->text;
	return 0;
}

static int make_format(struct sampling_event *event, const char *name)
{
	char *tracepoint;
	int err = set_system(event, name, &tracepoint);

	if (!err)
		err = read_format(event, tracepoint);
	if (!err)
		err = parse_format(event, tracepoint);
	free(tracepoint);
	return err;
}

/* ---- types ----------------------------------------------------------------------------------- */

/* Records of tasks and mappings are written as those of the first event, as perf does it. */
static void set_recorded_attr(const struct sampling *sampling, uint32_t i,
			      struct sampling_event *event)
{
	struct perf_event_attr attr = samplers__attr(&sampling->samplers, i);

	if (!i) {
		attr.task = attr.comm = attr.comm_exec = 1;
		attr.mmap = attr.mmap2 = 1;
	}
	perf_attr__parse(&event->type.attr, &attr, sizeof(attr), false);
}

/* All have a period: of each sample, or of the event (fill_sampled() of live/intake.c). */
static uint64_t numbers_of(const struct sampler *sampler)
{
	return sampler->layout.sample_type | PEAT_SAMPLE_PERIOD;
}

static int make_type(struct sampling *sampling, uint32_t i)
{
	struct sampling_event *event = &sampling->events[i];
	const struct sampler *sampler = &sampling->samplers.at[i];
	struct plan plan = { 0 };
	int err;

	set_recorded_attr(sampling, i, event);
	if (sampler->attr.type == PERF_TYPE_TRACEPOINT) {
		err = make_format(event, sampler->name);
		if (!err)
			event->format.schema->sampled = numbers_of(sampler);
		return err;
	}
	err = plan__pack(&plan, sampler->name, NULL, 0, fields__event_reserved, &event->bytes);
	if (!err)
		event->bytes->sampled = numbers_of(sampler);
	plan__free(&plan);
	return err;
}

int sampling_types__make(struct sampling *sampling)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < sampling->samplers.count; i++)
		err = make_type(sampling, i);
	if (err == -ENOMEM)
		log__error("no memory for the types of events");
	return err;
}

void sampling_types__free(struct sampling *sampling)
{
	for (uint32_t i = 0; sampling->events && i < sampling->samplers.count; i++) {
		struct sampling_event *event = &sampling->events[i];

		peat_schema__free(event->bytes);
		if (event->format.schema)
			format_parse__free(&event->format);
		free(event->text);
		free(event->system);
		free(event->name);
	}
}

bool sampling_types__at(const struct sampling *sampling, uint32_t i, struct reader_type *type)
{
	const struct sampling_event *event = &sampling->events[i];

	if (i >= sampling->samplers.count || (!event->bytes && !event->format.schema))
		return false;
	*type = (struct reader_type){
		.type = i,
		.schema = event->bytes ? event->bytes : event->format.schema,
		.name = sampling->samplers.at[i].name,
		.sampled = &event->type,
	};
	return true;
}
