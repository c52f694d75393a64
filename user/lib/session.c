// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session.c: load, attach, read, detach. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <peat/session.h>
#include <peat/wire.h>

#include "caps.h"
#include "cpus.h"
#include "globals.h"
#include "grace.h"
#include "internal.h"

#define COMM_BYTES 16 /* the kernel's TASK_COMM_LEN: 15 and a NUL */

struct peat_session {
	char *name;
	struct bpf_object *object;
	struct bpf_link **links; /* one a program */
	int link_count;
	int map_fd;		      /* of raw mode */
	struct peat_channel *channel; /* NULL: raw mode */
	struct peat_reader *reader;
	int measure_fd; /* the kernel measures programs while it is open */
};

static int forward(enum libbpf_print_level level, const char *format, va_list args)
{
	char text[4096];
	size_t bytes;

	vsnprintf(text, sizeof(text), format, args);
	bytes = strlen(text);
	if (bytes && text[bytes - 1] == '\n')
		text[bytes - 1] = '\0';
	log__print(level == LIBBPF_WARN ? PEAT_LOG_INFO : PEAT_LOG_DEBUG, "%s", text);
	return 0;
}

/* ---- loading --------------------------------------------------------------------------------- */

static int set_filter(struct peat_session *session, const char *name, const void *value,
		      size_t bytes)
{
	int err = globals__set(session->object, name, value, bytes);

	if (err == -ENOENT)
		log__error("%s: its programs have no such filter (%s): they do not use peat.bpf.h",
			   session->name, name);
	else if (err)
		log__error("%s: cannot set %s: %s", session->name, name, strerror(-err));
	return err;
}

static int set_cpu_filter(struct peat_session *session, const char *list)
{
	struct cpus cpus;
	int err = cpus__parse(&cpus, list);

	if (err) {
		log__error("'%s' is not a list of CPUs such as 0-3,8: %s", list, strerror(-err));
		return err;
	}
	err = set_filter(session, "peat_filter_cpus", cpus.words, (cpus.limit + 63) / 64 * 8);
	cpus__free(&cpus);
	return err;
}

static int set_filters(struct peat_session *session, const struct peat_session_opts *opts)
{
	uint32_t filters = (opts->pid ? PEAT_FILTER_PID : 0u) |
			   (opts->comm ? PEAT_FILTER_COMM : 0u) |
			   (opts->cpus ? PEAT_FILTER_CPU : 0u);
	int err = 0;

	if (opts->pid)
		err = set_filter(session, "peat_filter_pid", &opts->pid, sizeof(opts->pid));
	if (!err && opts->cpus)
		err = set_cpu_filter(session, opts->cpus);
	if (!err && filters)
		err = set_filter(session, "peat_filters", &filters, sizeof(filters));
	if (err || !opts->comm)
		return err;
	if (!*opts->comm || strlen(opts->comm) >= COMM_BYTES) {
		log__error("'%s' cannot be the name of a task: those have 1 to %d bytes",
			   opts->comm, COMM_BYTES - 1);
		return -EINVAL;
	}
	return set_filter(session, "peat_filter_comm", opts->comm, strlen(opts->comm));
}

static int explain_load(const struct peat_session *session, int err)
{
	if (err == -EPERM || err == -EACCES)
		log__error("cannot load the BPF programs of %s: %s: %s", session->name,
			   strerror(-err), caps__explain());
	else if (access("/sys/kernel/btf/vmlinux", R_OK))
		log__error("cannot load the BPF programs of %s: this kernel has no BTF "
			   "(/sys/kernel/btf/vmlinux): it needs CONFIG_DEBUG_INFO_BTF",
			   session->name);
	else
		log__error("cannot load the BPF programs of %s: %s (libbpf and "
			   "the verifier say why: -v)",
			   session->name, strerror(-err));
	return err;
}

static int find_map(struct peat_session *session)
{
	struct bpf_map *map, *found = NULL;

	bpf_object__for_each_map(map, session->object)
	{
		if (bpf_map__type(map) != BPF_MAP_TYPE_PERF_EVENT_ARRAY)
			continue;
		if (found) {
			log__error("%s has more than one perf event array: '%s' and '%s'",
				   session->name, bpf_map__name(found), bpf_map__name(map));
			return -EINVAL;
		}
		found = map;
	}
	if (!found) {
		log__error("%s has no perf event array to read", session->name);
		return -EINVAL;
	}
	session->map_fd = bpf_map__fd(found);
	return 0;
}

