// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* as_types.c: words become events and their types. */
#include <stdlib.h>
#include <bpf/btf.h>

#include "replay/type_overrides.h"
#include "base/escape.h"
#include "perf_data/event_names.h"
#include "schema/fields.h"
#include "base/internal.h"
#include "object/libbpf_log.h"

#define SYSTEM	      "peat:" /* what peat record calls events begins so */
#define NAMED_MAX     5
#define TYPE_SOFTWARE 1
#define CONFIG_DUMMY  9

/* ---- words ----------------------------------------------------------------------------------- */

/* Events may have = in their names, types have none. */
static int parse(struct as_type *as, const char *words)
{
	const char *equals = strrchr(words, '='), *type = equals ? equals + 1 : words;

	if (equals == words || !*candidates__name_of(type)) {
		log__error("'%s' does not say which event is of which type: [EVENT=]TYPE", words);
		return -EINVAL;
	}
	as->words = strdup(words);
	if (!as->words)
		return -ENOMEM;
	as->type = candidates__name_of(as->words + (type - words));
	if (!equals)
		return 0;
	as->event = strndup(words, (size_t)(equals - words));
	return as->event ? 0 : -ENOMEM;
}

static int parse_all(struct as_types *as, const char *const *words)
{
	uint32_t count = 0;
	int err = 0;

	while (words && words[count])
		count++;
	as->at = calloc(count + !count, sizeof(*as->at));
	if (!as->at)
		return -ENOMEM;
	while (!err && as->count < count) {
		err = parse(&as->at[as->count], words[as->count]);
		as->count++;
	}
	return err;
}

int as_types__init(struct as_types *as, const char *const *words, const char *path)
{
	int err;

	*as = (struct as_types){ 0 };
	libbpf_log__forward_all();
	err = parse_all(as, words);
	if (!err && path) {
		as->path = strdup(path);
		err = as->path ? type_file__open(&as->file, path) : -ENOMEM;
	}
	return err;
}

void as_types__free(struct as_types *as)
{
	for (uint32_t i = 0; i < as->count; i++) {
		peat_schema__free(as->at[i].schema);
		free(as->at[i].words);
		free(as->at[i].event);
	}
	free(as->at);
	free(as->path);
	type_file__close(&as->file);
	*as = (struct as_types){ 0 };
}

const struct as_type *as_types__of(const struct as_types *as, uint32_t index)
{
	for (uint32_t i = 0; i < as->count; i++)
		if (as->at[i].schema && as->at[i].index == index)
			return &as->at[i];
	return NULL;
}

/* ---- names for messages ---------------------------------------------------------------------- */

/* Of a recording, which may have put anything into them. */
static void add_name(struct out *out, uint32_t count, const char *name)
{
	if (count >= NAMED_MAX)
		return;
	if (count)
		out__text(out, ", ");
	escape__text(out, name, strlen(name), 0);
}

static const char *end_names(struct out *out, uint32_t count)
{
	if (!count)
		out__text(out, "none");
	if (count > NAMED_MAX) {
		out__text(out, " and ");
		out__unsigned(out, count - NAMED_MAX);
		out__text(out, " more");
	}
	out__char(out, '\0');
	return out->failed ? "" : out->bytes;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* perf adds it, for the records that come with it: it has no samples. */
static bool is_dummy(const struct perf_attr *attr)
{
	return attr->type == TYPE_SOFTWARE && attr->config == CONFIG_DUMMY;
}

static bool is_called(const struct perf_attr *attr, const char *system, const char *name)
{
	char room[EVENT_NAME_BYTES];
	const char *own = event_names__of(attr, room);

	return begins_with(own, system) && !strcmp(own + strlen(system), name);
}

/* Those that are called so; without a name those that can be meant. */
static bool is_meant(const struct as_known *known, uint32_t i, const char *system, const char *name)
{
	if (name)
		return is_called(known->attrs->at[i], system, name);
	return known->events[i] == AS_EVENT_PLAIN && !is_dummy(known->attrs->at[i]);
}

static uint32_t count_meant(const struct as_known *known, const char *system, const char *name,
			    uint32_t *index)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < known->attrs->count; i++)
		if (is_meant(known, i, system, name) && !count++)
			*index = i;
	return count;
}

static int refuse_none(const struct as_type *as, const struct as_known *known)
{
	uint32_t count = known->attrs->count;
	struct out out = { 0 };

	for (uint32_t i = 0; i < count; i++) {
		char room[EVENT_NAME_BYTES];

		add_name(&out, i, event_names__of(known->attrs->at[i], room));
	}
	if (as->event)
		log__error("%s: there is no event '%s'; there are: %s", as->words, as->event,
			   end_names(&out, count));
	else
		log__error("%s: there is no event whose samples are plain bytes; there are: %s",
			   as->words, end_names(&out, count));
	out__free(&out);
	return -ENOENT;
}

