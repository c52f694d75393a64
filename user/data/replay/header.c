// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay/header.c: reads names, types, groups and clock from the header of a recording. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/cursor.h"
#include "perf_data/note.h"
#include "replay/header.h"

/* Damage of a feature. */
struct damage {
	const char *why; /* NULL: whole */
	uint64_t at;	 /* offset in the feature, bytes */
};

static struct cursor begin_feature(const struct replay_header *header,
				   const struct perf_feature *feature)
{
	const struct peat_layout layout = { .swapped = header->rec->features.swapped };
	struct cursor cur;

	cursor__init(&cur, feature->bytes, feature->bytes + feature->bytes_count, &layout);
	return cur;
}

/* Truncates the string to `room` bytes. */
static const char *read_string(const struct replay_header *header,
			       const struct perf_feature *feature, char *string, size_t room)
{
	struct cursor cur = begin_feature(header, feature);
	uint32_t bytes = cursor__u32(&cur);
	const char *text = cursor__bytes(&cur, bytes);

	if (cur.bad)
		return "a string is cut";
	snprintf(string, room, "%.*s", (int)strnlen(text, bytes), text);
	return NULL;
}

/* The program that recorded: "peat 0.9.0". */
static const char *read_program(struct replay_header *header, const struct perf_feature *feature)
{
	char version[sizeof("peat ")];
	const char *why = read_string(header, feature, version, sizeof(version));

	if (!why)
		replay_types__set_recorder(header->types, !strcmp(version, "peat "));
	return why;
}

static const char *read_clock(struct replay_header *header, const struct perf_feature *feature)
{
	struct cursor cur = begin_feature(header, feature);
	uint64_t wall_ns, clock_ns;

	cursor__u32(&cur); /* version */
	cursor__u32(&cur); /* clock id */
	wall_ns = cursor__u64(&cur);
	clock_ns = cursor__u64(&cur);
	if (cur.bad)
		return "it is cut";
	header->wall_clock_ns = (int64_t)(wall_ns - clock_ns);
	header->has_wall_clock = true;
	return NULL;
}

/* The leader's PEAT_BRANCH_COUNTERS applies to all members of its group. */
static void set_branch_counters(const struct perf_attrs *attrs, uint32_t leader, uint32_t members)
{
	if (leader >= attrs->count || members > attrs->count - leader ||
	    !(attrs->at[leader]->layout.branch_sample_type & PEAT_BRANCH_COUNTERS))
		return;
	for (uint32_t i = 1; i < members; i++)
		attrs->at[leader + i]->layout.branch_sample_type |= PEAT_BRANCH_COUNTERS;
}

/* Groups are sorted by leader and share no members; groups that violate this are skipped. */
static const char *read_groups(struct replay_header *header, const struct perf_feature *feature)
{
	struct cursor cur = begin_feature(header, feature);
	uint32_t groups = cursor__u32(&cur);
	uint64_t previous_end = 0;

	if (header->has_groups)
		return NULL;
	header->has_groups = true;
	for (uint32_t i = 0; i < groups && !cur.bad; i++) {
		uint32_t leader, members;

		cursor__bytes(&cur, cursor__u32(&cur)); /* name */
		leader = cursor__u32(&cur);
		members = cursor__u32(&cur);
		if (cur.bad || leader < previous_end)
			continue;
		previous_end = (uint64_t)leader + members;
		set_branch_counters(perf_file__attrs(header->rec->file), leader, members);
	}
	return cur.bad ? "the description of a group is cut" : NULL;
}

/* 0, -ENOMEM, or -EBADMSG with *damage set: the entries before it are read. */
static int read_build_ids(struct replay_header *header, const struct perf_feature *feature,
			  struct damage *damage)
{
	struct cursor cur = begin_feature(header, feature);
	const bool old = tool_record__build_ids_are_old(&cur);
	struct tool_build_id id;
	int err = 0;

	damage->why = replay_kernel__read_ids(&header->kernel, feature->bytes, feature->bytes_count,
					      header->rec->features.swapped);
	while (!err && cursor__left(&cur) && !tool_record__next_build_id(&cur, old, &id))
		err = build_ids__add(&header->build_ids, &id);
	return err || !damage->why ? err : -EBADMSG;
}

/* 0, -ENOMEM, or -EBADMSG with *damage set. */
static int read_known_feature(struct replay_header *header, const struct perf_feature *feature,
			      struct damage *damage)
{
	switch (feature->bit) {
	case FEATURE_TRACING_DATA:
		return replay_types__add_formats(header->types, feature->bytes,
						 feature->bytes_count, &damage->why, &damage->at);
	case FEATURE_BPF_BTF:
		return replay_types__add_btfs(header->types, feature->bytes, feature->bytes_count,
					      &damage->why);
	case FEATURE_BUILD_ID:
		return read_build_ids(header, feature, damage);
	case FEATURE_ARCH:
		damage->why = read_string(header, feature, header->arch, sizeof(header->arch));
		break;
	case FEATURE_VERSION:
		damage->why = read_program(header, feature);
		break;
	case FEATURE_OSRELEASE:
		damage->why =
			read_string(header, feature, header->release, sizeof(header->release));
		break;
	case FEATURE_HOSTNAME:
		damage->why = read_string(header, feature, header->host, sizeof(header->host));
		break;
	case FEATURE_CLOCK_DATA:
		damage->why = read_clock(header, feature);
		break;
	case FEATURE_GROUP_DESC:
		damage->why = read_groups(header, feature);
		break;
	default:
		return 0;
	}
	return damage->why ? -EBADMSG : 0;
}

