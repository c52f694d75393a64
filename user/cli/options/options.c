// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options.c: every option of every verb, declared once. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/options/option_keys.h"
#include "cli/options/options.h"
#include "cli/options/options_flight.h"
#include "cli/options/options_profile.h"
#include "cli/options/options_recordings.h"
#include "cli/options/options_sampling.h"
#include "cli/options/options_stacks.h"
#include "cli/options/options_symbols.h"
#include "cli/options/options_table.h"
#include "cli/options/parse_value.h"

/* The verbs that have an option. */
#define TRACE VERB_TRACE
#define COUNT (VERB_COUNT | VERB_TOP)
#define TALLY (VERB_COUNT | VERB_HIST | VERB_TOP)
#define RUN   (LIVE | TALLY)
#define BUILD VERB_BUILD
#define ALL                                                                                        \
	(VERB_TRACE | VERB_LIST | VERB_BUILD | VERB_REPLAY | VERB_RECORD | VERB_CONVERT |          \
	 VERB_BENCH | VERB_STAT | VERB_PROFILE | TALLY)

static const struct {
	struct argp_option option;
	unsigned verbs;
} declared[] = {
	{ { NULL, 0, NULL, 0, "Events:", 1 }, RUN | VERB_PROFILE },
	{ { NULL, 0, NULL, 0, "Events and their types:", 1 }, VERB_REPLAY | VERB_CONVERT },
	{ { "where", OPT_WHERE, "EXPR", 0,
	    "only events whose fields match: 'delay > 5ms && comm == \"nginx\"', 'result in "
	    "(ENOENT, "
	    "EACCES)', 'path ~ \"/etc/*\"'",
	    1 },
	  RUN | VERB_REPLAY | VERB_CONVERT | VERB_PROFILE },
	{ { "pid", 'p', "PID", 0, "only events of this process", 1 },
	  RUN | VERB_REPLAY | VERB_PROFILE },
	{ { "tid", 't', "TID", 0, "only events of this thread", 1 },
	  RUN | VERB_REPLAY | VERB_PROFILE },
	{ { "uid", 'u', "USER", 0, "only events of this user, a number or a name", 1 },
	  RUN | VERB_PROFILE },
	{ { "comm", OPT_COMM, "NAME", 0, "only events of tasks with this name (at most 15 bytes)",
	    1 },
	  RUN | VERB_PROFILE },
	{ { "comm", OPT_COMM, "NAME", 0, "only events of tasks with this name", 1 }, VERB_REPLAY },
	{ { "cgroup", OPT_CGROUP, "PATH", 0, "only events of tasks in this cgroup or below", 1 },
	  RUN | VERB_PROFILE },
	{ { "cpu", 'C', "LIST", 0, "only events of these CPUs: 0-3,8", 1 },
	  RUN | VERB_REPLAY | VERB_PROFILE },
	{ { "time", OPT_TIME, "FROM,TO", 0,
	    "only events in this span, in seconds as printed: 3202.9,3203 or 3202.9, or ,3203", 1 },
	  VERB_REPLAY },
	{ { "time", OPT_TIME, "FROM,TO", 0,
	    "of a recording, only events in this span, in seconds as replay prints them", 1 },
	  TALLY },
	{ { "time", OPT_TIME, "FROM,TO", OPTION_HIDDEN, NULL, 1 },
	  LIVE }, /* no short --timestamps */
	{ { "max-rate", OPT_MAX_RATE, "N", 0,
	    "at most N events per second on each CPU; the others are counted as throttled", 1 },
	  RUN | VERB_PROFILE },
	{ { "stacks", OPT_STACKS, "WHICH", 0,
	    "take the stack of the task with each event: kernel, user (by frame pointers), both, "
	    "or dwarf: kernel, and user registers and 8K of the user stack, to be unwound by "
	    "debug information (dwarf,16K: as many bytes); none.  Default: none, of profile and "
	    "offcpu both",
	    1 },
	  LIVE | VERB_PROFILE },
	{ { "stacks", OPT_STACKS, "WHICH", 0,
	    "with --by stack, count by this stack: kernel, user (by frame pointers), both "
	    "(default), or dwarf: as trace does",
	    1 },
	  TALLY },
	{ { "stack-depth", OPT_STACK_DEPTH, "N", 0,
	    "at most N frames of each stack (default 127, or kernel.perf_event_max_stack)", 1 },
	  LIVE | TALLY | VERB_PROFILE },
	{ { NULL, 0, NULL, 0, "Perf events:", 3 }, RUN },
	{ { "event", 'e', "EVENTS", 0,
	    "sample these perf events, without a BPF program: cycles:u,page-faults, "
	    "sched:sched_switch, 'sched:sched_switch/next_pid==1/', mem:ADDRESS:w, as perf takes "
	    "them; may be repeated",
	    3 },
	  RUN },
	{ { NULL, 'g', NULL, 0, "sample call chains by frame pointers, as --call-graph fp", 3 },
	  RUN },
	{ { "call-graph", OPT_CALL_GRAPH, "fp", 0, "sample call chains by frame pointers", 3 },
	  RUN },
	{ { "freq", 'F', "RATE", 0,
	    "take RATE samples per second and CPU, or as many as the kernel allows: max (default "
	    "4000; each event of tracepoints and breakpoints)",
	    3 },
	  RUN },
	{ { "period", 'c', "EVENTS", 0, "take a sample at each EVENTS events", 3 }, RUN },
	{ { "all-cpus", 'a', NULL, 0,
	    "sample all tasks (default without COMMAND, -p, -t, -u and --cgroup)", 3 },
	  RUN },
	{ { NULL, 0, NULL, 0, "Counts:", 2 }, TALLY },
	{ { "by", OPT_BY, "FIELD,...", 0,
	    "count the events of each value of these fields: fields of the event, or pid, tid, "
	    "comm, cpu, type or stack",
	    2 },
	  TALLY },
	{ { "table", OPT_TABLE, "NAME", 0,
	    "print this table that a source keeps itself (default: all, if there are any and no "
	    "option selects or counts events)",
	    2 },
	  COUNT },
	{ { "sum", OPT_SUM, "FIELD", 0, "also the sum of this field", 2 }, COUNT },
	{ { "avg", OPT_AVERAGE, "FIELD", 0, "also its average", 2 }, COUNT },
	{ { "min", OPT_MIN, "FIELD", 0, "also its smallest value", 2 }, COUNT },
	{ { "max", OPT_MAX, "FIELD", 0, "also its largest value", 2 }, COUNT },
	{ { "log2", OPT_LOG2, NULL, 0, "each bar is twice as wide as the one before (default)", 2 },
	  VERB_HIST },
	{ { "linear", OPT_LINEAR, "FIRST:WIDTH", OPTION_ARG_OPTIONAL,
	    "64 bars of the same width, from FIRST on: 0:10, 0:1ms, 0:4K (default 0:1)", 2 },
	  VERB_HIST },
	{ { NULL, 0, NULL, 0, "BPF programs:", 3 }, RUN },
	{ { "set", OPT_SET, "NAME=VALUE", 0,
	    "set a global variable of an object, or part of one: limit=5, args.pid=1, "
	    "names[2]=abc (peat list -v FILE lists them)",
	    3 },
	  RUN },
	{ { "as", OPT_AS, "[MAP=]TYPE", 0,
	    "type of the events in a perf event array, for objects that do not use peat: a struct "
	    "of the object, or raw for bytes; MAP can be OBJECT.MAP",
	    3 },
	  RUN },
	{ { "set-map", OPT_SET_MAP, "MAP=ENTRIES", 0,
	    "set the number of entries of a map, if the object leaves it to its loader", 3 },
	  RUN },
	{ { "no-prog", OPT_NO_PROG, "NAME", 0, "do not load the program of this name", 3 }, RUN },
	{ { "if", OPT_IF, "NAME", 0,
	    "attach packet programs (tc, XDP) to this network interface; several: eth0,lo, or "
	    "repeat --if",
	    3 },
	  RUN },
	{ { "best-effort", OPT_BEST_EFFORT, NULL, 0,
	    "skip programs that cannot be loaded or attached, and report them", 3 },
	  RUN },
	{ { "btf", OPT_BTF, "FILE|DIR", 0,
	    "BTF of this kernel, if it has none itself: a file, or a directory with RELEASE.btf or "
	    "BUILD-ID.btf (default: PEAT_BTF of the environment)",
	    3 },
	  RUN | VERB_PROFILE },
	{ { "as", OPT_AS, "[EVENT=]TYPE", 0,
	    "type of an event whose samples are plain bytes: a struct from --btf or from the "
	    "recording",
	    1 },
	  VERB_REPLAY | VERB_CONVERT },
	{ { "btf", OPT_BTF, "FILE", 0,
	    "look up the structs of --as in FILE first: a BPF object, or BTF such as "
	    "/sys/kernel/btf/vmlinux",
	    1 },
	  VERB_REPLAY | VERB_CONVERT },
	{ { NULL, 0, NULL, 0, "Limits:", 4 }, RUN | VERB_REPLAY | VERB_PROFILE },
	{ { "duration", 'd', "TIME", 0, "stop after TIME: 10, 500ms, 2m (default unit: seconds)",
	    4 },
	  RUN | VERB_PROFILE },
	{ { "count", 'n', "COUNT", 0, "stop after COUNT events", 4 }, LIVE | VERB_REPLAY },
	{ { "count", 'n', "COUNT", 0, "stop after COUNT tables; needs -i", 4 }, TALLY },
	{ { "include", 'I', "DIR", 0, "search DIR for headers first", 1 }, BUILD },
	{ { "output", 'o', "FILE", 0,
	    "write the object to FILE (default: FILE.bpf.o next to the source)", 1 },
	  BUILD },
	{ { "min-btf", OPT_MIN_BTF, NULL, 0,
	    "write to FILE the part of the kernel's BTF that probes and objects need", 1 },
	  BUILD },
	{ { "btf", OPT_BTF, "FILE", 0,
	    "the BTF of the kernel, for --min-btf (default: /sys/kernel/btf/vmlinux)", 1 },
	  BUILD },
	{ { NULL, 0, NULL, 0, "Instead of events:", 3 }, VERB_REPLAY },
	{ { "stats", OPT_STATS, NULL, 0,
	    "print records by type, samples by event, losses, first and last time", 3 },
	  VERB_REPLAY },
	{ { "header", OPT_HEADER, NULL, 0, "print the header: machine, command and events", 3 },
	  VERB_REPLAY },
	{ { NULL, 0, NULL, 0, "Flight recorder:", 4 }, VERB_RECORD },
	{ { "flight", OPT_FLIGHT, "SIZE", 0,
	    "keep the last SIZE bytes of events of each CPU, and write them to FILE.1, FILE.2 and "
	    "so "
	    "on when a trigger asks for it: SIGUSR2, --dump, --on, --on-lost, the end of COMMAND",
	    4 },
	  VERB_RECORD },
	{ { "last", OPT_LAST, "TIME", 0, "write only the events of the last TIME: 30s, 500ms", 4 },
	  VERB_RECORD },
	{ { "on", OPT_ON, "SOURCE", 0,
	    "trigger: an event of SOURCE, which --where selects; it need not be recorded", 4 },
	  VERB_RECORD },
	{ { "on-lost", OPT_ON_LOST, NULL, 0, "trigger: events were lost", 4 }, VERB_RECORD },
	{ { "max-dumps", OPT_MAX_DUMPS, "N", 0,
	    "stop after N dumps; without it, --on and --on-lost make 100 at most", 4 },
	  VERB_RECORD },
	{ { "dump-interval", OPT_DUMP_INTERVAL, "TIME", 0,
	    "time between dumps of --on and --on-lost, at least; default: 10s; 0: none", 4 },
	  VERB_RECORD },
	{ { "dump", OPT_DUMP, "PID", 0,
	    "ask the flight recorder PID for a dump, wait for it, and print the name of its file",
	    4 },
	  VERB_RECORD },
	{ { NULL, 0, NULL, 0, "Output:", 5 },
	  RUN | VERB_PROFILE | VERB_LIST | VERB_REPLAY | VERB_CONVERT },
	{ { "json", 'j', NULL, 0, "print JSON, one object per line", 5 }, TRACE },
	{ { "interval", 'i', "TIME", 0,
	    "print the counts of each TIME, and begin anew: 1, 500ms (default unit: seconds)", 5 },
	  VERB_COUNT | VERB_HIST },
	{ { "interval", 'i', "TIME", 0, "count and show anew after each TIME (default 1s)", 5 },
	  VERB_TOP },
	{ { "rows", 'r', "ROWS", 0, "print at most ROWS rows, the first by --sort", 5 },
	  TALLY | VERB_PROFILE },
	{ { "max-rows", OPT_MAX_ROWS, "N", 0,
	    "count the keys after the first N together, in the row \"others\" (default: 100000; "
	    "0: no limit)",
	    5 },
	  TALLY },
	{ { "sort", OPT_SORT, "COLUMN", 0,
	    "sort rows by this column: values descending, fields of --by ascending (default: "
	    "count)",
	    5 },
	  TALLY },
	{ { "json", 'j', NULL, 0, "print JSON, one object per line for each table", 5 }, TALLY },
	{ { "json", 'j', NULL, 0, "print one JSON document", 5 }, VERB_LIST | VERB_BENCH },
	{ { "transport", OPT_TRANSPORT, "TEXT", 0,
	    "measure only the transport with this name and setting, or all whose name contains "
	    "TEXT: "
	    "'peat time, ids'",
	    1 },
	  VERB_BENCH },
	{ { "quick", OPT_QUICK, NULL, 0,
	    "measure for a few milliseconds only, to check that everything works", 5 },
	  VERB_BENCH },
	{ { "json", 'j', NULL, 0,
	    "print JSON: one object per line for events, otherwise one document", 5 },
	  VERB_REPLAY },
	{ { "output", 'o', "FILE", 0,
	    "write the events to FILE, - for standard output; FILE.pcapng: as packets", 5 },
	  TRACE | VERB_REPLAY },
	{ { "to", OPT_TO, "FORMAT", 0,
	    "text (default), json as with -j, or pcapng: packets, for Wireshark and tshark", 5 },
	  TRACE | VERB_REPLAY },
	{ { "output", 'o', "FILE", 0,
	    "write to FILE (default perf.data; an existing file is renamed to FILE.old), - for "
	    "standard output",
	    5 },
	  VERB_RECORD },
	{ { "to", OPT_TO, "FORMAT", 0,
	    "perf (default), json, folded, flamegraph, pprof or pcapng (default for FILE.pcapng)",
	    5 },
	  VERB_CONVERT },
	{ { "weight", OPT_WEIGHT, "FIELD", 0,
	    "of stacks: add up FIELD, or period, instead of counting samples", 5 },
	  VERB_CONVERT },
	{ { "output", 'o', "OUT", 0, "write to OUT, - for standard output", 5 }, VERB_CONVERT },
	{ { "compress", 'z', "LEVEL", OPTION_ARG_OPTIONAL,
	    "compress with zstd, level 1 (default) to 22: higher is slower and smaller", 5 },
	  VERB_RECORD | VERB_CONVERT },
	{ { "max-size", OPT_MAX_SIZE, "SIZE", 0, "stop when the recording reaches SIZE: 100M, 2G",
	    5 },
	  VERB_RECORD },
	{ { "switch-output", OPT_SWITCH, "SIZE|TIME", 0,
	    "start a new file, FILE.1, FILE.2 and so on, each complete in itself, when one reaches "
	    "SIZE (64M) or the age TIME (10s)",
	    5 },
	  VERB_RECORD },
	{ { "sample", OPT_SAMPLE, "LIST", 0,
	    "let the kernel sample these with each event, for objects that do not use peat: ip, "
	    "callchain, cgroup, regs_user, stack_user",
	    5 },
	  TRACE },
	{ { "ordered", OPT_ORDERED, NULL, 0, "merge the events of all CPUs by time", 5 }, TRACE },
	{ { "ordered", OPT_ORDERED, NULL, 0, "sort events by time, like perf (default)", 5 },
	  VERB_REPLAY },
	{ { "unordered", OPT_UNORDERED, NULL, 0, "print events in the order of the recording", 5 },
	  VERB_REPLAY },
	{ { "no-symbols", OPT_NO_SYMBOLS, NULL, 0, "print addresses without the names of functions",
	    5 },
	  TRACE | VERB_REPLAY | VERB_CONVERT | VERB_PROFILE },
	{ { "no-demangle", OPT_NO_DEMANGLE, NULL, 0,
	    "print names of C++ and Rust functions as in the symbol table", 5 },
	  TRACE | VERB_REPLAY | VERB_CONVERT | VERB_PROFILE },
	{ { "lines", OPT_LINES, NULL, 0,
	    "also print source file and line, and inlined functions, from debug information", 5 },
	  TRACE | VERB_REPLAY | VERB_CONVERT | VERB_PROFILE },
	{ { "debuginfod", OPT_DEBUGINFOD, NULL, 0,
	    "download debug information that is missing from the servers of DEBUGINFOD_URLS", 5 },
	  TRACE | VERB_REPLAY | VERB_CONVERT | VERB_PROFILE },
	{ { "symbol-memory", OPT_SYMBOL_MEMORY, "SIZE", 0,
	    "keep symbols of files in this much memory (256M)", 5 },
	  TRACE | VERB_REPLAY | VERB_CONVERT | VERB_PROFILE },
	{ { "timestamps", 'T', NULL, 0, "begin each line with the time of day", 5 },
	  TRACE | VERB_REPLAY },
	{ { "timestamps", 'T', NULL, 0, "print the time of day above each table", 5 }, TALLY },
	{ { "fields", OPT_FIELDS, "FIELD,...", 0,
	    "print these fields, in this order: fields of the event, or time, type, pid, tid, comm "
	    "or cpu",
	    5 },
	  TRACE | VERB_REPLAY },
	{ { "wide", OPT_WIDE, NULL, 0, "on a terminal, print all columns, and lines of any length",
	    5 },
	  TRACE | VERB_REPLAY },
	{ { "fail-on-loss", OPT_FAIL_ON_LOSS, NULL, 0,
	    "exit with 3 if events were lost or runs of programs skipped", 5 },
	  RUN | VERB_REPLAY | VERB_PROFILE },
	{ { "quiet", 'q', NULL, 0, "print neither heading nor summary", 5 },
	  RUN | VERB_REPLAY | VERB_PROFILE },
	{ { "verbose", 'v', NULL, 0, "print more messages; -vv: all messages", 5 },
	  VERB_REPLAY | VERB_CONVERT },
	{ { "verbose", 'v', NULL, 0,
	    "print progress, libbpf's warnings and the verifier's log; -vv: all messages of libbpf",
	    5 },
	  RUN | VERB_PROFILE },
	{ { "verbose", 'v', NULL, 0, "also print fields, options and hooks", 5 }, VERB_LIST },
	{ { NULL, 0, NULL, 0, "Rings:", 6 }, RUN | VERB_PROFILE },
	{ { "latency", OPT_LATENCY, "TIME", 0,
	    "print an event at most TIME after it happened; default unit: milliseconds (default "
	    "100ms); 0 wakes peat for each event, which slows down the traced programs",
	    6 },
	  LIVE },
	{ { "memory", OPT_MEMORY, "SIZE", 0,
	    "memory of all rings together: 512K, 8M (default 1M per CPU, at most 1% of RAM and "
	    "256M)",
	    6 },
	  RUN | VERB_PROFILE },
	{ { "memory", OPT_MEMORY, "SIZE", 0,
	    "most memory for sorting events (default 256M, directories 24M); if it is too "
	    "small, some are printed late",
	    6 },
	  VERB_REPLAY },
	{ { NULL, 0, NULL, 0, "Maps of other programs:", 7 }, RUN },
	{ { "map", OPT_MAP, "MAP", 0,
	    "read the perf event array of another program: id=N, name=X, the path where it is "
	    "pinned, or a directory made by --pin; may be repeated",
	    7 },
	  RUN },
	{ { "steal", OPT_STEAL, NULL, 0,
	    "read the map even if another process may be reading it; load an object whose maps "
	    "(LIBBPF_PIN_BY_NAME) another program has pinned",
	    7 },
	  RUN },
	{ { "pin", OPT_PIN, "PATH", 0,
	    "keep the programs attached after peat exits: pin them in the new directory PATH, for "
	    "--map PATH; rm -r PATH detaches them",
	    7 },
	  LIVE },
	{ { "attached", OPT_ATTACHED, NULL, 0,
	    "list the perf event arrays of this machine: their pins, the processes that hold them, "
	    "the programs that write to them",
	    7 },
	  VERB_LIST },
	{ { "maps", OPT_LIST_MAPS, NULL, 0,
	    "list the hash tables and arrays of this machine, which can be shown as tables: the "
	    "types of key and value, the processes that hold them, the programs that use them",
	    6 },
	  VERB_LIST },
	{ { "search", OPT_SEARCH, "TEXT", 0,
	    "list the sources that mention each word of TEXT: in a name or a description of the "
	    "probe, its fields or its options, in a hook, or as a tool of bcc, bpftrace, perf or "
	    "strace that answers the same question",
	    6 },
	  VERB_LIST },
	{ { "events", OPT_LIST_EVENTS, NULL, 0,
	    "list the perf events of this machine: hardware and software events, those of its "
	    "PMUs, tracepoints; with TEXT instead of SOURCE, those whose name contains it",
	    6 },
	  VERB_LIST },
	{ { NULL, 0, NULL, 0, "Events:", 1 }, VERB_STAT },
	{ { "event", 'e', "EVENTS", 0,
	    "count these, separated by commas: page-faults, cycles:u, sched:sched_switch, "
	    "{cycles,instructions}; may be repeated",
	    1 },
	  VERB_STAT },
	{ { NULL, 0, NULL, 0, "Tasks and CPUs:", 2 }, VERB_STAT },
	{ { "pid", 'p', "PID", 0, "count this process, with all its threads", 2 }, VERB_STAT },
	{ { "tid", 't', "TID", 0, "count this thread", 2 }, VERB_STAT },
	{ { "all-cpus", 'a', NULL, 0, "count all tasks", 2 }, VERB_STAT },
	{ { "cgroup", OPT_CGROUP, "PATH", 0, "count the tasks of this cgroup and below", 2 },
	  VERB_STAT },
	{ { "cpu", 'C', "LIST", 0, "count on these CPUs only: 0-3,8", 2 }, VERB_STAT },
	{ { "no-inherit", OPT_NO_INHERIT, NULL, 0,
	    "do not count threads and processes that the tasks create", 2 },
	  VERB_STAT },
	{ { NULL, 0, NULL, 0, "Limits and output:", 3 }, VERB_STAT },
	{ { "duration", 'd', "TIME", 0, "stop after TIME: 10, 500ms, 2m (default unit: seconds)",
	    3 },
	  VERB_STAT },
	{ { "interval", 'i', "TIME", 0,
	    "print the counts of each TIME: 1, 500ms (default unit: seconds)", 3 },
	  VERB_STAT },
	{ { "per-cpu", 'A', NULL, 0, "print the counts of each CPU", 3 }, VERB_STAT },
	{ { "json", 'j', NULL, 0, "print JSON: one document, or with -i one object per line", 3 },
	  VERB_STAT },
	{ { "field-separator", 'x', "SEP", 0, "print fields with SEP between them, like perf stat",
	    3 },
	  VERB_STAT },
	{ { "output", 'o', "FILE", 0, "write the counts to FILE", 3 }, VERB_STAT },
	{ { "verbose", 'v', NULL, 0, "print more messages; -vv: all messages", 3 }, VERB_STAT },
	{ { "all-cpus", 'a', NULL, 0, "with COMMAND, also all other tasks", 1 }, VERB_PROFILE },
	{ { NULL, 0, NULL, 0, "Samples:", 2 }, VERB_PROFILE },
	{ { "freq", 'F', "RATE", 0, "take RATE samples per second and CPU (default 99)", 2 },
	  VERB_PROFILE },
	{ { "event", 'e', "EVENT", 0,
	    "sample this perf event: cycles, cpu-clock (default), page-faults", 2 },
	  VERB_PROFILE },
	{ { "offcpu", OPT_OFFCPU, NULL, 0,
	    "instead of samples, measure the times that threads do not run", 2 },
	  VERB_PROFILE },
	{ { "min", OPT_MIN_TIME, "TIME", 0,
	    "with --offcpu, only times of at least TIME (default 1ms)", 2 },
	  VERB_PROFILE },
	{ { "output", 'o', "FILE", 0,
	    "write to FILE, in the format of its name: .svg, .pb.gz, .folded, .json or .txt", 5 },
	  VERB_PROFILE },
	{ { "to", OPT_TO, "FORMAT", 0, "text (default), flamegraph, pprof, folded or json", 5 },
	  VERB_PROFILE },
	{ { "json", 'j', NULL, 0, "print one JSON document, as --to json", 5 }, VERB_PROFILE },
	{ { "sort", OPT_SORT, "COLUMN", 0, "sort functions by self (default) or total", 5 },
	  VERB_PROFILE },
	{ { "help", 'h', NULL, 0, "print this help", -1 }, ALL },
	{ { "version", 'V', NULL, 0, "print the version", -1 }, ALL },
};

