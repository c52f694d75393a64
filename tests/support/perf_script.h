/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_script.h: a sample of perf script, against what peat replay -j says of it. */
#ifndef PERF_SCRIPT_H
#define PERF_SCRIPT_H

/* What perf script is told to print. */
#define PERF_SCRIPT "perf script --ns -F comm,pid,tid,cpu,time,event,trace"

/* A line of it, taken apart. */
struct perf_script {
	char comm[32], event[64];
	int pid, tid;
	unsigned cpu;
	long long time_ns;
	const char *fields;
};

/*
 * Cuts the next sample off what is left of perf's text; NULL: there is none.  Mostly it is a line,
 * but others' commands have newlines in their arguments.
 */
char *perf_script__next(char **rest);

/* The line is cut into pieces. */
void perf_script__take_apart(char *line, struct perf_script *shown);

/* " name=value" is there, and then the next field or the end. */
void perf_script__check_field(const struct perf_script *shown, const char *event, const char *name);

/* All but the fields. */
void perf_script__check_head(const struct perf_script *shown, const char *event);

#endif /* PERF_SCRIPT_H */
