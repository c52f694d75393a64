// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/sampling.c: makes samplers of a list of events and their options. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/opts.h"
#include "live/sampling.h"
#include "live/sampling_tasks.h"
#include "live/sampling_types.h"
#include "ring/stack_opts.h"
#include "sys/cpus.h"

#define DEFAULT_FREQUENCY 4000

/* ---- options --------------------------------------------------------------------------------- */

static int check_opts(const struct peat_sampling_opts *opts)
{
	const char *why = NULL;

	if (opts->period && opts->frequency)
		why = "period and frequency exclude each other";
	else if (opts->cgroup && (opts->pid_count || opts->tid_count || opts->by_uid))
		why = "a cgroup cannot be combined with pids, tids and by_uid";
	else if (opts->on_exec && !opts->pid_count && !opts->tid_count)
		why = "on_exec needs pids or tids";
	if (why)
		log__error("peat_sampling_opts: %s", why);
	return why ? -EINVAL : OPTS_CHECK_RESERVED(opts, "peat_sampling_opts");
}

static const uint32_t *copy_numbers(const uint32_t *numbers, uint32_t count, bool *failed)
{
	uint32_t *copy = count ? calloc(count, sizeof(*copy)) : NULL;

	if (copy)
		memcpy(copy, numbers, count * sizeof(*copy));
	*failed |= count && !copy;
	return copy;
}

static int copy_opts(struct peat_sampling_opts *opts)
{
	bool failed = false;

	opts->pids = copy_numbers(opts->pids, opts->pid_count, &failed);
	opts->tids = copy_numbers(opts->tids, opts->tid_count, &failed);
	failed |= opts__copy_text(&opts->cgroup) != 0;
	return failed ? -ENOMEM : 0;
}

/* ---- attrs ----------------------------------------------------------------------------------- */

static uint32_t read_max_rate(void)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_max_sample_rate", "re");
	uint32_t rate = 0;

	if (file && fscanf(file, "%u", &rate) != 1)
		rate = 0;
	if (file)
		fclose(file);
	return rate ? rate : UINT32_MAX; /* the kernel knows its limit */
}

static int check_frequency(const struct peat_sampling_opts *opts)
{
	uint32_t most = read_max_rate();

	if (opts->frequency <= most || opts->frequency == UINT32_MAX)
		return 0;
	log__error("%u samples per second: the kernel allows %u: use fewer, or set sysctl "
		   "kernel.perf_event_max_sample_rate",
		   opts->frequency, most);
	return -EINVAL;
}

static void set_frequency(struct perf_event_attr *attr, uint32_t frequency)
{
	attr->freq = 1;
	attr->sample_freq = frequency;
}

static void set_period(const struct peat_sampling_opts *opts, struct perf_event_attr *attr)
{
	uint32_t most = read_max_rate();

	if (attr->sample_period)
		return;
	if (opts->period)
		attr->sample_period = opts->period;
	else if (opts->frequency)
		set_frequency(attr, opts->frequency < most ? opts->frequency : most);
	else if (attr->type == PERF_TYPE_TRACEPOINT || attr->type == PERF_TYPE_BREAKPOINT)
		attr->sample_period = 1;
	else
		set_frequency(attr, most < DEFAULT_FREQUENCY ? most : DEFAULT_FREQUENCY);
}

/*
 * With PERF_SAMPLE_PERIOD in its attr, each software event, breakpoint and tracepoint is a sample,
 * at any period (perf_swevent_event(), Linux 5.10 to 6.18).  A fixed period needs no such field.
 */
static bool has_period_in_samples(const struct perf_event_attr *attr)
{
	return attr->freq || attr->sample_period == 1;
}

/* Software events with the address of the access. */
static bool has_address(const struct perf_event_attr *attr)
{
	if (attr->type == PERF_TYPE_BREAKPOINT)
		return true;
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_PAGE_FAULTS ||
						    attr->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
						    attr->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ ||
						    attr->config == PERF_COUNT_SW_ALIGNMENT_FAULTS);
}

static struct peat_stack_request stacks_of(const struct sampling *sampling,
					   const struct pmu_event *event)
{
	struct peat_stack_request stacks = sampling->stacks;

	if (event->has_call_graph && !stacks.kinds)
		stacks.kinds = PEAT_STACK_KERNEL | PEAT_STACK_USER;
	return stacks;
}

static void init_attr(const struct sampling *sampling, const struct pmu_event *event,
		      struct perf_event_attr *attr)
{
	struct peat_stack_request stacks = stacks_of(sampling, event);

