// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tool_told.c: the records of perf itself, told to an emit. */
#include <errno.h>
#include <string.h>

#include "record/attr_fields.h"
#include "perf_data/note.h"
#include "perf_data/describe/tool_records.h"

#define FIRST_ATTR_BYTES 64 /* of its first version */
#define CONFIG_WORDS	 2  /* tag and value */

static const struct emit_name auxtrace_kinds[] = {
	{ 0, "unknown" },  { 1, "INTEL_PT" }, { 2, "INTEL_BTS" },
	{ 3, "CS_ETM" },   { 4, "ARM_SPE" },  { 5, "S390_CPUMSF" },
	{ 6, "HISI_PTT" }, { 7, "VPA_DTL" },  { 0, NULL },
};

static const struct emit_name error_kinds[] = { { 1, "ITRACE" }, { 0, NULL } };

static const struct emit_name round_kinds[] = { { 0, "INTERVAL" }, { 1, "FINAL" }, { 0, NULL } };

static const struct emit_name update_kinds[] = {
	{ TOOL_UPDATE_UNIT, "UNIT" },
	{ TOOL_UPDATE_SCALE, "SCALE" },
	{ TOOL_UPDATE_NAME, "NAME" },
	{ TOOL_UPDATE_CPUS, "CPUS" },
	{ 0, NULL },
};

static const struct emit_name config_tags[] = {
	{ 0, "aggr_mode" }, { 1, "interval" }, { 2, "scale" }, { 3, "aggr_level" }, { 0, NULL },
};

static void tell_text(struct emit *emit, const char *name, const struct tool_text *text)
{
	struct emit_value value = { .kind = EMIT_TEXT, .bytes = text->at, .count = text->bytes };

	if (!text->at)
		value.bytes = "";
	emit__value(emit, name, &value);
}

static void tell_cpus(struct emit *emit, const struct tool_cpus *cpus)
{
	uint32_t place = 0;
	int32_t cpu;

	emit__begin(emit, "cpus", true);
	while (tool_cpus__next(cpus, &place, &cpu))
		emit__signed(emit, NULL, cpu);
	emit__end(emit, true);
}

/* ---- one function a type --------------------------------------------------------------------- */

/* The attr says its size itself; ids are all that follows. */
static void tell_attr(struct emit *emit, const struct tool_record *rec)
{
	size_t bytes = rec->bytes;

	if (bytes >= FIRST_ATTR_BYTES)
		bytes = load_u32(rec->body + sizeof(uint32_t), rec->swapped);
	if (bytes < FIRST_ATTR_BYTES)
		bytes = FIRST_ATTR_BYTES;
	if (bytes > rec->bytes)
		bytes = rec->bytes;
	emit__begin(emit, "attr", false);
	event_attr__tell(emit, rec->body, bytes, rec->swapped);
	emit__end(emit, false);
	emit__begin(emit, "ids", true);
	for (; bytes + sizeof(uint64_t) <= rec->bytes; bytes += sizeof(uint64_t))
		emit__unsigned(emit, NULL, load_u64(rec->body + bytes, rec->swapped));
	emit__end(emit, true);
}

static void tell_build_id(struct emit *emit, const struct tool_build_id *id)
{
	emit__signed(emit, "pid", id->pid);
	emit__bytes(emit, "build_id", id->id, id->id_bytes);
	tell_text(emit, "filename", &id->filename);
}

static void tell_id_index(struct emit *emit, const struct tool_record *rec)
{
	emit__begin(emit, "entries", true);
	for (uint64_t i = 0; i < rec->id_index.count; i++) {
		struct tool_id_entry entry = tool_id_index__at(rec, i);

		emit__begin(emit, NULL, false);
		emit__unsigned(emit, "id", entry.id);
		emit__unsigned(emit, "index", entry.index);
		emit__signed(emit, "cpu", entry.cpu);
		emit__signed(emit, "tid", entry.tid);
		if (entry.guest) {
			emit__signed(emit, "machine_pid", entry.machine_pid);
			emit__signed(emit, "vcpu", entry.vcpu);
		}
		emit__end(emit, false);
	}
	emit__end(emit, true);
}

