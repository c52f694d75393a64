/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_script.h: compares a sample of perf script with that of peat replay -j. */
#ifndef TESTS_SUPPORT_PERF_PERF_SCRIPT_H
#define TESTS_SUPPORT_PERF_PERF_SCRIPT_H

/* The command line of perf script. */
#define PERF_SCRIPT "perf script --ns -F comm,pid,tid,cpu,time,event,trace"

/* A parsed line. */
struct perf_script {
	char comm[32], event[64];
	int pid, tid;
	unsigned cpu;
	long long time_ns;
	const char *fields;
};

/*
 * Removes the next sample from the rest of perf's output; NULL: the end.  A sample is usually one
 * line, but arguments of commands may contain newlines.
 */
char *perf_script__next(char **rest);

/* Splits the line in place. */
void perf_script__parse(char *line, struct perf_script *shown);

/*
 * Checks that the line has " name=value", followed by the next field or the end.  perf has the
 * member "to.port" as to_port.
 */
void perf_script__check_field(const struct perf_script *shown, const char *event, const char *name);

/* Checks everything except the fields. */
void perf_script__check_head(const struct perf_script *shown, const char *event);

#endif /* TESTS_SUPPORT_PERF_PERF_SCRIPT_H */
