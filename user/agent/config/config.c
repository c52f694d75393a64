// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* config/config.c: reads what pipelines and outputs are to do from their sections. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/counters.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "config/config.h"
#include "functions/source.h"
#include "outputs/direct.h"

#define MIB (UINT64_C(1) << 20)

static struct setting_block block_of(const struct section *section, const char *what)
{
	return (struct setting_block){ .file = section->file,
				       .what = what,
				       .name = section->name,
				       .at = section->settings,
				       .count = section->setting_count };
}

static const struct peat_setting *find_setting(const struct section *section, const char *name)
{
	for (uint32_t i = 0; i < section->setting_count; i++)
		if (!strcmp(section->settings[i].name, name))
			return &section->settings[i];
	return NULL;
}

static int refuse_section(const struct section *section, const char *what, const char *why)
{
	log__error("%s:%u:%u: %s %s: %s", section->file, section->line, section->column, what,
		   section->name, why);
	return fail(-EINVAL);
}

/* All settings but `without`, as lines. */
static char *make_text(const struct section *section, const char *without)
{
	struct strbuf text = { 0 };

	for (uint32_t i = 0; i < section->setting_count; i++) {
		if (!strcmp(section->settings[i].name, without))
			continue;
		strbuf__text(&text, section->settings[i].name);
		strbuf__char(&text, '=');
		strbuf__text(&text, section->settings[i].value);
		strbuf__char(&text, '\n');
	}
	strbuf__char(&text, '\0');
	if (text.failed)
		strbuf__free(&text);
	return text.bytes;
}

/* Names are parts of paths, labels and messages. */
static bool is_name(const char *name)
{
	size_t count = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_.");

	return *name && *name != '.' && !name[count] && count < 64;
}

static int check_name(const struct section *section, const char *what)
{
	return is_name(section->name)
		       ? 0
		       : refuse_section(section, what,
					"a name has up to 63 letters, digits, - _ and .");
}

/* ---- pipelines ------------------------------------------------------------------------------- */

#define AT(member) offsetof(struct config_pipeline, member)

static const struct setting_row pipeline_rows[] = {
	{ "source", SETTING_LIST, AT(sources), 0, 0 },
	{ "set", SETTING_LIST, AT(sets), 0, 0 },
	{ "no-prog", SETTING_LIST, AT(left_out), 0, 0 },
	{ "fields", SETTING_LIST, AT(fields), 0, 0 },
	{ "outputs", SETTING_LIST, AT(outputs), 0, 0 },
	{ "stat", SETTING_LIST, AT(stat), 0, 0 },
	{ "where", SETTING_TEXT, AT(where), 0, 0 },
	{ "comm", SETTING_TEXT, AT(comm), 0, 0 },
	{ "cgroup", SETTING_TEXT, AT(cgroup), 0, 0 },
	{ "cpus", SETTING_TEXT, AT(cpus), 0, 0 },
	{ "interfaces", SETTING_TEXT, AT(interfaces), 0, 0 },
	{ "btf", SETTING_TEXT, AT(btf), 0, 0 },
	{ "pin", SETTING_TEXT, AT(pin), 0, 0 },
	{ "pid", SETTING_NUMBER, AT(pid), 1, INT32_MAX },
	{ "tid", SETTING_NUMBER, AT(tid), 1, INT32_MAX },
	{ "uid", SETTING_NUMBER, AT(uid), 0, UINT32_MAX },
	{ "best-effort", SETTING_BOOL, AT(best_effort), 0, 0 },
	{ "measure", SETTING_BOOL, AT(measure), 0, 0 },
	{ "identity", SETTING_BOOL, AT(identity), 0, 0 },
	{ "ledger", SETTING_BOOL, AT(ledger), 0, 0 },
	{ "ordered", SETTING_BOOL, AT(is_ordered), 0, 0 },
	{ "max-rate", SETTING_NUMBER, AT(max_rate), 1, UINT32_MAX },
	{ "memory", SETTING_BYTES, AT(memory_bytes), 1, UINT64_MAX },
	{ "latency", SETTING_MS, AT(latency_ms), 1, 60000 },
	{ "count", SETTING_TEXT, AT(by), 0, 0 },
	{ "sum", SETTING_TEXT, AT(sum), 0, 0 },
	{ "hist", SETTING_TEXT, AT(hist), 0, 0 },
	{ "max-rows", SETTING_NUMBER, AT(max_rows), 1, 1000000 },
	{ "interval", SETTING_MS, AT(interval_ms), 100, 86400000 },
	{ "flight", SETTING_BYTES, AT(flight_bytes), 32768, UINT64_C(1) << 31 },
	{ "last", SETTING_MS, AT(last_ms), 1, 86400000 },
	{ "on", SETTING_TEXT, AT(on), 0, 0 },
	{ "on-where", SETTING_TEXT, AT(on_where), 0, 0 },
	{ "at-most-every", SETTING_MS, AT(every_ms), 0, 86400000 },
};