/* Before the object is loaded; one that does not know peat will be read raw. */
static int bind_channel(struct peat_session *session, const struct peat_channel_opts *opts)
{
	if (!bpf_object__find_map_by_name(session->object, "peat_stage"))
		return 0;
	session->channel = peat_channel__new(opts);
	if (!session->channel)
		return -errno;
	return peat_channel__bind(session->channel, session->object);
}

static int load(struct peat_session *session, const struct peat_session_opts *opts)
{
	LIBBPF_OPTS(bpf_object_open_opts, open_opts, .object_name = session->name);
	int err;

	session->object = bpf_object__open_mem(opts->object, opts->object_bytes, &open_opts);
	if (!session->object) {
		err = -errno;
		log__error("%s is not a BPF object: %s", session->name, strerror(-err));
		return err;
	}
	err = bind_channel(session, opts->channel);
	if (!err)
		err = set_filters(session, opts);
	if (err)
		return err;
	err = bpf_object__load(session->object);
	if (err)
		return explain_load(session, err);
	return session->channel ? 0 : find_map(session);
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

	if (!err && (!opts.object || !opts.name || opts.reserved)) {
		log__error("peat_session_opts: object and name are needed, reserved is 0");
		err = -EINVAL;
	}
	if (err)
		return fail_null(err);
	libbpf_set_print(forward);
	session = calloc(1, sizeof(*session));
	if (!session)
		return fail_null(-ENOMEM);
	session->map_fd = session->measure_fd = -1;
	session->name = strdup(opts.name);
	err = session->name ? load(session, &opts) : -ENOMEM;
	if (err) {
		peat_session__free(session);
		return fail_null(err);
	}
	if (opts.measure)
		measure(session);
	return session;
}

/* ---- running --------------------------------------------------------------------------------- */

static int attach_one(struct peat_session *session, struct bpf_program *program)
{
	struct bpf_link *link = bpf_program__attach(program);

	if (!link) {
		int err = -errno;

		log__error("cannot attach %s of %s to %s: %s%s%s", bpf_program__name(program),
			   session->name, bpf_program__section_name(program), strerror(-err),
			   err == -EPERM || err == -EACCES ? ": " : "",
			   err == -EPERM || err == -EACCES ? caps__explain() : "");
		return err;
	}
	session->links[session->link_count++] = link;
	return 0;
}

static int attach(struct peat_session *session)
{
	struct bpf_program *program;
	size_t count = 0;
	int err = 0;

	bpf_object__for_each_program(program, session->object) count++;
	session->links = calloc(count, sizeof(struct bpf_link *));
	if (!session->links)
		return -ENOMEM;
	bpf_object__for_each_program(program, session->object)
	{
		if (!err && bpf_program__autoload(program))
			err = attach_one(session, program);
	}
	return err;
}

/* The rings come first: what is emitted before a CPU has its ring is lost. */
int peat_session__start(struct peat_session *session, const struct peat_reader_opts *opts)
{
	int err;

	if (session->reader) {
		log__error("%s was started before", session->name);
		return fail(-EBUSY);
	}
	session->reader = session->channel ? peat_reader__new(session->channel, opts)
					   : peat_reader__new_raw(session->map_fd, opts);
	if (!session->reader)
		return fail(-errno);
	err = attach(session);
	if (!err) {
		log__info("%s: %d programs attached", session->name, session->link_count);
		return 0;
	}
	peat_session__stop(session);
	peat_reader__free(session->reader);
	session->reader = NULL;
	return fail(err);
}

struct peat_reader *peat_session__reader(const struct peat_session *session)
{
	return session->reader;
}

struct peat_channel *peat_session__channel(const struct peat_session *session)
{
	return session->channel;
}

static int ask_program(struct bpf_program *program, struct peat_program_stats *stats)
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
	struct peat_program_stats stats;
	struct bpf_program *program = NULL;
	int err;

	do
		program = bpf_object__next_program(session->object, program);
	while (program && i--);
	if (!program)
		return 0;
	err = ask_program(program, &stats);
	if (!err)
		err = opts__write(callers_stats, &stats, sizeof(stats), "peat_program_stats");
	return err ? fail(err) : 1;
}

void peat_session__stop(struct peat_session *session)
{
	int err;

	if (!session->links)
		return;
	for (int i = 0; i < session->link_count; i++)
		bpf_link__destroy(session->links[i]);
	free(session->links);
	session->links = NULL;
	session->link_count = 0;
	/* A program that runs while its link goes away ends after that. */
	err = grace__wait();
	if (err)
		log__warn("%s: waiting for running programs failed: %s", session->name,
			  strerror(-err));
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
	bpf_object__close(session->object);
	if (session->measure_fd >= 0)
		close(session->measure_fd);
	free(session->name);
	free(session);
}
