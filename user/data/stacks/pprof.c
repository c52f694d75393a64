// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stacks/pprof.c: writes counted stacks as a profile for pprof (profile.proto), in gzip. */
#include <errno.h>
#include <stdlib.h>

#include "stacks/counted_stacks.h"
#include "stacks/gzip.h"
#include "stacks/main_mapping.h"
#include "stacks/profile_tables.h"
#include "stacks/stack_weight.h"
#include "field/field_type.h"

#define LABELS 3

struct pprof {
	const struct counted_stacks *stacks;
	struct profile_tables tables;
	Profile__Label ***labels; /* by task: LABELS pointers, NULL after the last */
	uint32_t *path;		  /* frames of a stack, innermost first, then its task */
	bool has_weights;
};

/* ---- what is counted ------------------------------------------------------------------------- */

static int64_t text_of(struct pprof *pprof, const char *text)
{
	return profile_tables__text(&pprof->tables, text);
}

static Profile__ValueType *new_type(struct pprof *pprof, const char *type, const char *unit)
{
	Profile__ValueType *made = profile_tables__allocate(&pprof->tables, sizeof(*made));

	if (!made)
		return NULL;
	profile__value_type__init(made);
	made->type = text_of(pprof, type);
	made->unit = text_of(pprof, unit);
	return made;
}

static enum field_unit unit_of(const struct counted_stacks *stacks)
{
	return field_type__of(&stacks->unit)->unit;
}

/* Only a clock has times as periods. */
static bool is_sampled_by_time(const struct counted_stacks *stacks)
{
	return stacks->period && unit_of(stacks) == FIELD_NANOSECONDS;
}

/* The name of the event without its group: "offcpu" of "peat:offcpu". */
static const char *event_of(const struct counted_stacks *stacks)
{
	const char *event = stacks->event ? stacks->event : "samples";
	const char *colon = strchr(event, ':');

	if (stack_weight__is_clock(event) || is_sampled_by_time(stacks))
		return "cpu";
	return colon && colon[1] ? colon + 1 : event;
}

/* Times are of the event: "cpu", "offcpu".  Other weights have the name of their field. */
static const char *weight_name(const struct counted_stacks *stacks)
{
	if (unit_of(stacks) == FIELD_NANOSECONDS || !stacks->weight)
		return event_of(stacks);
	return stacks->weight;
}

static const char *unit_name(const struct counted_stacks *stacks)
{
	static const char *const names[] = {
		[FIELD_NO_UNIT] = "count",
		[FIELD_NANOSECONDS] = "nanoseconds",
		[FIELD_UNIT_BYTES] = "bytes",
	};

	return names[unit_of(stacks)];
}

static void add_types(struct pprof *pprof)
{
	Profile__Profile *profile = &pprof->tables.profile;
	const struct counted_stacks *stacks = pprof->stacks;

	profile->sample_type =
		profile_tables__allocate(&pprof->tables, 2 * sizeof(*profile->sample_type));
	if (!profile->sample_type)
		return;
	profile->sample_type[profile->n_sample_type++] = new_type(pprof, "samples", "count");
	if (pprof->has_weights) {
		const char *name = weight_name(stacks);

		profile->sample_type[profile->n_sample_type++] =
			new_type(pprof, name, unit_name(stacks));
		profile->default_sample_type = text_of(pprof, name);
	}
	if (pprof->has_weights && is_sampled_by_time(stacks)) {
		profile->period_type = profile->sample_type[1];
		profile->period = (int64_t)stacks->period;
	}
}

static void add_times(struct pprof *pprof)
{
	Profile__Profile *profile = &pprof->tables.profile;
	const struct counted_stacks *stacks = pprof->stacks;

	profile->duration_nanos = (int64_t)(stacks->last_ns - stacks->first_ns);
	if (stacks->wall_clock_ns && stacks->first_ns)
		profile->time_nanos = (int64_t)stacks->first_ns + stacks->wall_clock_ns;
}

static void add_comment(struct pprof *pprof)
{
	Profile__Profile *profile = &pprof->tables.profile;

	if (!pprof->stacks->title)
		return;
	profile->comment = profile_tables__allocate(&pprof->tables, sizeof(*profile->comment));
	if (profile->comment)
		profile->comment[profile->n_comment++] = text_of(pprof, pprof->stacks->title);
}

/* ---- labels ---------------------------------------------------------------------------------- */

static void add_label(struct pprof *pprof, Profile__Label ***labels, const char *key,
		      const char *text, uint32_t number)
{
	Profile__Label *label = profile_tables__allocate(&pprof->tables, sizeof(*label));

	if (!label)
		return;
	profile__label__init(label);
	label->key = text_of(pprof, key);
	if (text)
		label->str = text_of(pprof, text);
	else
		label->num = number;
	*(*labels)++ = label;
}