/* Settings that need another one. */
static const struct {
	const char *name, *needs;
} needs[] = {
	{ "sum", "count" },   { "max-rows", "count" },	 { "last", "flight" }, { "on", "flight" },
	{ "on-where", "on" }, { "at-most-every", "on" }, { "flight", "on" },
};

/* Settings that exclude each other. */
static const struct {
	const char *one, *other;
} excluded[] = {
	{ "flight", "identity" }, { "ledger", "source" },  { "ledger", "stat" },
	{ "ledger", "count" },	  { "ledger", "hist" },	   { "ledger", "flight" },
	{ "ledger", "where" },	  { "stat", "source" },	   { "stat", "where" },
	{ "stat", "count" },	  { "stat", "hist" },	   { "stat", "flight" },
	{ "flight", "count" },	  { "flight", "hist" },	   { "sum", "hist" },
	{ "fields", "count" },	  { "fields", "hist" },	   { "ledger", "pin" },
	{ "stat", "pin" },	  { "count", "pin" },	   { "hist", "pin" },
	{ "flight", "pin" },	  { "ordered", "count" },  { "ordered", "hist" },
	{ "ordered", "flight" },  { "ledger", "ordered" }, { "stat", "ordered" },
};

static int check_settings(const struct section *section)
{
	const struct setting_block block = block_of(section, "pipeline");
	char why[96];

	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++) {
		const struct peat_setting *setting = find_setting(section, needs[i].name);
		bool has_table = !strcmp(needs[i].needs, "count") && find_setting(section, "hist");

		snprintf(why, sizeof(why), "it needs the setting %s", needs[i].needs);
		if (setting && !find_setting(section, needs[i].needs) && !has_table)
			return settings__refuse(&block, setting, why);
	}
	for (size_t i = 0; i < sizeof(excluded) / sizeof(*excluded); i++) {
		const struct peat_setting *setting = find_setting(section, excluded[i].other);

		snprintf(why, sizeof(why), "it cannot be set beside %s", excluded[i].one);
		if (setting && find_setting(section, excluded[i].one))
			return settings__refuse(&block, setting, why);
	}
	return 0;
}

/* Probes and objects decide which fields their events have. */
static int check_fields(const struct config_pipeline *pipeline)
{
	const struct setting_block block = block_of(pipeline->section, "pipeline");

	for (size_t i = 0; i < pipeline->sources.count; i++)
		if (function_source__is(pipeline->sources.at[i]))
			return 0;
	if (!pipeline->fields.count)
		return 0;
	return settings__refuse(&block, find_setting(pipeline->section, "fields"),
				"it chooses fields of functions, such as kprobe:vfs_read: events "
				"of other sources are sent whole");
}

/* Settings that do not apply to `on: EVENT>N`. */
static int check_count(const struct setting_block *block, const struct section *section)
{
	static const struct {
		const char *name, *why;
	} refused[] = {
		{ "on-where", "a perf event that is counted has no fields" },
		{ "uid", "the perf event of on is counted for pid, tid, cgroup or all tasks" },
		{ "comm", "the perf event of on is counted for pid, tid, cgroup or all tasks" },
	};
	bool of_tasks = find_setting(section, "pid") || find_setting(section, "tid");

	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		if (find_setting(section, refused[i].name))
			return settings__refuse(block, find_setting(section, refused[i].name),
						refused[i].why);
	if (of_tasks && find_setting(section, "cgroup"))
		return settings__refuse(block, find_setting(section, "cgroup"),
					"the perf event of on is counted for tasks or a cgroup");
	return 0;
}

/* `on` is a source, or EVENT>N. */
static int read_on(struct config_pipeline *pipeline)
{
	const struct section *section = pipeline->section;
	const struct setting_block block = block_of(section, "pipeline");
	int is_count = pipeline->on ? peat_counters__parse_limit(pipeline->on,
								 &pipeline->on_count.event_bytes,
								 &pipeline->on_count.over)
				    : 0;

	if (is_count < 0)
		return settings__refuse(&block, find_setting(section, "on"),
					"expected a source, or EVENT>N, a perf event and a number, "
					"such as major-faults>1000");
	pipeline->on_count.is_given = is_count;
	return is_count ? check_count(&block, section) : 0;
}

