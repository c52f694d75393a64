// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session.c: load, attach, read, detach. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "session/raw_arrays.h"
#include "session/attach.h"
#include "channel/channel.h"
#include "session/filters.h"
#include "sys/grace_period.h"
#include "base/internal.h"
#include "object/libbpf_log.h"
#include "session/load.h"
#include "session/network.h"
#include "session/parts.h"
#include "session/external_maps.h"
#include "schema/event_types.h"

/* ---- making ---------------------------------------------------------------------------------- */

static bool copy_text(const char **text)
{
	const char *copy = *text ? strdup(*text) : NULL;
	bool whole = copy || !*text;

	*text = copy;
	return whole;
}

/* The caller's options live as long as the call, but objects are added later. */
static int copy_opts(struct peat_session *session, const struct peat_session_opts *opts)
{
	bool whole;
	int err = 0;

	session->opts = *opts;
	session->opts.channel = NULL;
	whole = copy_text(&session->opts.comm);
	whole &= copy_text(&session->opts.cpus);
	whole &= copy_text(&session->opts.cgroup);
	whole &= copy_text(&session->opts.interfaces);
	session->channel_opts = (struct peat_channel_opts)PEAT_CHANNEL_OPTS_INIT;
	if (opts->channel)
		err = opts__read(&session->channel_opts, sizeof(session->channel_opts),
				 opts->channel, "peat_channel_opts");
	return whole ? err : -ENOMEM;
}

/* For as long as the fd is open.  Without it there is only less to show. */
static void measure(struct peat_session *session)
{
	session->measure_fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	if (session->measure_fd < 0)
		log__warn("the kernel does not measure programs: %s", strerror(errno));
}

struct peat_session *peat_session__new(const struct peat_session_opts *callers_opts)
{
	struct peat_session_opts opts = { .sz = sizeof(opts) };
	struct peat_session *session;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_session_opts");

	if (!err && opts.reserved) {
		log__error("peat_session_opts: reserved is 0");
		err = -EINVAL;
	}
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
		measure(session);
	return session;
}

/* ---- adding ---------------------------------------------------------------------------------- */

static bool knows_peat(const struct bpf_object *object)
{
	return bpf_object__find_map_by_name(object, "peat_stage");
}

/* A reader reads a channel, or perf event arrays raw. */
static int check_company(const struct peat_session *session, const struct part *part)
{
	bool knows = knows_peat(part->object);

	if (!session->part_count || knows == (session->channel != NULL))
		return 0;
	log__error("%s does not use peat.bpf.h, so it cannot be read together with those that do",
		   knows ? session->parts[0].name : part->name);
	return -EINVAL;
}

static int bind_channel(struct peat_session *session, struct bpf_object *object)
{
	if (!session->channel)
		session->channel = peat_channel__new(&session->channel_opts);
	return session->channel ? peat_channel__bind(session->channel, object) : -errno;
}

/* With what the reader reads. */
static int connect_last(struct peat_session *session)
{
	struct bpf_object *object = session->parts[session->part_count - 1].object;

	return knows_peat(object) ? bind_channel(session, object) : arrays__add(session);
}

static int keep_part(struct peat_session *session, const struct part *part)
{
	struct part *parts;

	parts = realloc(session->parts, (session->part_count + 1) * sizeof(*parts));
	if (!parts)
		return -ENOMEM;
	session->parts = parts;
	parts[session->part_count++] = *part;
	return 0;
}

static void free_part(struct part *part)
{
	bpf_object__close(part->object);
	core_btf__close(&part->btf);
	free(part->bytes);
	free(part->name);
}

/* Takes the part over, whatever comes of it. */
static int add_part(struct peat_session *session, struct part *part)
{
	int err = part->name ? check_company(session, part) : -ENOMEM;

	if (!err)
		err = keep_part(session, part);
	if (err) {
		free_part(part);
		return err;
	}
	network__set_types(part->object);
	err = filters__set(part->object, part->name, &session->opts);
	if (!err)
		err = connect_last(session);
	if (err)
		free_part(&session->parts[--session->part_count]);
	return err;
}

static int keep_bytes(struct part *part, const void *object, size_t bytes)
{
	part->bytes = malloc(bytes);
	if (!part->bytes)
		return -ENOMEM;
	memcpy(part->bytes, object, bytes);
	part->byte_count = bytes;
	return 0;
}

static int fail_open(struct part *part, const char *name, int error)
{
	int err = libbpf_log__explain_open(name, error);

	free_part(part);
	return fail(err);
}

int peat_session__add(struct peat_session *session, const char *name, const void *object,
		      size_t bytes)
{
	LIBBPF_OPTS(bpf_object_open_opts, open_opts, .object_name = name);
	struct part part = { 0 };
	int err = parts__check_not_started(session);

	if (err)
		return fail(err);
	core_btf__choose(&part.btf, object, bytes);
	open_opts.btf_custom_path = core_btf__path(&part.btf);
	part.object = bpf_object__open_mem(object, bytes, &open_opts);
	if (!part.object)
		return fail_open(&part, name, errno);
	part.name = strdup(name);
	if ((session->opts.best_effort || !knows_peat(part.object)) &&
	    keep_bytes(&part, object, bytes)) {
		free_part(&part);
		return fail(-ENOMEM);
	}
	err = add_part(session, &part);
	return err ? fail(err) : 0;
}