static Profile__Label **labels_of(struct pprof *pprof, uint32_t number)
{
	const struct counted_task *task = &pprof->stacks->frames.tasks[number];
	Profile__Label **labels, **end;

	if (pprof->labels[number])
		return pprof->labels[number];
	labels = profile_tables__allocate(&pprof->tables, (LABELS + 1) * sizeof(*labels));
	end = labels;
	if (labels && task->comm)
		add_label(pprof, &end, "comm", task->comm, 0);
	if (labels && task->pid != PEAT_NO_TASK)
		add_label(pprof, &end, "pid", NULL, task->pid);
	if (labels && task->tid != PEAT_NO_TASK)
		add_label(pprof, &end, "tid", NULL, task->tid);
	pprof->labels[number] = labels;
	return labels;
}

static void set_labels(struct pprof *pprof, Profile__Sample *sample, uint32_t task)
{
	sample->label = labels_of(pprof, task);
	while (sample->label && sample->label[sample->n_label])
		sample->n_label++;
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Frames that are inlined into the next one share its location. */
static void set_locations(struct pprof *pprof, Profile__Sample *sample, uint32_t depth)
{
	const struct counted_frames *frames = &pprof->stacks->frames;
	uint32_t end;

	sample->location_id =
		profile_tables__allocate(&pprof->tables, depth * sizeof(*sample->location_id));
	for (uint32_t i = 0; i < depth && !pprof->tables.failed; i = end) {
		for (end = i + 1; end < depth && frames->frames[pprof->path[end - 1]].inlined;)
			end++;
		sample->location_id[sample->n_location_id++] =
			profile_tables__location(&pprof->tables, frames, &pprof->path[i], end - i);
	}
}

static int64_t value_of(uint64_t number)
{
	return number < INT64_MAX ? (int64_t)number : INT64_MAX;
}

static void set_values(struct pprof *pprof, Profile__Sample *sample, const struct stack_node *node)
{
	sample->value = profile_tables__allocate(&pprof->tables, 2 * sizeof(*sample->value));
	if (!sample->value)
		return;
	sample->value[sample->n_value++] = value_of(node->count);
	if (pprof->has_weights)
		sample->value[sample->n_value++] = value_of(node->weight);
}

static Profile__Sample *new_sample(struct pprof *pprof, uint32_t node)
{
	Profile__Sample *sample = profile_tables__allocate(&pprof->tables, sizeof(*sample));
	uint32_t depth;

	if (!sample)
		return NULL;
	profile__sample__init(sample);
	depth = stack_tree__path(&pprof->stacks->tree, node, pprof->path) - 1;
	set_values(pprof, sample, &pprof->stacks->tree.nodes[node]);
	set_labels(pprof, sample, pprof->path[depth]);
	if (depth)
		set_locations(pprof, sample, depth);
	return sample;
}

static void add_samples(struct pprof *pprof)
{
	const struct stack_tree *tree = &pprof->stacks->tree;
	Profile__Profile *profile = &pprof->tables.profile;

	profile->sample = profile_tables__allocate(
		&pprof->tables, ((size_t)tree->count + 1) * sizeof(*profile->sample));
	for (uint32_t i = 1; i < tree->count && !pprof->tables.failed; i++)
		if (tree->nodes[i].count)
			profile->sample[profile->n_sample++] = new_sample(pprof, i);
}

static bool has_weights(const struct counted_stacks *stacks)
{
	for (uint32_t i = 1; i < stacks->tree.count; i++)
		if (stacks->tree.nodes[i].weight)
			return true;
	return stacks->is_weighted;
}

/* ---- output ---------------------------------------------------------------------------------- */

struct gzip_buffer {
	ProtobufCBuffer base;
	struct gzip *gzip;
};

static void add_to_gzip(ProtobufCBuffer *buffer, size_t count, const uint8_t *bytes)
{
	gzip__add(((struct gzip_buffer *)buffer)->gzip, bytes, count);
}

static int write_profile(const Profile__Profile *profile, int fd)
{
	struct gzip gzip;
	struct gzip_buffer buffer = { .base.append = add_to_gzip, .gzip = &gzip };

	if (!gzip__begin(&gzip, fd))
		profile__profile__pack_to_buffer(profile, &buffer.base);
	return gzip__end(&gzip);
}

static int make_profile(struct pprof *pprof)
{
	const struct counted_stacks *stacks = pprof->stacks;

	pprof->has_weights = has_weights(stacks);
	pprof->path = calloc((size_t)stacks->tree.count + 1, sizeof(*pprof->path));
	pprof->labels = calloc((size_t)stacks->frames.task_count + 1, sizeof(*pprof->labels));
	if (!pprof->path || !pprof->labels)
		return -ENOMEM;
	add_types(pprof);
	add_times(pprof);
	add_comment(pprof);
	add_samples(pprof);
	if (pprof->tables.failed)
		return -ENOMEM;
	return main_mapping__put_first(&pprof->tables.profile);
}

int pprof__write(const struct counted_stacks *stacks, int fd)
{
	struct pprof pprof = { .stacks = stacks };
	int err;

	profile_tables__init(&pprof.tables);
	err = make_profile(&pprof);
	if (!err)
		err = write_profile(&pprof.tables.profile, fd);
	free(pprof.path);
	free(pprof.labels);
	profile_tables__free(&pprof.tables);
	return err;
}