static enum pipeline_kind kind_of(const struct config_pipeline *pipeline)
{
	if (pipeline->ledger)
		return PIPELINE_LEDGER;
	if (pipeline->stat.count)
		return PIPELINE_STAT;
	if (pipeline->flight_bytes)
		return PIPELINE_FLIGHT;
	return pipeline->by || pipeline->hist ? PIPELINE_TABLE : PIPELINE_EVENTS;
}

static int read_pipeline(struct config_pipeline *pipeline, const struct section *section)
{
	const struct setting_block block = block_of(section, "pipeline");
	int err;

	*pipeline = (struct config_pipeline){ .section = section,
					      .interval_ms = 10000,
					      .max_rows = 1000,
					      .every_ms = 10000,
					      .text = make_text(section, "outputs") };
	if (!pipeline->text)
		return fail(-ENOMEM);
	err = check_name(section, "pipeline") ?:
	      settings__read_block(&block, pipeline_rows,
				   sizeof(pipeline_rows) / sizeof(*pipeline_rows), pipeline) ?:
	      check_settings(section);
	if (err)
		return err;
	pipeline->has_uid = find_setting(section, "uid");
	pipeline->kind = kind_of(pipeline);
	if (!pipeline->sources.count && !pipeline->stat.count && !pipeline->ledger)
		return refuse_section(section, "pipeline",
				      "it needs the setting source, stat or ledger");
	if (!pipeline->outputs.count)
		return refuse_section(section, "pipeline", "it needs the setting outputs");
	if (pipeline->outputs.count > CONFIG_OUTPUTS_MAX)
		return refuse_section(section, "pipeline", "it has more than 64 outputs");
	return check_fields(pipeline) ?: read_on(pipeline);
}