static void tell_auxtrace_info(struct emit *emit, const struct tool_record *rec)
{
	emit__named(emit, "kind", rec->auxtrace_info.kind, auxtrace_kinds);
	emit__begin(emit, "private", true);
	for (uint64_t i = 0; i < rec->auxtrace_info.words; i++)
		emit__hex(emit, NULL, tool_record__word(rec, rec->auxtrace_info.priv, i));
	emit__end(emit, true);
}

static void tell_auxtrace(struct emit *emit, const struct tool_auxtrace *aux)
{
	emit__unsigned(emit, "bytes", aux->bytes);
	emit__unsigned(emit, "offset", aux->offset);
	emit__hex(emit, "reference", aux->reference);
	emit__unsigned(emit, "index", aux->index);
	emit__signed(emit, "tid", aux->tid);
	emit__signed(emit, "cpu", aux->cpu);
}

static void tell_auxtrace_error(struct emit *emit, const struct tool_auxtrace_error *error)
{
	emit__named(emit, "kind", error->kind, error_kinds);
	emit__unsigned(emit, "code", error->code);
	emit__signed(emit, "cpu", error->cpu);
	emit__signed(emit, "pid", error->pid);
	emit__signed(emit, "tid", error->tid);
	emit__hex(emit, "ip", error->ip);
	if (error->format)
		emit__unsigned(emit, "time_ns", error->time_ns);
	tell_text(emit, "message", &error->message);
	if (error->format < 2)
		return;
	emit__unsigned(emit, "machine_pid", error->machine_pid);
	emit__unsigned(emit, "vcpu", error->vcpu);
}

static void tell_thread_map(struct emit *emit, const struct tool_record *rec)
{
	emit__begin(emit, "threads", true);
	for (uint64_t i = 0; i < rec->thread_map.count; i++) {
		struct tool_thread thread = tool_thread_map__at(rec, i);

		emit__begin(emit, NULL, false);
		emit__signed(emit, "pid", thread.pid);
		tell_text(emit, "comm", &thread.comm);
		emit__end(emit, false);
	}
	emit__end(emit, true);
}

static void tell_stat_config(struct emit *emit, const struct tool_record *rec)
{
	const uint8_t *pairs = rec->stat_config.pairs;

	emit__begin(emit, "config", true);
	for (uint64_t i = 0; i < rec->stat_config.count; i++) {
		emit__begin(emit, NULL, false);
		emit__named(emit, "tag", tool_record__word(rec, pairs, CONFIG_WORDS * i),
			    config_tags);
		emit__unsigned(emit, "value", tool_record__word(rec, pairs, CONFIG_WORDS * i + 1));
		emit__end(emit, false);
	}
	emit__end(emit, true);
}

static void tell_stat(struct emit *emit, const struct tool_stat *stat)
{
	emit__unsigned(emit, "id", stat->id);
	emit__signed(emit, "cpu", stat->cpu);
	emit__unsigned(emit, "thread", stat->thread);
	emit__unsigned(emit, "value", stat->value);
	emit__unsigned(emit, "time_enabled_ns", stat->time_enabled_ns);
	emit__unsigned(emit, "time_running_ns", stat->time_running_ns);
}

static void tell_event_update(struct emit *emit, const struct tool_event_update *update)
{
	struct emit_value scale = { .kind = EMIT_REAL, .real = update->scale };

	emit__unsigned(emit, "id", update->id);
	emit__named(emit, "update", update->kind, update_kinds);
	if (update->kind == TOOL_UPDATE_UNIT)
		tell_text(emit, "unit", &update->text);
	else if (update->kind == TOOL_UPDATE_NAME)
		tell_text(emit, "name", &update->text);
	else if (update->kind == TOOL_UPDATE_SCALE)
		emit__value(emit, "scale", &scale);
	else if (update->kind == TOOL_UPDATE_CPUS)
		tell_cpus(emit, &update->cpus);
}

static void tell_time_conv(struct emit *emit, const struct tool_time_conv *conv)
{
	emit__unsigned(emit, "time_shift", conv->shift);
	emit__unsigned(emit, "time_mult", conv->mult);
	emit__unsigned(emit, "time_zero", conv->zero);
	if (!conv->has_cycles)
		return;
	emit__unsigned(emit, "time_cycles", conv->cycles);
	emit__hex(emit, "time_mask", conv->mask);
	emit__bool(emit, "cap_user_time_zero", conv->zero_valid);
	emit__bool(emit, "cap_user_time_short", conv->short_cycles);
}

