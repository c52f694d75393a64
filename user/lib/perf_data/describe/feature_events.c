// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* feature_events.c: which events there are, and which of them are counted together. */
#include "record/attr_fields.h"
#include "perf_data/describe/feature_parts.h"

/* perf's name of a group that has none. */
#define ANONYMOUS "{anon_group}"

struct event {
	const void *attr;
	struct emit_value name;
	struct peat_words ids;
};

static bool take_event(struct walk *walk, uint32_t attr_bytes, struct event *event)
{
	uint32_t ids;

	event->attr = cursor__take(&walk->cur, attr_bytes);
	ids = cursor__u32(&walk->cur);
	event->name = walk__string(walk);
	event->ids = cursor__words(&walk->cur, ids, 1);
	return walk__good(walk, "the description of an event is cut");
}

static void tell_ids(struct emit *emit, const struct event *event)
{
	emit__begin(emit, "ids", true);
	for (uint64_t i = 0; i < event->ids.count; i++) {
		emit__unsigned(emit, NULL, peat_words__at(&event->ids, i));
		emit__say(emit, i ? ", " : ", id = { ");
		emit__show_unsigned(emit, peat_words__at(&event->ids, i));
	}
	emit__end(emit, true);
	if (event->ids.count)
		emit__say(emit, " }");
}

static void tell_event(struct walk *walk, const struct event *event, uint32_t attr_bytes)
{
	struct emit *emit = walk->emit;

	emit__begin(emit, NULL, false);
	emit__value(emit, "name", &event->name);
	emit__fill_in(emit, "# event : name = $0, ", &event->name);
	tell_ids(emit, event);
	emit__begin(emit, "attr", false);
	event_attr__tell(emit, event->attr, attr_bytes, walk->cur.swapped);
	emit__end(emit, false);
	emit__end(emit, false);
	emit__say(emit, "\n");
}

void feature_events__desc(struct walk *walk, const struct perf_features *features)
{
	uint32_t count = cursor__u32(&walk->cur), attr_bytes = cursor__u32(&walk->cur);
	struct event event;

	(void)features;
	if (!walk__good(walk, "it ends early"))
		return;
	emit__begin(walk->emit, "events", true);
	for (uint32_t i = 0; i < count && take_event(walk, attr_bytes, &event); i++)
		tell_event(walk, &event, attr_bytes);
	emit__end(walk->emit, true);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* The names of the events, one after the other. */
struct names {
	struct walk walk;
	uint32_t attr_bytes, next, count;
};

static void names__init(struct names *names, const struct perf_features *features)
{
	memset(names, 0, sizeof(*names));
	if (!features->event_desc)
		return;
	walk__init(&names->walk, features->event_desc, features->event_desc_bytes,
		   features->swapped, NULL);
	names->count = cursor__u32(&names->walk.cur);
	names->attr_bytes = cursor__u32(&names->walk.cur);
}

/* Event `index`, which must not be below the one asked for before. */
static bool names__find(struct names *names, uint64_t index, struct emit_value *name)
{
	struct event event;

	while (names->next < names->count && take_event(&names->walk, names->attr_bytes, &event)) {
		if (names->next++ < index)
			continue;
		*name = event.name;
		return true;
	}
	return false;
}

/* The members by their names, as far as those are known. */
static void say_members(struct emit *emit, struct names *names, uint64_t first, uint64_t past_last)
{
	struct emit_value name;

	emit__say(emit, "{");
	for (uint64_t i = first; i < past_last; i++) {
		if (!names__find(names, i, &name))
			break;
		emit__say(emit, i > first ? "," : "");
		emit__show(emit, &name);
	}
	emit__say(emit, "}\n");
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

void feature_events__groups(struct walk *walk, const struct perf_features *features)
{
	uint32_t count = cursor__u32(&walk->cur);
	struct emit_value values[3];
	uint64_t past_last = 0;
	struct names names;

	names__init(&names, features);
	if (!walk__good(walk, "it ends early"))
		return;
	emit__begin(walk->emit, "groups", true);
	for (uint32_t i = 0; i < count && walk__take(walk, group, values); i++) {
		if (values[1].number < past_last) {
			walk__fail(walk, "groups overlap");
			break;
		}
		past_last = values[1].number + values[2].number;
		emit__begin(walk->emit, NULL, false);
		walk__tell(walk, group, values);
		emit__end(walk->emit, false);
		emit__say(walk->emit, "# group: ");
		if (!is_anonymous(&values[0]))
			emit__show(walk->emit, &values[0]);
		say_members(walk->emit, &names, values[1].number, past_last);
	}
	emit__end(walk->emit, true);
}
