// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay_header.c: names, types, groups and clock, from the header of a recording. */
#include <stdio.h>

#include "base/cursor.h"
#include "base/internal.h"
#include "replay/header.h"

/* What a feature has, or may not have. */
struct damage {
	const char *why; /* NULL: it is whole */
	uint64_t at;	 /* so many bytes in */
};

static struct cursor begin(const struct replay_header *header, const struct perf_feature *feature)
{
	const struct peat_layout layout = { .swapped = header->rec->features.swapped };
	struct cursor cur;

	cursor__init(&cur, feature->bytes, feature->bytes + feature->bytes_count, &layout);
	return cur;
}

/* As much as there is room for. */
static const char *learn_string(const struct replay_header *header,
				const struct perf_feature *feature, char *string, size_t room)
{
	struct cursor cur = begin(header, feature);
	uint32_t bytes = cursor__u32(&cur);
	const char *text = cursor__take(&cur, bytes);

	if (cur.bad)
		return "a string is cut";
	snprintf(string, room, "%.*s", (int)strnlen(text, bytes), text);
	return NULL;
}

static const char *learn_clock(struct replay_header *header, const struct perf_feature *feature)
{
	struct cursor cur = begin(header, feature);
	uint64_t wall_ns, clock_ns;

	cursor__u32(&cur); /* version */
	cursor__u32(&cur); /* which clock it is */
	wall_ns = cursor__u64(&cur);
	clock_ns = cursor__u64(&cur);
	if (cur.bad)
		return "it is cut";
	header->wall_clock_ns = (int64_t)(wall_ns - clock_ns);
	header->has_wall_clock = true;
	return NULL;
}

/* The leader of a group decides whether its members' branches have counters. */
static void tell_members(const struct perf_attrs *attrs, uint32_t leader, uint32_t members)
{
	if (leader >= attrs->count || members > attrs->count - leader ||
	    !(attrs->at[leader]->layout.branch_sample_type & PEAT_BRANCH_COUNTERS))
		return;
	for (uint32_t i = 1; i < members; i++)
		attrs->at[leader + i]->layout.branch_sample_type |= PEAT_BRANCH_COUNTERS;
}

/* They stand in the order of their leaders, and share no members: others are none. */
static const char *learn_groups(struct replay_header *header, const struct perf_feature *feature)
{
	struct cursor cur = begin(header, feature);
	uint32_t groups = cursor__u32(&cur);
	uint64_t behind = 0;

	if (header->has_groups)
		return NULL;
	header->has_groups = true;
	for (uint32_t i = 0; i < groups && !cur.bad; i++) {
		uint32_t leader, members;

		cursor__take(&cur, cursor__u32(&cur)); /* its name */
		leader = cursor__u32(&cur);
		members = cursor__u32(&cur);
		if (cur.bad || leader < behind)
			continue;
		behind = (uint64_t)leader + members;
		tell_members(perf_file__attrs(header->rec->file), leader, members);
	}
	return cur.bad ? "the description of a group is cut" : NULL;
}

/* 0, -ENOMEM, or -EBADMSG: see *damage. */
static int learn(struct replay_header *header, const struct perf_feature *feature,
		 struct damage *damage)
{
	switch (feature->bit) {
	case FEATURE_TRACING_DATA:
		return replay_events__learn_formats(header->events, feature->bytes,
						    feature->bytes_count, &damage->why,
						    &damage->at);
	case FEATURE_BPF_BTF:
		return replay_events__learn_types(header->events, feature->bytes,
						  feature->bytes_count, &damage->why);
	case FEATURE_ARCH:
		damage->why = learn_string(header, feature, header->arch, sizeof(header->arch));
		break;
	case FEATURE_OSRELEASE:
		damage->why =
			learn_string(header, feature, header->release, sizeof(header->release));
		break;
	case FEATURE_CLOCK_DATA:
		damage->why = learn_clock(header, feature);
		break;
	case FEATURE_GROUP_DESC:
		damage->why = learn_groups(header, feature);
		break;
	default:
		return 0;
	}
	return damage->why ? -EBADMSG : 0;
}

/* What is wrong with it goes to *end. */
static int learn_feature(struct replay_header *header, const struct perf_feature *feature,
			 struct perf_end *end)
{
	struct damage damage = { 0 };
	int err;

	if (feature->bit == FEATURE_EVENT_DESC)
		return perf_recording__learn_names(header->rec, feature, end);
	if (!feature->bytes)
		return 0;
	err = learn(header, feature, &damage);
	if (err == -EBADMSG)
		*end = (struct perf_end){ .how = PERF_END_DAMAGED,
					  .offset = feature->offset + damage.at,
					  .why = damage.why };
	else if (err)
		return perf_recording__explain(header->rec, err, NULL);
	return 0;
}

int replay_header__learn_sections(struct replay_header *header)
{
	struct perf_feature feature = { 0 };
	int more = 0, err = 0;

	header->end.how = PERF_END_WHOLE;
	while (!err && (more = perf_file__next_feature(header->rec->file, &feature)) > 0) {
		if (!feature.bytes && !feature.out_of_reach)
			header->end = perf_recording__unread(header->rec, &feature);
		err = learn_feature(header, &feature, &header->end);
	}
	if (more < 0)
		err = perf_recording__explain(header->rec, more, NULL);
	return err;
}

int replay_header__learn_record(struct replay_header *header, const struct perf_entry *entry)
{
	struct perf_end end = { .how = PERF_END_WHOLE };
	struct perf_feature feature;
	int err = 0;

	if (entry->type == TOOL_TRACING_DATA && entry->payload) {
		feature = (struct perf_feature){ .bit = FEATURE_TRACING_DATA,
						 .offset = entry->offset + entry->size,
						 .bytes = entry->payload,
						 .bytes_count = entry->payload_bytes };
		err = learn_feature(header, &feature, &end);
	} else if (entry->type == TOOL_FEATURE &&
		   perf_recording__take_feature(header->rec, entry, &feature, &end)) {
		err = learn_feature(header, &feature, &end);
	}
	perf_recording__note(header->rec, &end);
	return err;
}
