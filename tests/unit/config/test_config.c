// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_config.c: what a configuration means, and the place of each mistake in it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <peat/log.h>

#include "config/config.h"
#include "unit/suite.h"

static const struct peat_output_ops events_output = { .sz = sizeof(events_output),
						      .name = "e",
						      .takes = PEAT_TAKES_EVENTS },
				    all_output = { .sz = sizeof(all_output),
						   .name = "all",
						   .takes = PEAT_TAKES_EVENTS | PEAT_TAKES_POINTS },
				    points_output = { .sz = sizeof(points_output),
						      .name = "p",
						      .takes = PEAT_TAKES_POINTS };

static const struct peat_output_ops *const own[] = { &events_output, &all_output, &points_output,
						     NULL };

static char message[2048];

static void keep_message(enum peat_log_level level, const char *text)
{
	(void)level;
	snprintf(message, sizeof(message), "%s", text);
}

static int read_text(struct config *config, const char *text)
{
	*message = '\0';
	peat_set_print(keep_message);
	return config__read_text(config, "a.yaml", text, strlen(text), own);
}

#define OUTPUT "outputs:\n  out: {all: x}\n"
#define STATE  "agent: {state: /s}\n" OUTPUT "pipelines:\n"

START_TEST(test_whole_configuration)
{
	struct config config;

	ck_assert_msg(
		!read_text(&config,
			   "agent:\n  socket: /run/x\n  drain: 2s\n  state: /var/s\n"
			   "  alerts: events\n  alert-interval: 5s\n"
			   "outputs:\n"
			   "  out:\n    all: /x\n    queue: 1M\n    when-full: drop-oldest\n"
			   "    spool: /var/spool/x\n    spool-size: 64M\n"
			   "    spool-full: drop-oldest\n    spool-sync: batch\n"
			   "    other: 5\n"
			   "  events: {e: yes}\n"
			   "pipelines:\n"
			   "  one:\n    source: [exec, 'kprobe:vfs_*']\n    where: pid > 1\n"
			   "    fields: count\n"
			   "    uid: 0\n    outputs: [out, events]\n    pin: /b/one\n"
			   "  two: {source: open, count: 'comm,filename', outputs: out}\n"
			   "  three: {stat: [cycles, faults], interval: 1s, outputs: out}\n"
			   "  four: {source: tcp, flight: 1M, on: oom, outputs: events}\n"
			   "  five: {ledger: yes, outputs: out}\n"
			   "  six: {source: tcp, flight: 1M, on: faults > 9, outputs: events}\n"),
		"%s", message);
	ck_assert_str_eq(config.agent.socket, "/run/x");
	ck_assert_str_eq(config.agent.state, "/var/s");
	ck_assert_str_eq(config.pipelines[0].pin, "/b/one");
	ck_assert_uint_eq(config.agent.drain_ms, 2000);
	ck_assert_uint_eq(config.output_count, 2);
	ck_assert_ptr_eq(config.outputs[0].ops, &all_output);
	ck_assert_uint_eq(config.outputs[0].queue_bytes, 1 << 20);
	ck_assert_str_eq(config.outputs[0].spool, "/var/spool/x");
	ck_assert_uint_eq(config.outputs[0].spool_limits.most_bytes, 64 << 20);
	ck_assert_uint_eq(config.outputs[0].spool_limits.segment_bytes, 4 << 20);
	ck_assert_uint_eq(config.outputs[0].spool_limits.memory_bytes, 1 << 20);
	ck_assert_int_eq(config.outputs[0].spool_limits.full, SPOOL_DROP_OLDEST);
	ck_assert_int_eq(config.outputs[0].spool_limits.sync, SPOOL_SYNC_BATCH);
	ck_assert_int_eq(config.outputs[0].policy, QUEUE_DROP_OLDEST);
	ck_assert_uint_eq(config.outputs[0].setting_count, 2);
	ck_assert_str_eq(config.outputs[0].settings[1].name, "other");
	ck_assert_uint_eq(config.outputs[0].settings[1].line, 16);
	ck_assert_uint_eq(config.outputs[0].settings[1].column, 12);
	ck_assert_int_eq(config.outputs[1].policy, QUEUE_BLOCK);
	ck_assert_uint_eq(config.pipeline_count, 7);
	ck_assert_int_eq(config.pipelines[6].kind, PIPELINE_ALERTS);
	ck_assert_str_eq(config.pipelines[6].section->name, "agent");
	ck_assert_uint_eq(config.pipelines[6].outputs.count, 1);
	ck_assert_uint_eq(config.pipelines[6].interval_ms, 5000);
	ck_assert_int_eq(config.pipelines[0].kind, PIPELINE_EVENTS);
	ck_assert_uint_eq(config.pipelines[0].sources.count, 2);
	ck_assert_str_eq(config.pipelines[0].sources.at[1], "kprobe:vfs_*");
	ck_assert(config.pipelines[0].has_uid);
	ck_assert(!config.pipelines[1].has_uid);
	ck_assert_int_eq(config.pipelines[1].kind, PIPELINE_TABLE);
	ck_assert_int_eq(config.pipelines[2].kind, PIPELINE_STAT);
	ck_assert_uint_eq(config.pipelines[2].interval_ms, 1000);
	ck_assert_int_eq(config.pipelines[3].kind, PIPELINE_FLIGHT);
	ck_assert(!config.pipelines[3].on_count.is_given);
	ck_assert_int_eq(config.pipelines[4].kind, PIPELINE_LEDGER);
	ck_assert_int_eq(config.pipelines[5].kind, PIPELINE_FLIGHT);
	ck_assert(config.pipelines[5].on_count.is_given);
	ck_assert_uint_eq(config.pipelines[5].on_count.event_bytes, strlen("faults"));
	ck_assert_uint_eq(config.pipelines[5].on_count.over, 9);
	ck_assert_int_eq(config__find_output(&config, "events"), 1);
	ck_assert_int_eq(config__find_output(&config, "none"), -1);
	config__free(&config);
}
END_TEST

