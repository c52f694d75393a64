// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/session.c: load, attach, read, detach. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <peat/wire.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/opts.h"
#include "channel/channel.h"
#include "channel/type_stacks.h"
#include "live/sampling.h"
#include "live/source.h"
#include "object/kernel_btf.h"
#include "object/libbpf_log.h"
#include "reader/types.h"
#include "ring/stack_opts.h"
#include "schema/event_types.h"
#include "session/adding.h"
#include "session/attach/attach.h"
#include "session/attach/chosen_targets.h"
#include "session/foreign/counters.h"
#include "session/foreign/external_maps.h"
#include "session/descendants.h"
#include "session/filters.h"
#include "session/attach/links.h"
#include "session/load.h"
#include "session/map_sizes.h"
#include "session/named_pins.h"
#include "session/new_files.h"
#include "session/attach/network.h"
#include "session/foreign/pinned_types.h"
#include "session/foreign/raw_arrays.h"
#include "session/foreign/sampled_events.h"
#include "session/selection.h"
#include "session/parts/session.h"
#include "session/run_times.h"
#include "session/skipped_programs.h"
#include "session/stack_check.h"
#include "session/tables.h"
#include "sys/file_room.h"
#include "sys/grace_period.h"
#include "sys/namespaces.h"

/* ---- making ---------------------------------------------------------------------------------- */

/* Objects are added later, when the caller's strings may be freed. */
static int copy_opts(struct peat_session *session, const struct peat_session_opts *opts)
{
	int errs[4], err;

	session->opts = *opts;
	session->opts.channel = NULL;
	errs[0] = opts__copy_text(&session->opts.comm);
	errs[1] = opts__copy_text(&session->opts.cpus);
	errs[2] = opts__copy_text(&session->opts.cgroup);
	errs[3] = opts__copy_text(&session->opts.interfaces);
	err = errs[0] ?: errs[1] ?: errs[2] ?: errs[3];
	session->channel_opts = (struct peat_channel_opts)PEAT_CHANNEL_OPTS_INIT;
	if (!err && opts->channel)
		err = opts__read(&session->channel_opts, sizeof(session->channel_opts),
				 opts->channel, "peat_channel_opts");
	if (!err)
		err = channel__check_opts(&session->channel_opts);
	if (!err)
		err = selection__copy(&session->channel_opts, opts);
	session->opts.btf = NULL;
	if (!err && opts->btf)
		err = kernel_btf__find(opts->btf, &session->btf);
	return err;
}

/* Statistics are optional: a failure is logged only. */
static void enable_stats(struct peat_session *session)
{
	session->measure_fd = run_times__enable();
	if (session->measure_fd < 0)
		log__warn("cannot measure run times of programs: %s",
			  strerror(-session->measure_fd));
}

struct peat_session *peat_session__new(const struct peat_session_opts *callers_opts)
{
	struct peat_session_opts opts = { .sz = sizeof(opts) };
	struct peat_session *session;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_session_opts");

	if (!err)
		err = OPTS_CHECK_RESERVED(&opts, "peat_session_opts");
	if (!err)
		err = filters__check(&opts);
	if (err)
		return fail_null(err);
	libbpf_log__forward_all();
	session = calloc(1, sizeof(*session));
	if (!session)
		return fail_null(-ENOMEM);
	session->measure_fd = -1;
	err = copy_opts(session, &opts);
	if (err) {
		peat_session__free(session);
		return fail_null(err);
	}
	if (opts.measure)
		enable_stats(session);
	return session;
}

/* ---- starting -------------------------------------------------------------------------------- */

const struct peat_schema *peat_session__type(const struct peat_session *session, uint32_t i)
{
	for (size_t at = 0; session->channel && at < session->channel->bound_count; at++) {
		const struct bound_object *bound = &session->channel->bound[at];
		const struct btf *btf = channel__btf(bound);
		uint32_t id;

		for (uint32_t type = 0; event_types__at(btf, type, &id) > 0; type++)
			if (event_types__is_first(btf, type) && !i--)
				return peat_channel__schema(session->channel,
							    bound->first_type + id);
	}
	for (uint32_t at = 0; at < session->array_count; at++)
		if (session->arrays[at].schema && !i--)
			return session->arrays[at].schema;
	return sampled_events__schema(session, i);
}

