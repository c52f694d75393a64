// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* reader/reader.c: the public functions of a reader, over any source. */
#include <time.h>
#include <peat/reader.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/monotonic.h"
#include "base/opts.h"
#include "reader/selection.h"
#include "reader/types.h"

/* ---- processes ------------------------------------------------------------------------------- */

bool reader__is_inherited(const struct peat_reader *reader)
{
	return reader && fork_mark__is_inherited(reader->mark);
}

bool reader__is_patient(const struct peat_reader *reader)
{
	return reader->is_patient;
}

int reader__check_process(const struct peat_reader *reader)
{
	return reader ? fork_mark__check(reader->mark, "the reader") : 0;
}

static int check_process(const struct peat_reader *reader)
{
	return fork_mark__check(reader->mark, "the reader");
}

void peat_reader__free(struct peat_reader *reader)
{
	if (reader)
		reader->ops->free(reader);
}

/* ---- waiting --------------------------------------------------------------------------------- */

int peat_reader__fd(const struct peat_reader *reader)
{
	int err = check_process(reader);

	return err ? fail(err) : reader->ops->fd(reader);
}

int peat_reader__wait(struct peat_reader *reader, int timeout_ms)
{
	int ready = check_process(reader);

	if (!ready)
		ready = reader->ops->wait(reader, timeout_ms);
	return ready < 0 ? fail(ready) : ready;
}

void peat_reader__break(const struct peat_reader *reader)
{
	if (!reader__is_inherited(reader)) /* the parent has the same eventfd */
		reader->ops->interrupt(reader);
}

void peat_reader__pause(struct peat_reader *reader)
{
	if (reader->ops->pause && !check_process(reader))
		reader->ops->pause(reader);
}

void peat_reader__flush(struct peat_reader *reader)
{
	if (!check_process(reader))
		reader->ops->flush(reader);
}

/* ---- events ---------------------------------------------------------------------------------- */

static __attribute__((noinline)) int next_of_source(struct peat_reader *reader,
						    const struct peat_event **event)
{
	int more = reader->ops->next(reader);

	if (more > 0 && reader->has_identities)
		reader->ops->identify(reader);
	*event = more > 0 ? &reader->event : NULL;
	if (more <= 0)
		source__publish(reader);
	return more < 0 ? fail(more) : more;
}

static __attribute__((noinline)) int next_selected(struct peat_reader *reader,
						   const struct peat_event **event)
{
	struct selection *selection = &reader->selection;
	int more, ends;

	do {
		*event = &reader->event;
		more = selection->is_held || source__step(reader) ? 1
								  : next_of_source(reader, event);
		ends = more > 0 ? selection__ends(reader) : 0;
	} while (ends > 0);
	if (ends < 0)
		*event = NULL;
	return ends < 0 ? fail(ends) : more;
}

/* Most events are in a row with the one before: nothing is called for them. */
int peat_reader__next(struct peat_reader *reader, const struct peat_event **event)
{
	if (reader__is_inherited(reader)) {
		*event = NULL; /* fork() did not copy the rings */
		return fail(check_process(reader));
	}
	if (reader->selection.where || reader->selection.table || reader->selection.pids.count)
		return next_selected(reader, event);
	if (!source__step(reader))
		return next_of_source(reader, event);
	*event = &reader->event;
	return 1;
}

/* ---- types ----------------------------------------------------------------------------------- */

const struct peat_schema *peat_reader__type(struct peat_reader *reader, uint32_t i)
{
	return reader->ops->recorded_type ? reader->ops->recorded_type(reader, i) : NULL;
}

int peat_reader__type_at(struct peat_reader *reader, uint32_t i, struct peat_type *callers_type)
{
	struct reader_type found;
	struct peat_type type = { 0 };
	int err;

	if (!reader->ops->type(reader, i, &found))
		return 0;
	type.name = found.name;
	type.schema = found.schema;
	type.number = found.type;
	err = opts__write(callers_type, &type, sizeof(type), "peat_type");
	return err ? fail(err) : 1;
}

static int log_several_types(const char *name)
{
	log__error("several types of events have the name '%s': compare the name of each event's "
		   "schema instead of its number",
		   name);
	return -EINVAL;
}

int peat_reader__find_type(struct peat_reader *reader, const char *name, uint32_t *number)
{
	struct reader_type type;
	int err = -ENOENT;

	for (uint32_t i = 0; err != -EINVAL && reader->ops->type(reader, i, &type); i++) {
		if (strcmp(type.name, name))
			continue;
		err = err ? 0 : log_several_types(name);
		*number = type.type;
	}
	return err ? fail(err) : 0;
}