static void free_pipeline(struct config_pipeline *pipeline)
{
	for (size_t i = 0; i < sizeof(pipeline_rows) / sizeof(*pipeline_rows); i++) {
		void *at = (char *)pipeline + pipeline_rows[i].offset;

		if (pipeline_rows[i].kind == SETTING_TEXT)
			free(*(char **)at);
		else if (pipeline_rows[i].kind == SETTING_LIST)
			setting_list__free(at);
	}
	free(pipeline->text);
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* Read here: all outputs have a queue, and may have a spool. */
struct queue_settings {
	uint64_t bytes;
	char *policy;
	char *spool;
	uint64_t spool_bytes;
	char *spool_full, *spool_sync;
};

static const struct setting_row queue_rows[] = {
	{ "queue", SETTING_BYTES, offsetof(struct queue_settings, bytes), 64 << 10, UINT64_MAX },
	{ "when-full", SETTING_TEXT, offsetof(struct queue_settings, policy), 0, 0 },
	{ "spool", SETTING_TEXT, offsetof(struct queue_settings, spool), 0, 0 },
	{ "spool-size", SETTING_BYTES, offsetof(struct queue_settings, spool_bytes), MIB,
	  UINT64_MAX / 2 },
	{ "spool-full", SETTING_TEXT, offsetof(struct queue_settings, spool_full), 0, 0 },
	{ "spool-sync", SETTING_TEXT, offsetof(struct queue_settings, spool_sync), 0, 0 },
};
#define QUEUE_ROWS (sizeof(queue_rows) / sizeof(*queue_rows))

static bool is_of_queue(const char *name)
{
	for (size_t i = 0; i < QUEUE_ROWS; i++)
		if (!strcmp(queue_rows[i].name, name))
			return true;
	return false;
}

/* Settings of the queue come first, settings of the output after them. */
static int part_settings(struct config_output *output, struct config *config, uint32_t *of_queue)
{
	const struct section *section = output->section;
	uint32_t count = section->setting_count, first = 0, last = count;
	struct peat_setting *parted =
		arena__take(&config->sections.memory, (count + 1) * sizeof(*parted));

	if (!parted)
		return fail(-ENOMEM);
	for (uint32_t i = 0; i < count; i++)
		if (is_of_queue(section->settings[i].name))
			parted[first++] = section->settings[i];
	*of_queue = first;
	for (uint32_t i = 0; i < count; i++)
		if (!is_of_queue(section->settings[i].name))
			parted[first++] = section->settings[i];
	output->settings = parted + *of_queue;
	output->setting_count = last - *of_queue;
	return 0;
}

/* Segments are small beside the spool: it loses or frees them as a whole. */
static uint64_t segment_bytes(uint64_t spool_bytes)
{
	return spool_bytes / 16 < 16 * MIB ? spool_bytes / 16 : 16 * MIB;
}

static int read_spool(struct config_output *output, const struct setting_block *block,
		      struct queue_settings *queue)
{
	static const char *const others[] = { "spool-size", "spool-full", "spool-sync" };
	const struct section *section = output->section;
	struct spool_limits *limits = &output->spool_limits;

	for (size_t i = 0; !queue->spool && i < sizeof(others) / sizeof(*others); i++)
		if (find_setting(section, others[i]))
			return settings__refuse(block, find_setting(section, others[i]),
						"it needs the setting spool");
	*limits = (struct spool_limits){ .most_bytes = queue->spool_bytes,
					 .segment_bytes = segment_bytes(queue->spool_bytes),
					 .memory_bytes = queue->bytes,
					 .sync = SPOOL_SYNC_ROTATE };
	if (queue->spool_full && !spool__parse_full(queue->spool_full, &limits->full))
		return settings__refuse(block, find_setting(section, "spool-full"),
					"expected block or drop-oldest");
	if (queue->spool_sync && !spool__parse_sync(queue->spool_sync, &limits->sync))
		return settings__refuse(block, find_setting(section, "spool-sync"),
					"expected never, rotate or batch");
	output->spool = queue->spool;
	queue->spool = NULL;
	return 0;
}

static int read_queue(struct config_output *output, uint32_t count)
{
	struct setting_block block = block_of(output->section, "output");
	struct queue_settings queue = { .bytes = 16 * MIB, .spool_bytes = 1024 * MIB };
	const struct peat_setting *setting = find_setting(output->section, "when-full");
	int err;

	block.at = output->settings - count;
	block.count = count;
	err = settings__read_block(&block, queue_rows, QUEUE_ROWS, &queue);
	output->queue_bytes = queue.bytes;
	output->policy = QUEUE_BLOCK;
	if (!err && queue.policy && !queue__parse_policy(queue.policy, &output->policy))
		err = settings__refuse(&block, setting,
				       "expected block, drop-oldest or drop-newest");
	err = err ?: read_spool(output, &block, &queue);
	free(queue.policy);
	free(queue.spool);
	free(queue.spool_full);
	free(queue.spool_sync);
	return err;
}

static const struct peat_output_ops *find_output(const struct config *config, const char *name)
{
	for (size_t i = 0; config->own && config->own[i]; i++)
		if (!strcmp(config->own[i]->name, name))
			return config->own[i];
	return peat_output__find(name);
}

/* The setting that has the name of an output selects it. */
static int find_ops(const struct config *config, struct config_output *output)
{
	for (uint32_t i = 0; i < output->setting_count; i++) {
		const struct peat_output_ops *ops = find_output(config, output->settings[i].name);

		if (ops && output->ops)
			return refuse_section(output->section, "output",
					      "it can be one output only");
		output->ops = ops ?: output->ops;
	}
	return output->ops ? 0
			   : refuse_section(output->section, "output",
					    "it needs the setting of an output, such as file; one "
					    "that needs a library may not be built in");
}

struct peat_output_opts config_output__opts(const struct config_output *output)
{
	return (struct peat_output_opts){ .sz = sizeof(struct peat_output_opts),
					  .name = output->section->name,
					  .file = output->section->file,
					  .settings = output->settings,
					  .setting_count = output->setting_count };
}

static int read_output(struct config *config, struct config_output *output,
		       const struct section *section)
{
	uint32_t of_queue;
	int err;

	*output = (struct config_output){ .section = section, .text = make_text(section, "") };
	if (!output->text)
		return fail(-ENOMEM);
	err = check_name(section, "output") ?: part_settings(output, config, &of_queue);
	err = err ?: read_queue(output, of_queue) ?: find_ops(config, output);
	if (!err) {
		const struct peat_output_opts opts = config_output__opts(output);

		output->is_direct = direct__is(output->ops, &opts);
		if (output->is_direct && output->spool)
			return refuse_section(section, "output", "a recording has no spool");
		err = output->ops->check ? output->ops->check(&opts) : 0;
	}
	return err;
}

static void free_output(struct config_output *output)
{
	free(output->text);
	free(output->spool);
}

/* ---- the agent ------------------------------------------------------------------------------- */

static const struct setting_row agent_rows[] = {
	{ "socket", SETTING_TEXT, offsetof(struct config_agent, socket), 0, 0 },
	{ "state", SETTING_TEXT, offsetof(struct config_agent, state), 0, 0 },
	{ "drain", SETTING_MS, offsetof(struct config_agent, drain_ms), 0, 3600000 },
	{ "alerts", SETTING_LIST, offsetof(struct config_agent, alerts), 0, 0 },
	{ "alert-interval", SETTING_MS, offsetof(struct config_agent, alert_interval_ms), 100,
	  86400000 },
};

static int read_agent(struct config *config, const struct section *section)
{
	const struct setting_block block = block_of(section, "the");

	return settings__read_block(&block, agent_rows, sizeof(agent_rows) / sizeof(*agent_rows),
				    &config->agent);
}

/* ---- all ------------------------------------------------------------------------------------- */

static int check_repeated(const struct config *config, size_t i)
{
	const struct section *section = &config->sections.at[i];

	for (size_t j = 0; j < i; j++)
		if (!strcmp(config->sections.at[j].group, section->group) &&
		    !strcmp(config->sections.at[j].name, section->name))
			return refuse_section(section, section->group, "the name is there twice");
	return 0;
}

static int read_section(struct config *config, size_t i)
{
	const struct section *section = &config->sections.at[i];
	int err = check_repeated(config, i);

	if (err)
		return err;
	if (!strcmp(section->group, "agent"))
		return read_agent(config, section);
	if (!strcmp(section->group, "outputs"))
		return read_output(config, &config->outputs[config->output_count++], section);
	err = read_pipeline(&config->pipelines[config->pipeline_count], section);
	config->pipelines[config->pipeline_count++].config = config;
	return err;
}

int config__find_output(const struct config *config, const char *name)
{
	for (size_t i = 0; i < config->output_count; i++)
		if (!strcmp(config->outputs[i].section->name, name))
			return (int)i;
	return -1;
}

static int refuse_outputs(const struct config_pipeline *pipeline, const char *why)
{
	return refuse_section(pipeline->section,
			      pipeline->kind == PIPELINE_ALERTS ? "alerts of" : "pipeline", why);
}

/* Tables and counters are points, the others are events. */
static int check_takes(const struct config_pipeline *pipeline, const struct config_output *output)
{
	bool has_points = pipeline->kind != PIPELINE_EVENTS && pipeline->kind != PIPELINE_FLIGHT &&
			  pipeline->kind != PIPELINE_ALERTS;
	uint32_t needed = has_points ? PEAT_TAKES_POINTS : PEAT_TAKES_EVENTS;
	char why[128];

	if (output->is_direct && pipeline->kind != PIPELINE_EVENTS)
		return refuse_outputs(pipeline,
				      "a recording is written by a pipeline of events only");
	if (output->ops->takes & needed)
		return 0;
	snprintf(why, sizeof(why), "output %s takes no %s", output->section->name,
		 has_points ? "counts: give it events" : "events: count them with count or hist");
	return refuse_outputs(pipeline, why);
}

/* A pipeline begins again if a recording that it writes has other settings. */
static int append_text(struct config_pipeline *pipeline, const struct config_output *output)
{
	char *text;

	if (asprintf(&text, "%s%s:%s", pipeline->text, output->section->name, output->text) < 0)
		return fail(-ENOMEM);
	free(pipeline->text);
	pipeline->text = text;
	return 0;
}

static int check_outputs(const struct config *config, struct config_pipeline *pipeline)
{
	char why[128];

	for (size_t i = 0; i < pipeline->outputs.count; i++) {
		int at = config__find_output(config, pipeline->outputs.at[i]);
		int err;

		snprintf(why, sizeof(why), "there is no output %s", pipeline->outputs.at[i]);
		if (at < 0)
			return refuse_outputs(pipeline, why);
		err = check_takes(pipeline, &config->outputs[at]);
		if (!err && config->outputs[at].is_direct)
			err = append_text(pipeline, &config->outputs[at]);
		if (err)
			return err;
		for (size_t j = 0; j < i; j++)
			if (!strcmp(pipeline->outputs.at[i], pipeline->outputs.at[j]))
				return refuse_outputs(pipeline, "an output is there twice");
	}
	return 0;
}

static int refuse_pin(const struct config_pipeline *pipeline, const char *why)
{
	const struct setting_block block = block_of(pipeline->section, "pipeline");

	return settings__refuse(&block, find_setting(pipeline->section, "pin"), why);
}

static int check_pin(const struct config *config, const struct config_pipeline *pipeline)
{
	const char *pin = pipeline->pin;

	if (!pin)
		return 0;
	if (!config->agent.state)
		return refuse_pin(pipeline, "it needs the setting state of the agent");
	if (*pin != '/' || strchr(pin, '\n') || pin[strlen(pin) - 1] == '/')
		return refuse_pin(pipeline, "expected an absolute path without / at its end");
	for (const struct config_pipeline *other = config->pipelines; other != pipeline; other++)
		if (other->pin && !strcmp(other->pin, pin))
			return refuse_pin(pipeline, "another pipeline has this path");
	return 0;
}

/* The pipeline that sends alerts has the name and the place of the section `agent`. */
static int add_alerts(struct config *config)
{
	struct config_pipeline *pipeline = &config->pipelines[config->pipeline_count];
	const struct section *section = config->sections.at;

	if (!config->agent.alerts.count || !config->pipeline_count)
		return 0;
	while (strcmp(section->group, "agent") != 0)
		section++;
	for (size_t i = 0; i < config->pipeline_count; i++)
		if (!strcmp(config->pipelines[i].section->name, section->name))
			return refuse_section(config->pipelines[i].section, "pipeline",
					      "alerts of the agent have this name");
	if (config->agent.alerts.count > CONFIG_OUTPUTS_MAX)
		return refuse_section(section, "the", "alerts have more than 64 outputs");
	*pipeline = (struct config_pipeline){ .config = config,
					      .section = section,
					      .kind = PIPELINE_ALERTS,
					      .outputs = config->agent.alerts,
					      .interval_ms = config->agent.alert_interval_ms };
	config->agent.alerts = (struct setting_list){ 0 };
	config->pipeline_count++;
	if (asprintf(&pipeline->text, "alert-interval=%llu",
		     (unsigned long long)pipeline->interval_ms) >= 0)
		return 0;
	pipeline->text = NULL;
	return fail(-ENOMEM);
}

static int read_sections(struct config *config)
{
	size_t count = config->sections.count;
	int err = 0;

	config->agent.drain_ms = 5000;
	config->agent.alert_interval_ms = 60000;
	config->pipelines = calloc(count + 1, sizeof(*config->pipelines));
	config->outputs = calloc(count + 1, sizeof(*config->outputs));
	if (!config->pipelines || !config->outputs)
		return fail(-ENOMEM);
	for (size_t i = 0; !err && i < count; i++)
		err = read_section(config, i);
	err = err ?: add_alerts(config);
	for (size_t i = 0; !err && i < config->pipeline_count; i++)
		err = check_outputs(config, &config->pipelines[i])
			      ?: check_pin(config, &config->pipelines[i]);
	return err;
}

static int check_any(const struct config *config, const char *file)
{
	if (config->pipeline_count)
		return 0;
	log__error("%s: the configuration has no pipelines", file);
	return fail(-EINVAL);
}

int config__read(struct config *config, const char *const *paths,
		 const struct peat_output_ops *const *own)
{
	int err = 0;

	*config = (struct config){ .own = own };
	for (size_t i = 0; !err && paths[i]; i++)
		err = section_list__read(&config->sections, paths[i]);
	err = err ?: read_sections(config) ?: check_any(config, paths[0] ?: "");
	if (err)
		config__free(config);
	return err ? fail(err) : 0;
}

int config__read_text(struct config *config, const char *file, const char *text, size_t bytes,
		      const struct peat_output_ops *const *own)
{
	int err;

	*config = (struct config){ .own = own };
	err = section_list__read_text(&config->sections, file, text, bytes);
	err = err ?: read_sections(config) ?: check_any(config, file);
	if (err)
		config__free(config);
	return err ? fail(err) : 0;
}

void config__free(struct config *config)
{
	for (size_t i = 0; i < config->pipeline_count; i++)
		free_pipeline(&config->pipelines[i]);
	for (size_t i = 0; i < config->output_count; i++)
		free_output(&config->outputs[i]);
	free(config->pipelines);
	free(config->outputs);
	free(config->agent.socket);
	free(config->agent.state);
	setting_list__free(&config->agent.alerts);
	section_list__free(&config->sections);
	*config = (struct config){ 0 };
}