static int refuse_several(const struct as_type *as, const struct as_known *known)
{
	struct out out = { 0 };
	uint32_t count = 0;

	for (uint32_t i = 0; i < known->attrs->count; i++) {
		char room[EVENT_NAME_BYTES];

		if (is_meant(known, i, "", NULL))
			add_name(&out, count++, event_names__of(known->attrs->at[i], room));
	}
	if (as->event)
		log__error("%s: several events are called '%s': nothing tells them apart",
			   as->words, as->event);
	else
		log__error("%s: several events can be meant: say which, EVENT=%s: %s", as->words,
			   as->type, end_names(&out, count));
	out__free(&out);
	return -EINVAL;
}

static int check_event(const struct as_types *as, const struct as_type *one,
		       const struct as_known *known)
{
	if (known->events[one->index] == AS_EVENT_PLAIN) {
		const struct as_type *other = as_types__of(as, one->index);

		if (!other)
			return 0;
		log__error("%s: the event has a type by %s already", one->words, other->words);
		return -EINVAL;
	}
	log__error("%s: %s", one->words,
		   known->events[one->index] == AS_EVENT_FORMAT
			   ? "the recording itself says what the event's samples are"
			   : "samples of this event have no bytes that could be of a type");
	return -EINVAL;
}

static int find_event(const struct as_types *as, struct as_type *one, const struct as_known *known)
{
	uint32_t count = count_meant(known, "", one->event, &one->index);
	char room[EVENT_NAME_BYTES], *name;
	int err;

	if (!count && one->event)
		count = count_meant(known, SYSTEM, one->event, &one->index);
	if (count != 1)
		return count ? refuse_several(one, known) : refuse_none(one, known);
	err = check_event(as, one, known);
	if (err)
		return err;
	name = strdup(event_names__of(known->attrs->at[one->index], room));
	if (!name)
		return -ENOMEM;
	free(one->event);
	one->event = name;
	return 0;
}

/* ---- types ----------------------------------------------------------------------------------- */

/* Those that a program made up; what cannot be read has none. */
static void gather_own(const struct as_types *as, const struct as_known *known,
		       struct candidates *list)
{
	struct btf *kernel = btf__load_vmlinux_btf();
	struct kernel_types kernel_types = { 0 };

	candidates__read(list, as->file.btf, as->file.info);
	for (uint32_t i = 0; i < known->type_count; i++)
		candidates__read(list, known->types[i], NULL);
	if (!kernel_types__read(&kernel_types, kernel))
		candidates__keep_own(list, &kernel_types);
	kernel_types__free(&kernel_types);
	btf__free(kernel);
}

static int refuse_type(const struct as_types *as, const struct as_type *one,
		       const struct as_known *known)
{
	struct candidates list = { 0 };
	struct out out = { 0 };

	gather_own(as, known, &list);
	candidates__name(&list, &out);
	out__char(&out, '\0');
	log__error("%s: there is no struct '%s' %s%s%s%s%s", one->words, one->type,
		   as->path ? "in " : "", as->path ? as->path : "",
		   as->path ? " or in the recording" : "in the recording",
		   list.count && !out.failed ? "; there are: " : ", nor any other of a program's",
		   list.count && !out.failed ? out.bytes : "");
	candidates__free(&list);
	out__free(&out);
	return -ENOENT;
}

/* Types of one name may be of several programs; then --btf says whose is meant. */
static void warn_of_others(const struct as_type *one, const struct as_known *known, uint32_t from,
			   uint64_t bytes)
{
	struct candidates list = { 0 };

	for (uint32_t i = from; i < known->type_count; i++)
		candidates__read_named(&list, known->types[i], NULL, one->type);
	for (size_t i = 0; i < list.count; i++) {
		if (list.at[i].bytes == bytes)
			continue;
		log__warn("%s: the recording has the types of several programs with a '%s': the "
			  "first one is taken, which has %llu bytes",
			  one->words, one->type, (unsigned long long)bytes);
		break;
	}
	candidates__free(&list);
}

/* What of it makes no sense is none of anybody's. */
static int find_recorded(struct as_type *one, const struct as_known *known)
{
	uint64_t bytes = 0;
	int err = 0;

	for (uint32_t i = 0; i < known->type_count && !one->schema; i++) {
		err = type_file__find(known->types[i], NULL, one->type, &one->schema, &bytes);
		if (err && err != -EBADMSG)
			return err;
		if (one->schema)
			warn_of_others(one, known, i + 1, bytes);
	}
	return 0;
}

static int find_type(const struct as_types *as, struct as_type *one, const struct as_known *known)
{
	uint64_t bytes;
	int err = type_file__find(as->file.btf, as->file.info, one->type, &one->schema, &bytes);

	if (err == -EBADMSG)
		log__error("the types in %s make no sense", as->path);
	if (!err && !one->schema)
		err = find_recorded(one, known);
	if (!err && !one->schema)
		err = refuse_type(as, one, known);
	if (!err)
		one->schema->name = one->event;
	return err;
}

int as_types__settle(struct as_types *as, const struct as_known *known)
{
	int err = 0;

	for (uint32_t i = 0; i < as->count && !err; i++) {
		if (as->at[i].schema)
			continue;
		err = find_event(as, &as->at[i], known);
		if (!err)
			err = find_type(as, &as->at[i], known);
	}
	if (err == -ENOMEM)
		log__error("no memory for the types of events");
	return err;
}