#define DECLARED (sizeof(declared) / sizeof(*declared))

static void print_version(void)
{
	puts("peat " PEAT_VERSION);
	exit(fflush(stdout) ? EXIT_FAILED : 0);
}

/* Adds the value of an option that can be repeated. */
static error_t add_word(struct option_words *words, const char *arg, struct argp_state *state)
{
	if (words->count == OPTIONS_NAMES)
		argp_error(state, "too many values: '%s': at most %d", arg, OPTIONS_NAMES);
	words->at[words->count++] = arg;
	return 0;
}

static error_t add_name(struct source_options *sources, const char *name, struct argp_state *state)
{
	if (sources->name_count == OPTIONS_NAMES)
		argp_error(state, "too many values: '%s': at most %d", name, OPTIONS_NAMES);
	sources->names[sources->name_count++] = name;
	return 0;
}

static error_t parse_programs(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case OPT_SET:
		if (*arg == '=' || !strchr(arg, '='))
			argp_error(state, "--set '%s': expected NAME=VALUE", arg);
		return add_word(&options->objects.sets, arg, state);
	case OPT_SET_MAP:
		if (*arg == '=' || !strchr(arg, '='))
			argp_error(state, "--set-map '%s': expected MAP=ENTRIES", arg);
		return add_word(&options->objects.map_sizes, arg, state);
	case 'I':
		return add_word(&options->objects.includes, arg, state);
	case OPT_AS:
		return add_word(&options->objects.types, arg, state);
	case OPT_BTF:
		options->objects.btf = arg;
		return 0;
	case OPT_MIN_BTF:
		options->objects.min_btf = true;
		return 0;
	case OPT_NO_PROG:
		return add_word(&options->objects.left_out, arg, state);
	case OPT_IF:
		return add_word(&options->objects.interfaces, arg, state);
	case OPT_BEST_EFFORT:
		options->objects.best_effort = true;
		return 0;
	case OPT_QUICK:
		options->bench.quick = true;
		return 0;
	case OPT_TRANSPORT:
		options->bench.transport = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_filter(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case 'p':
		options->filter.pid = parse_value__pid(arg, options->verb == VERB_REPLAY, state);
		options->filter.by_pid = true;
		return 0;
	case 't':
		options->filter.tid = parse_value__pid(arg, options->verb == VERB_REPLAY, state);
		options->filter.by_tid = true;
		return 0;
	case 'u':
		options->filter.uid = parse_value__user(arg, state);
		options->filter.by_uid = true;
		return 0;
	case OPT_CGROUP:
		options->filter.cgroup = arg;
		return 0;
	case OPT_COMM:
		options->filter.comm = arg;
		return 0;
	case OPT_WHERE:
		if (options->filter.where)
			argp_error(state, "--where '%s': give one expression, with && or ||", arg);
		options->filter.where = arg;
		return 0;
	case 'C':
		options->filter.cpus = arg;
		return 0;
	case OPT_MAX_RATE:
		options->filter.max_rate = parse_value__count(arg, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Limits and output. */
static error_t parse_output(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case 'd':
		options->limits.run_ms = parse_value__time(arg, 1000, UINT64_MAX, state);
		return 0;
	case 'n':
		options->limits.count = parse_value__count(arg, state);
		return 0;
	case 'j':
		options->output.json = true;
		return 0;
	case 'o':
		options->output.path = arg;
		return 0;
	case OPT_SAMPLE:
		options->sampling.sample |= parse_value__sample(arg, state);
		return 0;
	case OPT_ORDERED:
		options->output.ordered = true;
		return 0;
	case OPT_FIELDS:
		options->output.fields = arg;
		return 0;
	case OPT_WIDE:
		options->output.wide = true;
		return 0;
	case 'T':
		options->output.timestamps = true;
		return 0;
	case 'q':
		options->output.quiet = true;
		return 0;
	case OPT_FAIL_ON_LOSS:
		options->output.fail_on_loss = true;
		return 0;
	case 'v':
		options->output.verbose++;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_rings(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case OPT_LATENCY:
		options->limits.latency_ms =
			(uint32_t)parse_value__time(arg, 1, 3600 * 1000, state);
		return 0;
	case OPT_MEMORY:
		options->limits.memory_bytes = parse_value__memory(arg, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void add_map(struct options *options, const char *arg, struct argp_state *state)
{
	if (options->sources.map_count == OPTIONS_MAPS)
		argp_error(state, "too many maps: '%s': at most %d", arg, OPTIONS_MAPS);
	options->sources.maps[options->sources.map_count++] = arg;
}

static error_t parse_maps(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case OPT_MAP:
		add_map(options, arg, state);
		return 0;
	case OPT_STEAL:
		options->sources.steal = true;
		return 0;
	case OPT_PIN:
		options->sources.pin = arg;
		return 0;
	case OPT_ATTACHED:
		options->list.attached = true;
		return 0;
	case OPT_LIST_MAPS:
		options->list.maps = true;
		return 0;
	case OPT_LIST_EVENTS:
		options->list.events = true;
		return 0;
	case OPT_SEARCH:
		options->list.search = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

#define DEFAULT_RECORDING "perf.data"

/*
 * Without a FILE, the first argument is an event or @KIND of perf.data.  A name that is no file may
 * also be a misspelt one, so --stats and --header, which allow no event, do not read perf.data
 * then.
 */
static void add_default_recording(struct options *options, struct argp_state *state)
{
	const char *first = options->sources.name_count ? options->sources.names[0] : NULL;

	if (options->verb != VERB_REPLAY || !first || !strcmp(first, "-") || !access(first, F_OK) ||
	    access(DEFAULT_RECORDING, F_OK))
		return;
	if (*first != '@' && (options->recording.stats || options->recording.header))
		return;
	add_name(&options->sources, first, state);
	memmove(options->sources.names + 1, options->sources.names,
		(options->sources.name_count - 1) * sizeof(*options->sources.names));
	options->sources.names[0] = DEFAULT_RECORDING;
	options->sources.is_default = true;
}

static error_t parse_stat(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case 'e':
		return add_word(&options->sources.events, arg, state);
	case 'a':
		options->sampling.all_tasks = true;
		return 0;
	case 'A':
		options->stat.per_cpu = true;
		return 0;
	case 'x':
		if (!*arg)
			argp_error(state, "-x: expected a separator, such as -x,");
		options->stat.separator = arg;
		return 0;
	case OPT_NO_INHERIT:
		options->stat.no_inherit = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_rest(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case 'h':
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
		return 0;
	case 'V':
		print_version();
		return 0;
	case ARGP_KEY_ARG:
		return add_name(&options->sources, arg, state);
	case ARGP_KEY_END:
		add_default_recording(options, state);
		if (options->output.ordered && !options->limits.latency_ms)
			argp_error(state, "--ordered cannot be used with --latency 0: events wait "
					  "until no older one can arrive");
		return 0;
	case ARGP_KEY_NO_ARGS:
		if (options->verb & (VERB_REPLAY | VERB_CONVERT) &&
		    !access(DEFAULT_RECORDING, F_OK))
			return add_name(&options->sources, DEFAULT_RECORDING, state);
		if (options->sources.if_none && !options->sources.map_count &&
		    !options->sources.events.count && !options->flight.dump_pid)
			argp_error(state, "%s", options->sources.if_none);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	static error_t (*const parsers[])(struct options *, int, char *,
					  struct argp_state *) = { options_profile__parse,
								   parse_filter,
								   parse_programs,
								   parse_output,
								   parse_rings,
								   parse_maps,
								   options_recordings__parse,
								   options_table__parse,
								   options_flight__parse,
								   options_sampling__parse,
								   options_symbols__parse,
								   options_stacks__parse,
								   parse_stat,
								   parse_rest };
	error_t answer = ARGP_ERR_UNKNOWN;

	for (size_t i = 0; answer == ARGP_ERR_UNKNOWN && i < sizeof(parsers) / sizeof(*parsers);
	     i++)
		answer = parsers[i](state->input, key, arg, state);
	return answer;
}

const struct argp_option *options__at(unsigned verb, size_t i)
{
	for (size_t at = 0; at < DECLARED; at++)
		if (declared[at].verbs & verb && !i--)
			return &declared[at].option;
	return NULL;
}

/* Selects the options of the verb, as the array that argp requires: zeroes at the end. */
static void choose(struct argp_option *chosen, enum verb_bit verb)
{
	for (size_t i = 0; i < DECLARED; i++)
		if (declared[i].verbs & verb)
			*chosen++ = declared[i].option;
	*chosen = (struct argp_option){ 0 };
}

char **options__cut_command(int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++) {
		if (strcmp(argv[i], "--") != 0)
			continue;
		argv[i] = NULL;
		*argc = i;
		return argv + i + 1;
	}
	return NULL;
}

void options__parse(struct options *options, enum verb_bit verb, const char *arguments,
		    const char *doc, int argc, char **argv)
{
	struct argp_option chosen[DECLARED + 1];
	const struct argp argp = { chosen, parse_option, arguments, doc, NULL, NULL, NULL };

	*options = (struct options){
		.verb = verb,
		.limits = { .run_ms = UINT64_MAX, .count = UINT64_MAX, .latency_ms = 100 },
		.recording = { .max_bytes = UINT64_MAX,
			       .switch_bytes = UINT64_MAX,
			       .switch_ms = UINT64_MAX },
		.flight = { .max_dumps = UINT64_MAX, .interval_ms = UINT64_MAX },
		.table = { .row_count = UINT64_MAX,
			   .max_rows = OPTIONS_MAX_ROWS,
			   .linear_width = 1 },
		.sources.if_none =
			verb & RUN	? "no source: peat list shows the probes"
			: verb == BUILD ? "no source file: use peat build FILE.bpf.c"
			: verb == VERB_REPLAY
				? "no recording, and no perf.data here: use peat replay FILE"
			: verb == VERB_CONVERT ? "no recording, and no perf.data here: use peat "
						 "convert FILE -o OUT"
					       : NULL,
	};
	choose(chosen, verb);
	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, options);
}