static int tell_feature(struct emit *emit, const struct tool_feature *feature,
			struct perf_features *features)
{
	const char *why;
	int err;

	if (feature->end) {
		emit__unsigned(emit, "id", feature->id);
		emit__bool(emit, "end", true);
		return 0;
	}
	err = perf_features__tell(features, feature->id, feature->data, feature->bytes, emit, &why);
	if (err)
		emit__text(emit, "damaged", why);
	return err;
}

static void tell_bpf_metadata(struct emit *emit, const struct tool_record *rec)
{
	tell_text(emit, "program", &rec->bpf_metadata.program);
	emit__begin(emit, "entries", true);
	for (uint64_t i = 0; i < rec->bpf_metadata.count; i++) {
		struct tool_metadata_entry entry = tool_bpf_metadata__at(rec, i);

		emit__begin(emit, NULL, false);
		tell_text(emit, "key", &entry.key);
		tell_text(emit, "value", &entry.value);
		emit__end(emit, false);
	}
	emit__end(emit, true);
}

/* ---- the scheduler's counters: see Documentation/scheduler/sched-stats.rst in Linux ------------
 */

#define CPU_SMALL 6 /* u32; the others are u64 */

static const char *const cpu_counters[] = {
	"yld_count",  "array_exp",   "sched_count", "sched_goidle", "ttwu_count",
	"ttwu_local", "rq_cpu_time", "run_delay",   "pcount",	    NULL,
};

/* Told once for each of three states of a CPU. */
static const char *const balance_counters[] = {
	"lb_count",	 "lb_balanced", "lb_failed",  "lb_imbalance", "lb_gained",
	"lb_hot_gained", "lb_nobusyq",	"lb_nobusyg", NULL,
};

static const char *const balance_counters_17[] = {
	"lb_count",	     "lb_balanced",	  "lb_failed",		 "lb_imbalance_load",
	"lb_imbalance_util", "lb_imbalance_task", "lb_imbalance_misfit", "lb_gained",
	"lb_hot_gained",     "lb_nobusyq",	  "lb_nobusyg",		 NULL,
};

static const char *const domain_counters[] = {
	"alb_count",	    "alb_failed",	 "alb_pushed",	 "sbe_count",  "sbe_balanced",
	"sbe_pushed",	    "sbf_count",	 "sbf_balanced", "sbf_pushed", "ttwu_wake_remote",
	"ttwu_move_affine", "ttwu_move_balance", NULL,
};

/* As many as there are, under "idle_lb_count" and the like. */
static void tell_counters(struct emit *emit, struct cursor *cur, const char *state,
			  const char *const *names, size_t small)
{
	char name[64];

	for (size_t i = 0; names[i]; i++) {
		uint64_t number = i < small ? cursor__u32(cur) : cursor__u64(cur);

		if (cur->bad)
			return;
		stpcpy(stpcpy(name, state), names[i]); /* both are of this file */
		emit__unsigned(emit, name, number);
	}
}

/* Version 15 began with the idle ones, later ones begin with the busy ones. */
static void tell_domain(struct emit *emit, struct cursor *cur, uint16_t version)
{
	const char *const *names = version < 17 ? balance_counters : balance_counters_17;
	bool idle_first = version == 15;

	tell_counters(emit, cur, idle_first ? "idle_" : "busy_", names, SIZE_MAX);
	tell_counters(emit, cur, idle_first ? "busy_" : "idle_", names, SIZE_MAX);
	tell_counters(emit, cur, "newidle_", names, SIZE_MAX);
	tell_counters(emit, cur, "", domain_counters, SIZE_MAX);
}

static void tell_schedstat(struct emit *emit, const struct tool_record *rec)
{
	const struct tool_schedstat *stat = &rec->schedstat;
	struct cursor cur = {
		.at = stat->counters,
		.end = stat->counters + stat->bytes,
		.swapped = rec->swapped,
	};
	bool domain = rec->type == TOOL_SCHEDSTAT_DOMAIN;

	emit__unsigned(emit, "timestamp", stat->timestamp);
	emit__unsigned(emit, "cpu", stat->cpu);
	emit__unsigned(emit, "version", stat->version);
	if (domain)
		emit__unsigned(emit, "domain", stat->domain);
	if (stat->version < 15 || stat->version > 17)
		emit__unsigned(emit, "bytes", stat->bytes);
	else if (domain)
		tell_domain(emit, &cur, stat->version);
	else
		tell_counters(emit, &cur, "", cpu_counters, CPU_SMALL);
}