int peat_session__add_file(struct peat_session *session, const char *path)
{
	LIBBPF_OPTS(bpf_object_open_opts, open_opts);
	struct part part = { 0 };
	int err = parts__check_not_started(session);

	if (err)
		return fail(err);
	core_btf__choose_for_file(&part.btf, path);
	open_opts.btf_custom_path = core_btf__path(&part.btf);
	part.object = bpf_object__open_file(path, &open_opts);
	if (!part.object)
		return fail_open(&part, path, errno);
	part.name = strdup(path);
	err = add_part(session, &part);
	return err ? fail(err) : 0;
}

/* ---- starting -------------------------------------------------------------------------------- */

const struct peat_schema *peat_session__type(const struct peat_session *session, uint32_t i)
{
	for (size_t at = 0; session->channel && at < session->channel->bound_count; at++) {
		const struct bound *bound = &session->channel->bound[at];
		const struct btf *btf = channel__btf(bound);
		uint32_t id;

		for (uint32_t type = 0; types__at(btf, type, &id) > 0; type++)
			if (types__is_first(btf, type) && !i--)
				return peat_channel__schema(session->channel,
							    bound->first_type + id);
	}
	for (uint32_t at = 0; at < session->array_count; at++)
		if (session->arrays[at].schema && !i--)
			return session->arrays[at].schema;
	return NULL;
}

static int open_reader(struct peat_session *session, const struct peat_reader_opts *callers_opts)
{
	const struct session_maps *maps = &session->maps;
	struct peat_reader_opts opts;
	int err = session_maps__adapt(session, callers_opts, &opts);

	if (err)
		return err;
	if (session->channel) {
		session->reader = peat_reader__new(session->channel, &opts);
	} else if (maps->count) {
		session->reader = peat_reader__new_maps(maps->fds, maps->count, &opts);
	} else if (!session->part_count && !opts.kinds) {
		log__error("the session has no object, and no kinds of records are asked for");
		return -EINVAL;
	} else if (!session->part_count) {
		session->reader = peat_reader__new_kinds(&opts);
	} else {
		session->reader = arrays__open_reader(session, &opts);
	}
	return session->reader ? 0 : -errno;
}

/* The rings come first: what is emitted before a CPU has its ring is lost. */
int peat_session__start(struct peat_session *session, const struct peat_reader_opts *opts)
{
	int err = parts__check_not_started(session);

	for (size_t i = 0; !err && i < session->part_count; i++)
		err = session_maps__prepare(session, session->parts[i].object);
	if (!err)
		err = arrays__identify(session);
	if (!err)
		err = loading__load(session);
	if (!err)
		err = open_reader(session, opts);
	if (!err)
		err = attach__all(session);
	if (!err)
		err = session_maps__pin(session);
	if (err) {
		peat_session__stop(session);
		return fail(err);
	}
	log__info("%d programs attached", session->attached);
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
	log__error("the session was not started");
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

static int ask_program(const struct bpf_program *program, struct peat_program_stats *stats)
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
	int err;

	if (!program)
		return 0;
	err = ask_program(program, &stats);
	if (!err)
		err = opts__write(callers_stats, &stats, sizeof(stats), "peat_program_stats");
	return err ? fail(err) : 1;
}

/* ---- ending ---------------------------------------------------------------------------------- */

void peat_session__stop(struct peat_session *session)
{
	int err;

	if (!session->links)
		return;
	if (session->reader && session_maps__are_kept(session))
		peat_reader__pause(session->reader);
	for (int i = 0; i < session->link_count; i++)
		bpf_link__destroy(session->links[i]); /* but if it is pinned */
	free(session->links);
	session->links = NULL;
	session->link_count = 0;
	network__free(session->network);
	session->network = NULL;
	/* A program that runs while its link goes away ends after that. */
	err = grace__wait();
	if (err)
		log__warn("waiting for running programs failed: %s", strerror(-err));
	if (session->reader)
		peat_reader__flush(session->reader);
}

void peat_session__free(struct peat_session *session)
{
	if (!session)
		return;
	peat_session__stop(session);
	peat_reader__free(session->reader);
	peat_channel__free(session->channel);
	for (size_t i = 0; i < session->part_count; i++)
		free_part(&session->parts[i]);
	free(session->parts);
	session_maps__free(session);
	arrays__free(session);
	if (session->measure_fd >= 0)
		close(session->measure_fd);
	free((char *)session->opts.comm);
	free((char *)session->opts.cpus);
	free((char *)session->opts.cgroup);
	free((char *)session->opts.interfaces);
	free(session);
}
