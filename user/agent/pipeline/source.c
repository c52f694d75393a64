// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pipeline/source.c: makes the session that a configuration describes. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/functions.h>

#include "base/errors.h"
#include "base/log.h"
#include "channel/channel.h"
#include "pipeline/pinned.h"
#include "pipeline/source.h"

/* ---- objects --------------------------------------------------------------------------------- */

static int add_functions(struct peat_session *session, const char *name,
			 const struct config_pipeline *config)
{
	const struct peat_function_opts opts = {
		.sz = sizeof(opts),
		.fields = (const char *const *)config->fields.at,
		.field_count = (uint32_t)config->fields.count,
		.only_named = config->kind == PIPELINE_TABLE,
	};

	return peat_session__add_functions(session, name, &opts);
}

static int add_probe(struct peat_session *session, const char *name,
		     const struct peat_agent_opts *opts)
{
	const void *object;
	size_t bytes;

	if (!opts->find_probe)
		return peat_session__add_probe(session, name);
	if (opts->find_probe(name, &object, &bytes))
		return peat_session__add(session, name, object, bytes);
	log__error("unknown probe '%s': peat list shows the probes; a file needs a path: "
		   "./%s.bpf.o",
		   name, name);
	return -ENOENT;
}

/* "failed" is "failed=true". */
static int set_option(struct peat_session *session, const char *source, char *option)
{
	char *value = strchr(option, '=');
	int err;

	if (value)
		*value++ = '\0';
	err = peat_session__set_text(session, option, value ?: "true");
	if (err == -ENOENT)
		log__error("source %s has no option '%s'", source, option);
	return err;
}

/* "PROBE,OPTION=VALUE,...", an object file, or functions. */
static int add_source(struct peat_session *session, const char *text,
		      const struct config_pipeline *config, const struct peat_agent_opts *opts)
{
	char *copy = strdup(text), *options = copy, *name, *option;
	int err;

	if (!copy)
		return -ENOMEM;
	name = strsep(&options, ",");
	if (peat_functions__are(name))
		err = add_functions(session, text, config); /* a glob may have commas */
	else if (strchr(name, '/'))
		err = peat_session__add_file(session, name);
	else
		err = add_probe(session, name, opts);
	while (!err && !peat_functions__are(name) && (option = strsep(&options, ",")))
		err = set_option(session, name, option);
	free(copy);
	return err;
}

/* ---- the session ----------------------------------------------------------------------------- */

static struct peat_table *make_table(const struct config_pipeline *config)
{
	const struct peat_table_opts opts = {
		.sz = sizeof(opts),
		.by = config->by,
		.field = config->hist ?: config->sum,
		.values = PEAT_TABLE_COUNT | (config->hist ? PEAT_TABLE_LOG2 : 0) |
			  (config->sum ? PEAT_TABLE_SUM : 0),
		.max_rows = config->max_rows,
	};

	return peat_table__new(&opts);
}

static int select_events(struct source *source, const struct config_pipeline *config)
{
	if (config->where)
		source->where = peat_where__parse(config->where);
	if (config->where && !source->where)
		return -errno;
	if (config->kind == PIPELINE_TABLE)
		source->table = make_table(config);
	return config->kind == PIPELINE_TABLE && !source->table ? -errno : 0;
}

static int make_session(struct source *source, const struct config_pipeline *config)
{
	struct peat_channel_opts channel = { .sz = sizeof(channel),
					     .max_rate = (uint32_t)config->max_rate,
					     .owner = config->identity };
	const struct peat_session_opts opts = {
		.sz = sizeof(opts),
		.pid = (uint32_t)config->pid,
		.tid = (uint32_t)config->tid,
		.uid = (uint32_t)config->uid,
		.by_uid = config->has_uid,
		.best_effort = config->best_effort,
		.comm = config->comm,
		.cpus = config->cpus,
		.cgroup = config->cgroup,
		.channel = &channel,
		.interfaces = config->interfaces,
		.btf = config->btf,
		.where = source->where,
		.table = source->table,
	};

	source->session = peat_session__new(&opts);
	return source->session ? 0 : -errno;
}