/* ---- what may be a note ---------------------------------------------------------------------- */

static const struct emit_name note_kinds[] = { { NOTE_ATTRS, "ATTRS" },
					       { NOTE_LEDGER, "LEDGER" },
					       { 0, NULL } };

static void tell_note(struct emit *emit, const struct note *note)
{
	const struct tool_text text = { (const char *)note->bytes, note->count };

	emit__named(emit, "kind", note->kind, note_kinds);
	if (note->kind == NOTE_ATTRS)
		emit__unsigned(emit, "bytes", note->count);
	else
		tell_text(emit, "text", &text);
}

static void tell_event_type(struct emit *emit, const struct tool_record *rec)
{
	struct note note;

	if (note__read(rec, &note)) {
		tell_note(emit, &note);
	} else {
		emit__unsigned(emit, "id", rec->event_type.id);
		tell_text(emit, "name", &rec->event_type.name);
	}
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int tell_fields(struct emit *emit, const struct tool_record *rec,
		       struct perf_features *features)
{
	switch (rec->type) {
	case TOOL_HEADER_ATTR:
		tell_attr(emit, rec);
		break;
	case TOOL_EVENT_TYPE:
		tell_event_type(emit, rec);
		break;
	case TOOL_TRACING_DATA:
		emit__unsigned(emit, "bytes", rec->tracing_data.bytes);
		break;
	case TOOL_BUILD_ID:
		tell_build_id(emit, &rec->build_id);
		break;
	case TOOL_ID_INDEX:
		tell_id_index(emit, rec);
		break;
	case TOOL_AUXTRACE_INFO:
		tell_auxtrace_info(emit, rec);
		break;
	case TOOL_AUXTRACE:
		tell_auxtrace(emit, &rec->auxtrace);
		break;
	case TOOL_AUXTRACE_ERROR:
		tell_auxtrace_error(emit, &rec->auxtrace_error);
		break;
	case TOOL_THREAD_MAP:
		tell_thread_map(emit, rec);
		break;
	case TOOL_CPU_MAP:
		tell_cpus(emit, &rec->cpu_map);
		break;
	case TOOL_STAT_CONFIG:
		tell_stat_config(emit, rec);
		break;
	case TOOL_STAT:
		tell_stat(emit, &rec->stat);
		break;
	case TOOL_STAT_ROUND:
		emit__named(emit, "kind", rec->stat_round.kind, round_kinds);
		emit__unsigned(emit, "time_ns", rec->stat_round.time_ns);
		break;
	case TOOL_EVENT_UPDATE:
		tell_event_update(emit, &rec->event_update);
		break;
	case TOOL_TIME_CONV:
		tell_time_conv(emit, &rec->time_conv);
		break;
	case TOOL_FEATURE:
		return tell_feature(emit, &rec->feature, features);
	case TOOL_COMPRESSED:
	case TOOL_COMPRESSED2:
		emit__unsigned(emit, "bytes", rec->compressed.bytes);
		break;
	case TOOL_BPF_METADATA:
		tell_bpf_metadata(emit, rec);
		break;
	case TOOL_SCHEDSTAT_CPU:
	case TOOL_SCHEDSTAT_DOMAIN:
		tell_schedstat(emit, rec);
		break;
	}
	return 0;
}

int tool_told__members(const struct tool_record *rec, struct perf_features *features,
		       struct emit *emit, const char *why)
{
	int err = 0;

	if (!tool_record__name(rec->type))
		emit__unsigned(emit, "bytes", rec->bytes);
	if (rec->fixed)
		err = tell_fields(emit, rec, features);
	if (why)
		emit__text(emit, "damaged", why);
	return err;
}

const char *tool_told__name(const struct tool_record *rec)
{
	struct note note;

	return note__read(rec, &note) ? "NOTE" : tool_record__name(rec->type);
}

int tool_told__record(const struct tool_record *rec, struct perf_features *features,
		      struct emit *emit, const char *why)
{
	const char *name = tool_told__name(rec);
	int err;

	emit__begin(emit, NULL, false);
	if (name)
		emit__text(emit, "type", name);
	else
		emit__unsigned(emit, "type", rec->type);
	err = tool_told__members(rec, features, emit, why);
	emit__end(emit, false);
	return err;
}
