// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/describe/feature_events.c: the events (EVENT_DESC), and their groups (GROUP_DESC). */
#include "perf_data/describe/attr_text.h"
#include "perf_data/describe/feature_parts.h"
#include "perf_data/event_desc.h"

/* perf's name of a group that has none. */
#define ANONYMOUS "{anon_group}"

static struct emit_value event_name(const struct event_desc_entry *event)
{
	return (struct emit_value){ .kind = EMIT_TEXT,
				    .bytes = event->name,
				    .count = event->name_bytes };
}

static void emit_ids(struct emit *emit, const struct event_desc_entry *event)
{
	emit__begin(emit, "ids", true);
	for (uint64_t i = 0; i < event->ids.count; i++) {
		emit__unsigned(emit, NULL, peat_words__at(&event->ids, i));
		emit__print(emit, i ? ", " : ", id = { ");
		emit__print_unsigned(emit, peat_words__at(&event->ids, i));
	}
	emit__end(emit, true);
	if (event->ids.count)
		emit__print(emit, " }");
}

static void emit_event(struct emit *emit, const struct event_desc *desc,
		       const struct event_desc_entry *event)
{
	const struct emit_value name = event_name(event);

	emit__begin(emit, NULL, false);
	emit__value(emit, "name", &name);
	emit__print_filled(emit, "# event : name = $0, ", &name);
	emit_ids(emit, event);
	emit__begin(emit, "attr", false);
	attr_text__emit(emit, event->attr, desc->attr_bytes, desc->cur.swapped);
	emit__end(emit, false);
	emit__end(emit, false);
	emit__print(emit, "\n");
}

void feature_events__desc(struct table_decoder *dec, const struct perf_features *features)
{
	struct event_desc_entry event;
	struct event_desc desc;

	(void)features;
	event_desc__init(&desc, dec->cur.at, cursor__left(&dec->cur), dec->cur.swapped);
	if (!desc.why) {
		emit__begin(dec->emit, "events", true);
		while (event_desc__next(&desc, &event))
			emit_event(dec->emit, &desc, &event);
		emit__end(dec->emit, true);
	}
	if (desc.why)
		table_decoder__fail(dec, desc.why);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Event `index`, which must not be below the index of the call before. */
static bool find_name(struct event_desc *desc, uint64_t index, struct emit_value *name)
{
	struct event_desc_entry event;

	while (event_desc__next(desc, &event)) {
		if (desc->next <= index)
			continue;
		*name = event_name(&event);
		return true;
	}
	return false;
}

/* The names of the members, up to the first that EVENT_DESC does not have. */
static void print_members(struct emit *emit, struct event_desc *desc, uint64_t first,
			  uint64_t past_last)
{
	struct emit_value name;

	emit__print(emit, "{");
	for (uint64_t i = first; i < past_last; i++) {
		if (!find_name(desc, i, &name))
			break;
		emit__print(emit, i > first ? "," : "");
		emit__print_value(emit, &name);
	}
	emit__print(emit, "}\n");
}

static bool is_anonymous(const struct emit_value *name)
{
	return name->count == strlen(ANONYMOUS) && !memcmp(name->bytes, ANONYMOUS, name->count);
}

static const struct member group[] = {
	{ MEMBER_STRING, .name = "name" },
	{ MEMBER_U32, .name = "leader" },
	{ MEMBER_U32, .name = "events" },
	{ .kind = MEMBER_END },
};

void feature_events__groups(struct table_decoder *dec, const struct perf_features *features)
{
	uint32_t count = cursor__u32(&dec->cur);
	struct emit_value values[3];
	uint64_t past_last = 0;
	struct event_desc desc = { 0 };

	if (features->event_desc)
		event_desc__init(&desc, features->event_desc, features->event_desc_bytes,
				 features->swapped);
	if (!table_decoder__check(dec, "it ends early"))
		return;
	emit__begin(dec->emit, "groups", true);
	for (uint32_t i = 0; i < count && table_decoder__read(dec, group, values); i++) {
		if (values[1].number < past_last) {
			table_decoder__fail(dec, "groups overlap");
			break;
		}
		past_last = values[1].number + values[2].number;
		emit__begin(dec->emit, NULL, false);
		table_decoder__emit(dec, group, values);
		emit__end(dec->emit, false);
		emit__print(dec->emit, "# group: ");
		if (!is_anonymous(&values[0]))
			emit__print_value(dec->emit, &values[0]);
		print_members(dec->emit, &desc, values[1].number, past_last);
	}
	emit__end(dec->emit, true);
}