/* The kernel samples the stacks of programs without peat.bpf.h, and of perf events. */
uint32_t peat_session__stacks(const struct peat_session *session)
{
	uint32_t stacks = session->channel ? type_stacks__all(session->channel) : 0;

	if (!session->channel && (session->array_count || session->maps.count || session->sampling))
		stacks |= session->channel_opts.stacks.kinds & STACK_OPTS_KINDS;
	return stacks;
}

static int open_reader(struct peat_session *session, const struct peat_reader_opts *callers_opts)
{
	bool any_array = session->part_count || session->maps.count;
	struct peat_reader_opts opts;
	int err = external_maps__reader_opts(session, callers_opts, &opts);

	if (err)
		return err;
	selection__pass_on(session, &opts);
	if (session->sampling) {
		session->reader = sampled_events__open_reader(session, &opts);
	} else if (session->channel) {
		session->reader = peat_reader__new(session->channel, &opts);
	} else if (any_array) {
		session->reader = raw_arrays__open_reader(session, &opts);
	} else if (!opts.side_band) {
		log__error(
			"cannot start the session: it has no object and no map, and opts.side_band "
			"is 0");
		return -EINVAL;
	} else {
		session->reader = peat_reader__new_side_band(&opts);
	}
	return session->reader ? descendants__select(session, &opts) : -errno;
}

void peat_session__cancel(struct peat_session *session)
{
	session->is_cancelled = 1;
}

/* Warns about each namespace in which events have less. */
static void log_namespaces(void)
{
	for (enum namespace_kind kind = NAMESPACE_USER; kind < NAMESPACES; kind++) {
		const struct namespace *namespace = namespaces__get(kind);

		if (namespaces__state(kind) == NAMESPACE_OTHER)
			log__warn("not in the initial %s namespace: %s%s%s", namespace->name,
				  namespace->lacks, namespace->remedy ? ": " : "",
				  namespace->remedy ? namespace->remedy : "");
	}
}

/* Opens the rings before it attaches: events emitted before a CPU has its ring are lost. */
int peat_session__start(struct peat_session *session, const struct peat_reader_opts *opts)
{
	int err = parts__check_not_started(session) ?: sampled_events__choose(session, opts);

	if (!err)
		err = named_pins__prepare(session);
	for (size_t i = 0; !err && i < session->part_count; i++)
		err = map_sizes__complete(&session->parts[i]);
	for (size_t i = 0; !err && i < session->part_count; i++)
		err = external_maps__prepare(session, session->parts[i].object);
	if (!err)
		err = raw_arrays__identify(session);
	if (!err)
		err = pinned_types__identify(session);
	if (!err)
		err = stack_check__session(session);
	if (!err)
		err = selection__resolve(session, opts);
	if (!err)
		err = load__all(session);
	if (!err)
		err = tables__open(session);
	if (!err)
		err = raw_arrays__settle(session);
	if (!err)
		err = open_reader(session, opts);
	if (!err)
		err = skipped_programs__count(session);
	if (!err)
		err = counters__open(session);
	if (!err)
		err = new_files__open(session);
	if (!err) {
		live_source__follow_programs(session->reader, &session->program_events);
		err = attach__all(session);
	}
	if (!err)
		err = external_maps__pin(session);
	if (err) {
		peat_session__stop(session);
		named_pins__remove(session);
		return fail(err);
	}
	log_namespaces();
	log__info("%d program%s attached", session->attached, session->attached == 1 ? "" : "s");
	return 0;
}

/* ---- running --------------------------------------------------------------------------------- */

struct peat_reader *peat_session__reader(const struct peat_session *session)
{
	return session->reader;
}

