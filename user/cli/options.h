/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
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
	VERB_BENCH = 64
};

/* What peat convert makes. */
enum format { FORMAT_PERF, FORMAT_JSON, FORMAT_FOLDED };

/* What the options of all verbs can say; each is declared once, in options.c. */
struct options {
	enum verb_bit verb;
	const char *names[OPTIONS_NAMES]; /* the arguments */
	size_t name_count;
	const char *if_none;		     /* what to ask then; NULL: they need not be there */
	const char *includes[OPTIONS_NAMES]; /* directories of headers */
	size_t include_count;
	const char *sets[OPTIONS_NAMES]; /* NAME=VALUE */
	size_t set_count;
	const char *types[OPTIONS_NAMES + 1]; /* [MAP=]TYPE, [EVENT=]TYPE; NULL behind the last */
	size_t type_count;
	const char *btf;		     /* where those types are; NULL: in the recording */
	const char *left_out[OPTIONS_NAMES]; /* programs */
	size_t left_out_count;
	const char *maps[OPTIONS_MAPS]; /* --map */
	size_t map_count;
	bool steal, attached;
	bool stats, header, unordered;
	enum format format;
	int level;			       /* of compression; 0: none */
	uint64_t max_bytes;		       /* of a recording; UINT64_MAX: any */
	uint64_t switch_bytes, switch_ms;      /* begin another one then; UINT64_MAX: never */
	const char *pin;		       /* NULL: nothing is to outlive the run */
	const char *interfaces[OPTIONS_NAMES]; /* each a name, or several with commas */
	size_t interface_count;
	uint32_t pid, tid; /* 0: all */
	uint32_t uid;	   /* if by_uid */
	bool by_uid;
	const char *comm, *cpus, *cgroup; /* NULL: all */
	uint64_t run_ms;		  /* UINT64_MAX: until told to stop */
	uint64_t count;			  /* UINT64_MAX: any number */
	const char *output;		  /* NULL: stdout */
	uint32_t latency_ms;
	uint64_t memory_bytes;
	uint64_t max_rate; /* 0: any */
	uint32_t sample;   /* PEAT_SAMPLE_* */
	bool json, timestamps, quiet, ordered, best_effort;
	bool quick;
	const char *transport; /* NULL: all */
	int verbose;
};

/* What stands behind the first "--", up to NULL, and is no argument any more; NULL: there is none.
 */
char **options__cut_command(int *argc, char **argv);

/*
 * Reads the options of a verb, whose arguments are described by `arguments`; argv[0] is what to
 * call it.  On bad ones and for -h and -V it prints and exits, as argp does.
 */
void options__parse(struct options *options, enum verb_bit verb, const char *arguments,
		    const char *doc, int argc, char **argv);

#endif /* OPTIONS_H */