static int add_sources(struct source *source, const struct config_pipeline *config,
		       const struct peat_agent_opts *opts)
{
	int err = 0;

	for (size_t i = 0; !err && i < config->sources.count; i++)
		err = add_source(source->session, config->sources.at[i], config, opts);
	return err;
}

static int set_variable(struct peat_session *session, const char *text)
{
	const char *equals = strchr(text, '=');
	char *name = strndup(text, equals ? (size_t)(equals - text) : 0);
	int err = name ? 0 : -ENOMEM;

	if (!equals) {
		log__error("set: %s: expected NAME=VALUE", text);
		err = -EINVAL;
	}
	err = err ?: peat_session__set_variable(session, name, equals + 1);
	free(name);
	return err;
}

static int set_variables(struct source *source, const struct config_pipeline *config)
{
	int err = 0;

	for (size_t i = 0; !err && i < config->sets.count; i++)
		err = set_variable(source->session, config->sets.at[i]);
	for (size_t i = 0; !err && i < config->left_out.count; i++)
		err = peat_session__leave_out(source->session, config->left_out.at[i]);
	return err;
}

static int start(struct source *source, const struct config_pipeline *config)
{
	struct peat_reader_opts opts = {
		.sz = sizeof(opts),
		.latency_ms = (uint32_t)config->latency_ms,
		.memory_bytes = config->memory_bytes,
		.names = true,
		.ordered = config->is_ordered,
		.overwrite = config->flight_bytes,
		.identity = config->identity,
		.since_load = config->pin,
	};
	int err = 0;

	if (config->identity) {
		source->names = peat_runtime_names__new();
		opts.find_names = peat_runtime_names__find;
		opts.find_names_arg = source->names;
		err = source->names ? 0 : -ENOMEM;
	}
	err = err ?: peat_session__start(source->session, &opts);
	source->reader = err ? NULL : peat_session__reader(source->session);
	return err;
}

/* Frees it after an error. */
static struct source *finish(struct source *source, int err)
{
	if (!err)
		return source;
	source__unref(source);
	return fail_null(err);
}

static struct source *allocate(void)
{
	struct source *source = calloc(1, sizeof(*source));

	if (source)
		atomic_init(&source->references, 1);
	return source ?: fail_null(-ENOMEM);
}

static int load(struct source *source, const struct config_pipeline *config,
		const struct peat_agent_opts *opts)
{
	return select_events(source, config) ?: make_session(source, config)
		       ?: add_sources(source, config, opts)
		       ?: set_variables(source, config);
}

/* ---- pinned programs ------------------------------------------------------------------------- */

/* The programs have the other filters, and test as much of the expression as they can. */
static int adopt(struct source *source, const struct config_pipeline *config)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .cpus = config->cpus };
	int err = select_events(source, config);

	opts.where = source->where;
	if (!err)
		source->session = pinned__open(source->pins.directory, &opts);
	if (!err && !source->session)
		err = -errno;
	return err ?: start(source, config);
}

/* Frees all but the pins. */
static void clear(struct source *source)
{
	peat_session__free(source->session);
	peat_where__free(source->where);
	peat_table__free(source->table);
	peat_runtime_names__free(source->names);
	source->session = NULL;
	source->where = NULL;
	source->table = NULL;
	source->names = NULL;
	source->reader = NULL;
}

static int load_and_pin(struct source *source, const struct config_pipeline *config,
			const struct peat_agent_opts *opts)
{
	int err = load(source, config, opts)
			  ?: peat_session__pin(source->session, source->pins.directory);

	if (!err && !peat_session__channel(source->session)) {
		log__error("setting pin: events of objects without peat.bpf.h cannot be counted "
			   "while no agent runs");
		err = -EINVAL;
	}
	if (!err && peat_session__channel(source->session)->counters.count)
		log__warn("pipeline %s: setting pin: counters that its programs read have no "
			  "values for the next agent",
			  config->section->name);
	err = err ?: start(source, config) ?: pins__complete(&source->pins);
	if (err)
		pins__remove(&source->pins);
	return err;
}