struct peat_channel *peat_session__channel(const struct peat_session *session)
{
	return session->channel;
}

static int check_started(const struct peat_session *session)
{
	if (session->reader)
		return 0;
	log__error("the session is not started: call peat_session__start() first");
	return fail(-EINVAL);
}

int peat_session__wait(struct peat_session *session, int timeout_ms)
{
	int err = check_started(session);

	if (err)
		return err;
	return peat_reader__wait(session->reader, timeout_ms);
}

int peat_session__drain(struct peat_session *session, struct peat_sink *sink)
{
	const struct peat_event *event;
	int events = 0, more, err = check_started(session);

	if (err)
		return err;
	while ((more = peat_reader__next(session->reader, &event)) > 0) {
		err = peat_sink__write(sink, event);
		if (err)
			return fail(err);
		events += event->kind == PEAT_EVENT_DATA && events < INT32_MAX;
	}
	err = more < 0 ? more : peat_sink__flush(sink);
	return err ? fail(err) : events;
}

static struct bpf_program *program_at(const struct peat_session *session, uint32_t i)
{
	for (size_t part = 0; part < session->part_count; part++) {
		struct bpf_program *program;

		bpf_object__for_each_program(program, session->parts[part].object)
		{
			if (bpf_program__fd(program) >= 0 && !i--)
				return program;
		}
	}
	return NULL;
}

static int read_program_stats(const struct bpf_program *program, struct peat_program_stats *stats)
{
	struct bpf_prog_info info = { 0 };
	uint32_t info_bytes = sizeof(info);

	if (bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &info_bytes))
		return -errno;
	*stats = (struct peat_program_stats){
		.name = bpf_program__name(program),
		.runs = info.run_cnt,
		.run_ns = info.run_time_ns,
		.misses = info.recursion_misses,
	};
	return 0;
}

int peat_session__program(const struct peat_session *session, uint32_t i,
			  struct peat_program_stats *callers_stats)
{
	const struct bpf_program *program = program_at(session, i);
	struct peat_program_stats stats;
	int err = parts__check_process(session);

	if (err)
		return fail(err);
	if (!program)
		return 0;
	err = read_program_stats(program, &stats);
	if (!err)
		err = opts__write(callers_stats, &stats, sizeof(stats), "peat_program_stats");
	return err ? fail(err) : 1;
}

/* ---- ending ---------------------------------------------------------------------------------- */

void peat_session__stop(struct peat_session *session)
{
	int err = 0;

	if (!session->is_attached)
		return;
	session->is_attached = false;
	new_files__close(session);
	if (reader__is_inherited(session->reader)) {
		links__disown(session);
		return;
	}
	if (session->reader && (session->sampling || external_maps__outlive(session)))
		peat_reader__pause(session->reader);
	links__detach(session);
	/* A program may still run after its link is destroyed.  Events alone need no capability. */
	if (session->part_count)
		err = grace_period__wait();
	if (err)
		log__warn("cannot wait for running programs: %s%s", strerror(-err),
			  file_room__remedy(err));
	if (session->reader)
		peat_reader__flush(session->reader);
}

void peat_session__free(struct peat_session *session)
{
	if (!session)
		return;
	peat_session__stop(session);
	if (!reader__is_inherited(session->reader))
		named_pins__remove(session);
	new_files__close(session);
	peat_reader__free(session->reader);
	sampled_events__free(session);
	peat_channel__free(session->channel);
	tables__remove(session, 0);
	counters__free(session);
	for (size_t i = 0; i < session->part_count; i++)
		adding__free_part(&session->parts[i]);
	free(session->parts);
	external_maps__free(session);
	named_pins__free(session);
	chosen_targets__free(session);
	raw_arrays__free(session);
	descendants__free(session->descendants);
	if (session->measure_fd >= 0)
		close(session->measure_fd);
	free((char *)session->opts.comm);
	free((char *)session->opts.cpus);
	free((char *)session->opts.cgroup);
	free((char *)session->opts.interfaces);
	free(session->btf);
	free(session);
}
