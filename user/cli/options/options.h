/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options.h: the options of all verbs. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPTIONS_NAMES 64
#define OPTIONS_MAPS  32

enum verb_bit {
	VERB_TRACE = 1,
	VERB_LIST = 2,
	VERB_BUILD = 4,
	VERB_REPLAY = 8,
	VERB_CONVERT = 16,
	VERB_RECORD = 32,
	VERB_BENCH = 64,
	VERB_COUNT = 128,
	VERB_HIST = 256,
	VERB_TOP = 512,
	VERB_STAT = 1024,
	VERB_PROFILE = 2048
};

/* Formats that peat convert writes. */
enum format {
	FORMAT_PERF,
	FORMAT_JSON,
	FORMAT_FOLDED,
	FORMAT_FLAMEGRAPH,
	FORMAT_PPROF,
	FORMAT_PCAPNG
};

/* Formats that peat profile writes. */
enum profile_format {
	PROFILE_TEXT,
	PROFILE_FOLDED,
	PROFILE_FLAMEGRAPH,
	PROFILE_PPROF,
	PROFILE_JSON
};

/* Options of peat profile. */
struct profile_options {
	const char *event, *freq, *min; /* of the probe; NULL: its defaults */
	const char *to;			/* NULL: by the name of the output */
	enum profile_format format;
	bool offcpu;
};

/*
 * The default of --max-rows.  A key takes some 400 bytes in count and top, the copies of its row
 * and its text included, and 2 KiB in hist.
 */
#define OPTIONS_MAX_ROWS 100000

/* Values of the options of all verbs.  Each option is declared once, in options.c. */
struct options {
	enum verb_bit verb;
	const char *names[OPTIONS_NAMES + 1]; /* the arguments; NULL after the last */
	size_t name_count;
	bool is_default;		     /* names[0] is perf.data, since names[1] is no file */
	const char *if_none;		     /* error if there are none; NULL: they are optional */
	const char *includes[OPTIONS_NAMES]; /* directories of headers */
	size_t include_count;
	const char *sets[OPTIONS_NAMES]; /* NAME=VALUE */
	size_t set_count;
	const char *map_sizes[OPTIONS_NAMES]; /* MAP=ENTRIES */
	size_t map_size_count;
	const char *types[OPTIONS_NAMES + 1]; /* [MAP=]TYPE, [EVENT=]TYPE; NULL after the last */
	size_t type_count;
	const char *btf; /* file with those types; live: with the kernel's types; NULL: none */
	const char *left_out[OPTIONS_NAMES]; /* programs */
	size_t left_out_count;
	const char *maps[OPTIONS_MAPS]; /* --map */
	size_t map_count;
	bool steal, attached, list_maps, list_events;
	const char *search; /* NULL: list all sources */
	bool stats, header, unordered;
	enum format format;
	const char *to;	    /* its name, or that of the output of trace and replay; NULL: none */
	bool pcapng;	    /* trace, replay: packets instead of text */
	int level;	    /* of compression; 0: none */
	uint64_t max_bytes; /* of a recording; UINT64_MAX: unlimited */
	uint64_t switch_bytes, switch_ms; /* limits of one file; UINT64_MAX: unlimited */
	uint64_t flight_bytes;		  /* of each CPU; 0: no flight recorder */
	uint64_t last_ns;		  /* of a dump; 0: all */
	uint64_t max_dumps;		  /* UINT64_MAX: of --on and --on-lost, a default */
	uint64_t dump_interval_ms;	  /* of --on and --on-lost; UINT64_MAX: not given */
	const char *on, *on_where;	  /* source of triggers; NULL: none, all its events */
	bool on_lost;
	uint32_t dump_pid;		       /* of the flight recorder to dump; 0: none */
	const char *pin;		       /* directory; NULL: do not pin */
	const char *interfaces[OPTIONS_NAMES]; /* each one or more names, separated by commas */
	size_t interface_count;
	uint32_t pid, tid, uid; /* if by_pid, by_tid, by_uid */
	bool by_pid, by_tid, by_uid, by_time;
	uint64_t from_ns, to_ns;	  /* if by_time */
	const char *comm, *cpus, *cgroup; /* NULL: all */
	const char *where;		  /* an expression; NULL: all */
	/* Of a table: struct peat_table_opts. */
	const char *by, *field, *sort, *table;
	bool by_stack; /* `by` has "stack" */
	uint32_t values;
	int64_t linear_first;
	uint64_t linear_width;
	uint64_t interval_ms; /* 0: no interval */
	uint64_t row_count;   /* UINT64_MAX: all */
	uint64_t max_rows;    /* of tables of events; 0: unlimited */
	uint64_t run_ms;      /* UINT64_MAX: unlimited */
	uint64_t count;	      /* UINT64_MAX: unlimited */
	const char *output;   /* NULL: stdout */
	uint32_t latency_ms;
	uint64_t memory_bytes;
	uint64_t max_rate;				 /* 0: unlimited */
	uint32_t sample;				 /* PEAT_SAMPLE_* */
	bool no_symbols, no_demangle, lines, debuginfod; /* of addresses */
	uint64_t symbol_bytes;				 /* of memory; 0: the default */
	bool json, timestamps, quiet, ordered, best_effort;
	bool wide;	    /* all columns and whole lines */
	const char *fields; /* to print, separated by commas; NULL: all */
	bool quick, min_btf, fail_on_loss;
	const char *events[OPTIONS_NAMES]; /* perf events, each a list */
	size_t event_count;
	bool all_tasks, per_cpu, no_inherit, call_graph;
	uint32_t stacks;		    /* PEAT_STACK_*; 0: the default */
	uint32_t stack_depth, stack_memory; /* 0: not set */
	uint64_t period;		    /* of samples; 0: not set */
	uint32_t frequency;		    /* likewise; UINT32_MAX: as high as the kernel allows */
	const char *separator;		    /* of fields; NULL: text or JSON */
	const char *transport;		    /* NULL: all */
	const char *weight; /* field that stacks are counted by; NULL: their number */
	int verbose;
	struct profile_options profile;
};

struct argp_option;

/* The i-th option of a verb, or heading among them; NULL after the last. */
const struct argp_option *options__at(unsigned verb, size_t i);

/* Removes the words after the first "--" from the arguments and returns them; NULL: no "--". */
char **options__cut_command(int *argc, char **argv);

/*
 * Parses the options of a verb.  `arguments` and `doc` are for its help; argv[0] is its name there.
 * Prints and exits for -h, -V and invalid options, as argp does.
 */
void options__parse(struct options *options, enum verb_bit verb, const char *arguments,
		    const char *doc, int argc, char **argv);

#endif /* OPTIONS_H */