/* Pipelines are the same if all but their outputs is. */
START_TEST(test_text_is_the_same_for_other_outputs)
{
	struct config config;

	ck_assert_int_eq(read_text(&config, "outputs: {a: {all: x}, b: {all: x}}\n"
					    "pipelines:\n  x: {source: exec, pid: 1, outputs: a}\n"
					    "  y: {source: exec, outputs: [b, a], pid: 1}\n"
					    "  z: {source: exec, pid: 2, outputs: a}\n"),
			 0);
	ck_assert_str_eq(config.pipelines[0].text, config.pipelines[1].text);
	ck_assert_str_ne(config.pipelines[0].text, config.pipelines[2].text);
	ck_assert_str_eq(config.outputs[0].text, config.outputs[1].text);
	config__free(&config);
}
END_TEST

static const struct {
	const char *text, *message;
} mistakes[] = {
	{ "", "a.yaml: the configuration has no pipelines" },
	{ "outputs: [\n", "a.yaml:2:1: did not find expected node content" },
	{ "- a\n", "a.yaml:1:1: expected lines `name: value`" },
	{ "output: {}\n", "a.yaml:1:1: output: expected agent, outputs or pipelines" },
	{ "outputs:\n  one: 5\n", "a.yaml:2:8: one: expected lines `name: value`" },
	{ OUTPUT "pipelines:\n  a:\n    source: {x: y}\n",
	  "a.yaml:5:13: source: expected a single value" },
	{ OUTPUT "pipelines:\n  a:\n    source: \"x\\0y\"\n",
	  "a.yaml:5:13: source: the value has a NUL" },
	{ "agent: {drain: 5}\n", "a.yaml:1:16: the agent: drain: expected" },
	{ "agent: {sockt: /x}\n",
	  "a.yaml:1:16: the agent: sockt: no such setting: did you mean \"socket\"?" },
	{ "agent: {alerts: none}\n" OUTPUT "pipelines:\n  a: {source: exec, outputs: out}\n",
	  "a.yaml:1:1: alerts of agent: there is no output none" },
	{ "agent: {alerts: p}\noutputs: {p: {p: x}}\n"
	  "pipelines:\n  a: {stat: cycles, outputs: p}\n",
	  "a.yaml:1:1: alerts of agent: output p takes no events" },
	{ "agent: {alerts: out}\n" OUTPUT "pipelines:\n  agent: {source: exec, outputs: out}\n",
	  "a.yaml:5:3: pipeline agent: alerts of the agent have this name" },
	{ "agent: {alerts: out}\n" OUTPUT, "a.yaml: the configuration has no pipelines" },
	{ "outputs:\n  one: {x: y}\n",
	  "a.yaml:2:3: output one: it needs the setting of an output" },
	{ "outputs:\n  one: {e: y, p: z}\n", "a.yaml:2:3: output one: it can be one output only" },
	{ "outputs:\n  'a b': {e: y}\n", "a.yaml:2:3: output a b: a name has up to 63" },
	{ "outputs:\n  one: {e: y, when-full: drop}\n",
	  "a.yaml:2:26: output one: when-full: expected block, drop-oldest or drop-newest" },
	{ "outputs:\n  one: {e: y, spool: x, spool-full: drop}\n",
	  "a.yaml:2:37: output one: spool-full: expected block or drop-oldest" },
	{ "outputs:\n  one: {e: y, spool: x, spool-sync: often}\n",
	  "a.yaml:2:37: output one: spool-sync: expected never, rotate or batch" },
	{ "outputs:\n  one: {e: y, spool-size: 1G}\n",
	  "a.yaml:2:27: output one: spool-size: it needs the setting spool" },
	{ "outputs:\n  one: {e: y, spool: x, spool-size: 1K}\n",
	  "a.yaml:2:37: output one: spool-size: expected" },
	{ "outputs:\n  one: {file: x, format: perf, spool: x}\n",
	  "a.yaml:2:3: output one: a recording has no spool" },
	{ "outputs:\n  one: {e: y, queue: 1}\n", "a.yaml:2:22: output one: queue: expected" },
	{ "outputs:\n  one: {e: y}\n  one: {e: y}\n",
	  "a.yaml:3:3: outputs one: the name is there twice" },
	{ OUTPUT "pipelines:\n  a: {outputs: out}\n",
	  "a.yaml:4:3: pipeline a: it needs the setting source, stat or ledger" },
	{ OUTPUT "pipelines:\n  a: {source: exec}\n",
	  "a.yaml:4:3: pipeline a: it needs the setting outputs" },
	{ OUTPUT "pipelines:\n  a: {source: exec, outputs: none}\n",
	  "a.yaml:4:3: pipeline a: there is no output none" },
	{ OUTPUT "pipelines:\n  a: {source: exec, outputs: [out, out]}\n",
	  "a.yaml:4:3: pipeline a: an output is there twice" },
	{ OUTPUT "pipelines:\n  a: {source: exec, pid: 1, pid: 2, outputs: out}\n",
	  "a.yaml:4:34: pipeline a: pid: it is set twice" },
	{ OUTPUT "pipelines:\n  a: {source: exec, sum: x, outputs: out}\n",
	  "a.yaml:4:26: pipeline a: sum: it needs the setting count" },
	{ OUTPUT "pipelines:\n  a: {source: exec, stat: cycles, outputs: out}\n",
	  "a.yaml:4:15: pipeline a: source: it cannot be set beside stat" },
	{ OUTPUT "pipelines:\n  a: {source: exec, pin: /x, outputs: out}\n",
	  "a.yaml:4:26: pipeline a: pin: it needs the setting state of the agent" },
	{ STATE "  a: {source: exec, pin: /x, count: comm, outputs: out}\n",
	  "a.yaml:5:26: pipeline a: pin: it cannot be set beside count" },
	{ OUTPUT "pipelines:\n  a: {source: exec, ordered: yes, count: comm, outputs: out}\n",
	  "a.yaml:4:42: pipeline a: count: it cannot be set beside ordered" },
	{ OUTPUT "pipelines:\n  a: {source: exec, fields: filename, outputs: out}\n",
	  "a.yaml:4:29: pipeline a: fields: it chooses fields of functions" },
	{ STATE "  a: {stat: cycles, pin: /x, outputs: out}\n",
	  "a.yaml:5:26: pipeline a: pin: it cannot be set beside stat" },
	{ STATE "  a: {source: exec, pin: x, outputs: out}\n",
	  "a.yaml:5:26: pipeline a: pin: expected an absolute path" },
	{ STATE "  a: {source: exec, pin: /x, outputs: out}\n"
		"  b: {source: exec, pin: /x, outputs: out}\n",
	  "a.yaml:6:26: pipeline b: pin: another pipeline has this path" },
	{ OUTPUT "pipelines:\n  a: {source: exec, flight: 1M, outputs: out}\n",
	  "a.yaml:4:29: pipeline a: flight: it needs the setting on" },
	{ OUTPUT "pipelines:\n  a: {source: exec, flight: 1M, on: faults>, outputs: out}\n",
	  "a.yaml:4:37: pipeline a: on: expected a source, or EVENT>N" },
	{ OUTPUT "pipelines:\n"
		 "  a: {source: exec, flight: 1M, on: faults>9, on-where: pid > 1, outputs: out}\n",
	  "a.yaml:4:57: pipeline a: on-where: a perf event that is counted has no fields" },
	{ OUTPUT "pipelines:\n"
		 "  a: {source: exec, flight: 1M, on: faults>9, comm: x, outputs: out}\n",
	  "a.yaml:4:53: pipeline a: comm: the perf event of on is counted for pid" },
	{ OUTPUT "pipelines:\n  a: {source: exec, flight: 1M, on: faults>9, pid: 1, cgroup: /, "
		 "outputs: out}\n",
	  "a.yaml:4:63: pipeline a: cgroup: the perf event of on is counted for tasks or" },
	{ "outputs: {out: {e: x}}\npipelines:\n  a: {source: exec, count: comm, outputs: out}\n",
	  "a.yaml:3:3: pipeline a: output out takes no counts" },
	{ "outputs: {out: {p: x}}\npipelines:\n  a: {source: exec, outputs: out}\n",
	  "a.yaml:3:3: pipeline a: output out takes no events" },
	{ OUTPUT "---\n" OUTPUT, "a.yaml:4:1: a file has one document" },
	{ "a: &x [*x]\n", "a.yaml:1:1: a: expected agent" },
};

START_TEST(test_mistakes_have_their_place)
{
	struct config config;

	ck_assert_int_eq(read_text(&config, mistakes[_i].text), -EINVAL);
	ck_assert_msg(!strncmp(message, mistakes[_i].message, strlen(mistakes[_i].message)),
		      "%s: \"%s\" instead of \"%s\"", mistakes[_i].text, message,
		      mistakes[_i].message);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_whole_configuration);
	tcase_add_test(tests, test_text_is_the_same_for_other_outputs);
	tcase_add_loop_test(tests, test_mistakes_have_their_place, 0,
			    sizeof(mistakes) / sizeof(*mistakes));
}