	*attr = event->attr;
	attr->size = sizeof(*attr);
	attr->sample_type = SAMPLERS_IDS | PEAT_SAMPLE_IP;
	stack_opts__set_attr(&stacks, attr);
	if (attr->type == PERF_TYPE_TRACEPOINT)
		attr->sample_type |= PEAT_SAMPLE_RAW;
	if (has_address(attr))
		attr->sample_type |= PEAT_SAMPLE_ADDR;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	set_period(&sampling->opts, attr);
	if (has_period_in_samples(attr))
		attr->sample_type |= PEAT_SAMPLE_PERIOD;
}

/* The first event of the same group.  The events of a weak group are sampled without it. */
static uint32_t find_leader(const struct pmu_events *parsed, uint32_t i)
{
	uint32_t leader = 0;

	if (parsed->at[i].group == PMU_NO_GROUP || parsed->at[i].is_weak)
		return i;
	while (parsed->at[leader].group != parsed->at[i].group)
		leader++;
	return leader;
}

static void init_sampler(struct sampling *sampling, uint32_t i)
{
	struct sampler *sampler = &sampling->samplers.at[i];
	const struct pmu_event *event = &sampling->parsed.at[i];

	init_attr(sampling, event, &sampler->attr);
	sampler->name = event->name;
	sampler->filter = event->filter;
	sampler->cpus = event->cpus.limit ? &event->cpus : NULL;
	sampler->leader = find_leader(&sampling->parsed, i);
	sampler->layout = (struct peat_layout){ .sample_type = sampler->attr.sample_type,
						.regs_user = sampler->attr.sample_regs_user,
						.sample_id_all = true };
}

static int check_event(const struct sampling *sampling, const struct pmu_event *event)
{
	const struct peat_sampling_opts *opts = &sampling->opts;
	bool has_tasks = opts->pid_count || opts->tid_count || opts->by_uid;

	if (event->is_read_by_leader)
		log__error("%s: samples cannot read the counters of their group: leave S out of "
			   "the modifiers, or count the group by peat stat",
			   event->name);
	else if (event->is_system_wide && (has_tasks || opts->cgroup))
		log__error("%s counts whole CPUs, not single tasks: sample all tasks (-a)",
			   event->name);
	else
		return 0;
	return -EINVAL;
}

static int check_events(const struct sampling *sampling)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < sampling->parsed.count; i++)
		err = check_event(sampling, &sampling->parsed.at[i]);
	return err;
}

static int init_samplers(struct sampling *sampling)
{
	struct samplers *samplers = &sampling->samplers;

	samplers->count = sampling->parsed.count;
	samplers->at = calloc(samplers->count + 1, sizeof(*samplers->at));
	sampling->events = calloc(samplers->count + 1, sizeof(*sampling->events));
	if (!samplers->at || !sampling->events)
		return -ENOMEM;
	samplers->on_exec = sampling->opts.on_exec;
	samplers->inherit = !sampling->opts.no_inherit;
	for (uint32_t i = 0; i < samplers->count; i++)
		init_sampler(sampling, i);
	return 0;
}

/* ---- new, free ------------------------------------------------------------------------------- */

static int init_sampling(struct sampling *sampling, const char *events)
{
	int err = copy_opts(&sampling->opts);

	if (!err)
		err = pmu_events__parse(&sampling->parsed, events);
	if (!err && !sampling->parsed.count) {
		log__error("no event: name one, such as page-faults");
		err = -EINVAL;
	}
	if (!err)
		err = check_events(sampling);
	return err ? err : init_samplers(sampling);
}

struct sampling *sampling__new(const char *events, const struct peat_sampling_opts *callers_opts,
			       const struct peat_stack_request *stacks)
{
	struct peat_sampling_opts opts = PEAT_SAMPLING_OPTS_INIT;
	struct sampling *sampling;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_sampling_opts");

	if (!err)
		err = check_opts(&opts);
	if (!err)
		err = check_frequency(&opts);
	sampling = err ? NULL : calloc(1, sizeof(*sampling));
	if (!sampling)
		return fail_null(err ? err : -ENOMEM);
	sampling->samplers.cgroup_fd = -1;
	sampling->opts = opts;
	sampling->stacks = *stacks;
	err = init_sampling(sampling, events);
	if (!err)
		return sampling;
	sampling__free(sampling);
	return fail_null(err);
}

void sampling__free(struct sampling *sampling)
{
	if (!sampling)
		return;
	sampling_types__free(sampling);
	if (sampling->samplers.cgroup_fd >= 0)
		close(sampling->samplers.cgroup_fd);
	free(sampling->samplers.tasks);
	free(sampling->samplers.at);
	free(sampling->events);
	pmu_events__free(&sampling->parsed);
	free((void *)sampling->opts.pids);
	free((void *)sampling->opts.tids);
	free((void *)sampling->opts.cgroup);
	free(sampling);
}

/* ---- fallbacks ------------------------------------------------------------------------------- */