int peat_reader__set_schema(struct peat_reader *reader, uint32_t map,
			    const struct peat_schema *schema)
{
	int err = -EINVAL;

	if (reader->ops->set_schema)
		err = reader->ops->set_schema(reader, map, schema);
	return err ? fail(err) : 0;
}

int reader__set_map_name(struct peat_reader *reader, uint32_t map, const char *name)
{
	return reader->ops->set_map_name ? reader->ops->set_map_name(reader, map, name) : -EINVAL;
}

int reader__set_map_btf(struct peat_reader *reader, uint32_t map, const struct btf *btf)
{
	return reader->ops->set_map_btf ? reader->ops->set_map_btf(reader, map, btf) : -EINVAL;
}

bool reader__type(struct peat_reader *reader, uint32_t i, struct reader_type *type)
{
	*type = (struct reader_type){ 0 };
	return reader->ops->type(reader, i, type);
}

const struct btf *reader__btf(const struct peat_reader *reader, uint32_t i)
{
	return reader->ops->btf ? reader->ops->btf(reader, i) : NULL;
}

/* ---- counts ---------------------------------------------------------------------------------- */

int peat_reader__ledger(const struct peat_reader *reader, uint32_t cpu,
			struct peat_ledger *callers_ledger)
{
	struct peat_ledger ledger;
	int err = check_process(reader);

	if (!err && !reader->ops->ledger)
		err = -ENOTSUP;
	if (!err)
		err = reader->ops->ledger(reader, cpu, &ledger);
	if (!err)
		selection__adjust_ledger(reader->selection.of_cpus, reader->selection.cpus, cpu,
					 &ledger);
	if (!err)
		err = opts__write(callers_ledger, &ledger, sizeof(ledger), "peat_ledger");
	return err ? fail(err) : 0;
}

int peat_reader__map_lost(const struct peat_reader *reader, uint32_t map, uint64_t *lost)
{
	int err = check_process(reader);

	if (!err && !reader->ops->map_lost)
		err = -EINVAL;
	if (!err)
		err = reader->ops->map_lost(reader, map, lost);
	return err ? fail(err) : 0;
}

uint64_t peat_clock__now_ns(void)
{
	return monotonic_ns();
}

static void clock_of_this_machine(int64_t *offset_ns)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	*offset_ns = now.tv_sec * 1000000000LL + now.tv_nsec - (int64_t)monotonic_ns();
}

int peat_reader__wall_clock(const struct peat_reader *reader, int64_t *offset_ns)
{
	int err = 0;

	if (reader->ops->wall_clock)
		err = reader->ops->wall_clock(reader, offset_ns);
	else
		clock_of_this_machine(offset_ns);
	return err ? fail(err) : 0;
}

int peat_reader__stats(const struct peat_reader *reader, struct peat_reader_stats *callers_stats)
{
	struct peat_reader_stats stats = reader->stats;
	int err = check_process(reader);

	if (!err)
		reader->ops->count(reader, &stats);
	selection__adjust_stats(&stats);
	if (!err && reader->ops->add_losses)
		err = reader->ops->add_losses(reader, &stats);
	if (!err)
		err = opts__write(callers_stats, &stats, sizeof(stats), "peat_reader_stats");
	return err ? fail(err) : 0;
}

/* ---- counts for other threads ---------------------------------------------------------------- */

static int read_published(struct peat_reader *reader, uint32_t cpu, struct peat_reader_stats *stats,
			  struct peat_ledger *ledger)
{
	int err = 0;

	pthread_mutex_lock(&reader->lock);
	if (stats) {
		*stats = reader->published;
		selection__adjust_stats(stats);
	}
	if (reader->ops->read_published)
		err = reader->ops->read_published(reader, cpu, stats, ledger);
	else if (ledger)
		err = -ENOTSUP;
	if (!err && ledger)
		selection__adjust_ledger(reader->selection.published, reader->selection.cpus, cpu,
					 ledger);
	pthread_mutex_unlock(&reader->lock);
	return err;
}

int peat_reader__counts(struct peat_reader *reader, uint32_t cpu,
			struct peat_reader_stats *callers_stats, struct peat_ledger *callers_ledger)
{
	struct peat_reader_stats stats;
	struct peat_ledger ledger;
	int err = check_process(reader);

	if (!err)
		err = read_published(reader, cpu, callers_stats ? &stats : NULL,
				     callers_ledger ? &ledger : NULL);
	if (!err && callers_stats)
		err = opts__write(callers_stats, &stats, sizeof(stats), "peat_reader_stats");
	if (!err && callers_ledger)
		err = opts__write(callers_ledger, &ledger, sizeof(ledger), "peat_ledger");
	return err ? fail(err) : 0;
}