/* Damage is reported in *end. */
static int read_feature(struct replay_header *header, const struct perf_feature *feature,
			struct perf_end *end)
{
	struct damage damage = { 0 };
	int err;

	err = perf_recording__add_names(header->rec, feature, end);
	if (err || !feature->bytes)
		return err;
	err = read_known_feature(header, feature, &damage);
	if (err == -EBADMSG)
		*end = (struct perf_end){ .how = PERF_END_DAMAGED,
					  .offset = feature->offset + damage.at,
					  .why = damage.why };
	else if (err)
		return perf_recording__log_error(header->rec, err, NULL);
	return 0;
}

int replay_header__read_sections(struct replay_header *header)
{
	struct perf_feature feature = { 0 };
	int more = 0, err = 0;

	header->end.how = PERF_END_WHOLE;
	while (!err && (more = perf_file__next_feature(header->rec->file, &feature)) > 0) {
		if (!feature.bytes && !feature.out_of_reach)
			header->end = perf_recording__unread_end(header->rec, &feature);
		err = read_feature(header, &feature, &header->end);
	}
	if (more < 0)
		err = perf_recording__log_error(header->rec, more, NULL);
	return err;
}

/* 0 or -ENOMEM, which is logged. */
static int read_build_id(struct replay_header *header, const struct perf_entry *entry)
{
	struct tool_record rec;
	struct tool_build_id id;

	if (tool_record__parse(entry->bytes, entry->size, header->rec->features.swapped, &rec) ||
	    tool_record__build_id(&rec, false, &id))
		return 0;
	replay_kernel__read_id(&header->kernel, &id);
	if (build_ids__add(&header->build_ids, &id))
		return perf_recording__log_error(header->rec, -ENOMEM, NULL);
	return 0;
}

/* Copies the list of interfaces; one that follows replaces it. */
static int keep_interfaces(struct replay_header *header, const struct note *note)
{
	char *lines = malloc(note->count);

	if (!lines)
		return perf_recording__log_error(header->rec, -ENOMEM, NULL);
	memcpy(lines, note->bytes, note->count);
	free(header->interfaces);
	header->interfaces = lines;
	header->interfaces_bytes = note->count;
	return 0;
}

static void read_ledger(struct replay_header *header, const struct note *note)
{
	char name[NOTE_NAME_BYTES];
	uint64_t count;
	size_t at = 0;

	while (note__next_count(note, &at, name, &count)) {
		if (strcmp(name, "skipped"))
			continue;
		header->has_skipped = true;
		header->skipped += count;
	}
}

static int read_note(struct replay_header *header, const struct perf_entry *entry)
{
	struct tool_record rec;
	struct note note;

	if (tool_record__parse(entry->bytes, entry->size, header->rec->features.swapped, &rec) ||
	    !note__read(&rec, &note) || !note.count)
		return 0;
	if (note.kind == NOTE_LEDGER)
		read_ledger(header, &note);
	if (note.kind == NOTE_TYPE && noted_types__read(&header->types->noted, &note, rec.swapped))
		return perf_recording__log_error(header->rec, -ENOMEM, NULL);
	return note.kind == NOTE_INTERFACES ? keep_interfaces(header, &note) : 0;
}

int replay_header__read_record(struct replay_header *header, const struct perf_entry *entry)
{
	struct perf_end end = { .how = PERF_END_WHOLE };
	struct perf_feature feature;
	int err = 0;

	if (entry->type == TOOL_BUILD_ID)
		err = read_build_id(header, entry);
	if (entry->type == TOOL_EVENT_TYPE)
		err = read_note(header, entry);
	if (entry->type == TOOL_TRACING_DATA && entry->payload) {
		feature = (struct perf_feature){ .bit = FEATURE_TRACING_DATA,
						 .offset = entry->offset + entry->size,
						 .bytes = entry->payload,
						 .bytes_count = entry->payload_bytes };
		err = read_feature(header, &feature, &end);
	} else if (entry->type == TOOL_FEATURE &&
		   perf_recording__decode_feature(header->rec, entry, &feature, &end)) {
		err = read_feature(header, &feature, &end);
	}
	perf_recording__report_end(header->rec, &end);
	return err;
}

void replay_header__restart(struct replay_header *header)
{
	struct replay_header kept = { .rec = header->rec,
				      .types = header->types,
				      .has_skipped = header->has_skipped,
				      .skipped = header->skipped,
				      .end = header->end };

	build_ids__free(&header->build_ids);
	free(header->interfaces);
	*header = kept;
}

static bool differs(const char *recorded, const char *own)
{
	return *recorded && strcmp(recorded, own) != 0;
}

bool replay_header__is_of_other_machine(const struct replay_header *header)
{
	struct utsname own;

	if (uname(&own))
		return false;
	return differs(header->host, own.nodename) || differs(header->release, own.release) ||
	       differs(header->arch, own.machine);
}