static int open_pinned(struct source *source, const struct config_pipeline *config,
		       const struct peat_agent_opts *opts)
{
	int err = pins__open(&source->pins, config->pin, pinned__hash(config, opts->find_probe));

	if (err)
		return err;
	source->is_adopted = source->pins.is_complete;
	if (source->is_adopted)
		err = adopt(source, config);
	if (err == -EBUSY || err == -ENOMEM)
		return err;
	if (err) {
		log__warn("pipeline %s: cannot read on the programs pinned at %s: %s: they are "
			  "replaced, and their events since then are not counted",
			  config->section->name, source->pins.directory, strerror(-err));
		clear(source);
		pins__remove(&source->pins);
		pins__free(&source->pins);
		return open_pinned(source, config, opts);
	}
	err = source->is_adopted ? 0 : load_and_pin(source, config, opts);
	source->pinned_ns = pins__made_ns(source->pins.directory);
	return err;
}

/* The kernel detaches programs without a pin a moment later. */
#define DETACH_US 20000

void source__end_programs(struct source *source)
{
	if (!source->pins.path)
		return;
	pins__remove(&source->pins);
	if (source->is_adopted)
		usleep(DETACH_US);
	pins__free(&source->pins);
}

struct source *source__new(const struct config_pipeline *config, const struct peat_agent_opts *opts)
{
	struct source *source = allocate();

	if (!source)
		return NULL;
	return finish(source, config->pin ? open_pinned(source, config, opts)
					  : load(source, config, opts) ?: start(source, config));
}

/* Frees what was made for a check. */
static int end_check(struct source *source, int err)
{
	source__unref(source);
	return err;
}

int source__check(const struct config_pipeline *config, const struct peat_agent_opts *opts)
{
	struct source *source = allocate();

	return source ? end_check(source, load(source, config, opts)) : -ENOMEM;
}

/* ---- triggers -------------------------------------------------------------------------------- */

static int load_trigger(struct source *source, const struct config_pipeline *config,
			const struct peat_agent_opts *opts)
{
	static const struct config_pipeline no_fields = { .kind = PIPELINE_TABLE };
	const struct peat_channel_opts channel = { .sz = sizeof(channel), .unstaged = true };
	struct peat_session_opts session = { .sz = sizeof(session), .channel = &channel };

	session.btf = config->btf;
	if (config->on_where)
		session.where = source->where = peat_where__parse(config->on_where);
	if (config->on_where && !source->where)
		return -errno;
	source->session = peat_session__new(&session);
	if (!source->session)
		return -errno;
	return add_source(source->session, config->on, &no_fields, opts);
}

static int start_trigger(struct source *source)
{
	const struct peat_reader_opts reader = { .sz = sizeof(reader),
						 .names = true,
						 .immediate = true };
	int err = peat_session__start(source->session, &reader);

	source->reader = err ? NULL : peat_session__reader(source->session);
	return err;
}

struct source *source__new_trigger(const struct config_pipeline *config,
				   const struct peat_agent_opts *opts)
{
	struct source *source = allocate();

	return source ? finish(source, load_trigger(source, config, opts) ?: start_trigger(source))
		      : NULL;
}

int source__check_trigger(const struct config_pipeline *config, const struct peat_agent_opts *opts)
{
	struct source *source = allocate();

	return source ? end_check(source, load_trigger(source, config, opts)) : -ENOMEM;
}

/* ---- references ------------------------------------------------------------------------------ */

struct source *source__ref(struct source *source)
{
	atomic_fetch_add_explicit(&source->references, 1, memory_order_relaxed);
	return source;
}

/* Objects without peat.bpf.h have names of maps and types of samples besides. */
static bool keep_schemas(struct source *source)
{
	struct peat_channel *channel =
		source->session ? peat_session__channel(source->session) : NULL;

	source->schemas = channel ? channel__take_schemas(channel) : NULL;
	return source->schemas;
}

void source__end(struct source *source)
{
	if (atomic_load(&source->references) > 1 && keep_schemas(source))
		clear(source);
	source__unref(source);
}

static void free_schemas(struct peat_schema **schemas)
{
	for (size_t i = 0; schemas && schemas[i]; i++)
		peat_schema__free(schemas[i]);
	free(schemas);
}

void source__unref(void *arg)
{
	struct source *source = arg;

	if (atomic_fetch_sub_explicit(&source->references, 1, memory_order_acq_rel) > 1)
		return;
	clear(source);
	free_schemas(source->schemas);
	pins__free(&source->pins);
	free(source);
}