static int set_name(struct sampling *sampling, uint32_t i, const char *base, const char *between,
		    const char *modifiers)
{
	char *name;

	if (asprintf(&name, "%s%s%s", base, between, modifiers) < 0)
		return -ENOMEM;
	free(sampling->events[i].name);
	sampling->events[i].name = name;
	sampling->samplers.at[i].name = name;
	return 0;
}

/* Adds the modifier u, as in "page-faults:u", "cycles:pu", "cpu/event=0x3c/u", "mem:0x1000:w:u". */
static int add_modifier(struct sampling *sampling, uint32_t i)
{
	const struct sampler *sampler = &sampling->samplers.at[i];
	bool has_any = strpbrk(sampler->name, ":/") && sampler->attr.type != PERF_TYPE_BREAKPOINT;

	return set_name(sampling, i, sampler->name, has_any ? "" : ":", "u");
}

static bool is_cycles(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE && attr->config == PERF_COUNT_HW_CPU_CYCLES;
}

static int use_cpu_clock(struct sampling *sampling, uint32_t i)
{
	struct perf_event_attr *attr = &sampling->samplers.at[i].attr;
	const char *modifiers = strchr(sampling->samplers.at[i].name, ':');

	log__warn("%s: this machine has no counter of cycles: sampling cpu-clock instead",
		  sampling->samplers.at[i].name);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CPU_CLOCK;
	attr->precise_ip = 0;
	return set_name(sampling, i, "cpu-clock", modifiers ? modifiers : "", "");
}

/* The log has the note only if that is enough. */
static int use_user_space(struct sampling *sampling, uint32_t i, uint32_t cpu)
{
	struct sampler *sampler = &sampling->samplers.at[i];
	int err;

	sampler->attr.exclude_kernel = sampler->attr.exclude_hv = 1;
	err = samplers__try(&sampling->samplers, i, cpu);
	if (err)
		return err;
	log__warn("%s: sampling user space only: kernel.perf_event_paranoid does not allow this "
		  "user to sample the kernel",
		  sampler->name);
	return add_modifier(sampling, i);
}

static bool may_need_user_space(const struct perf_event_attr *attr)
{
	return !attr->exclude_kernel && !attr->exclude_user && attr->type != PERF_TYPE_TRACEPOINT;
}

/* Most CPUs have a smaller precise_ip than 3, or none. */
static int try_precise(struct sampling *sampling, uint32_t i, uint32_t cpu)
{
	struct sampler *sampler = &sampling->samplers.at[i];
	uint32_t precise = sampling->parsed.at[i].is_precise_max ? 3 : sampler->attr.precise_ip;
	int err;

	do {
		sampler->attr.precise_ip = precise & 3;
		err = samplers__try(&sampling->samplers, i, cpu);
	} while ((err == -EINVAL || err == -EOPNOTSUPP) && sampling->parsed.at[i].is_precise_max &&
		 precise--);
	return err;
}

/* A tracepoint has no fallback, and closing it again takes the kernel tens of milliseconds. */
static int choose_event(struct sampling *sampling, uint32_t i, uint32_t cpu)
{
	struct sampler *sampler = &sampling->samplers.at[i];
	bool has_fallback = sampler->attr.type != PERF_TYPE_TRACEPOINT;
	int err = has_fallback ? try_precise(sampling, i, cpu) : 0;

	if ((err == -ENOENT || err == -ENXIO || err == -EOPNOTSUPP || err == -ENODEV) &&
	    is_cycles(&sampler->attr)) {
		err = use_cpu_clock(sampling, i);
		if (!err)
			err = samplers__try(&sampling->samplers, i, cpu);
	}
	if ((err == -EACCES || err == -EPERM) && may_need_user_space(&sampler->attr))
		err = use_user_space(sampling, i, cpu);
	return err ? samplers__log_error(sampler, err) : 0;
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* The first CPU of the list; NULL: the first that is online. */
static int first_cpu(const char *list, uint32_t *first)
{
	struct cpus cpus;
	int err = list ? cpus__choose(&cpus, list) : cpus__read_logged(&cpus, "online");

	if (err)
		return err;
	*first = 0;
	for_each_cpu (cpu, &cpus) {
		*first = cpu;
		break;
	}
	cpus__free(&cpus);
	return 0;
}

int sampling__choose(struct sampling *sampling, const char *cpus)
{
	uint32_t cpu;
	int err;

	if (sampling->is_chosen)
		return 0;
	err = first_cpu(cpus, &cpu);
	if (!err)
		err = sampling_tasks__find(sampling);
	for (uint32_t i = 0; !err && i < sampling->samplers.count; i++)
		err = choose_event(sampling, i, cpu);
	if (!err)
		err = sampling_types__make(sampling);
	sampling->is_chosen = !err;
	return err;
}
