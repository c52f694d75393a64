/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* functions.h: questions about an operation, in the words of peat and of bpftrace. */
#ifndef BENCH_FUNCTIONS_FUNCTIONS_H
#define BENCH_FUNCTIONS_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QUESTION_WORDS 16
#define QUESTION_BYTES 1024

/* An operation that a source sees, once each. */
struct operation {
	const char *title;
	void (*run)(void);
	const char *call, *ret; /* sources; % is the file of this program; ret may be NULL */
	bool needs_kprobes;
};

struct question {
	const struct operation *operation;
	const char *title;
	const char *peat;     /* arguments; C and R in place of the sources: "count C --by pid" */
	const char *bpftrace; /* a program, likewise */
};

/* The value of an argument of each operation. */
#define OPERATION_NUMBER "4711"

/* NULL after the last. */
const struct question *questions__at(size_t i);

/* The question of each operation that starting.c asks: it prints OPERATION_NUMBER. */
const struct question *questions__start_at(size_t i);

bool operation__is_possible(const struct operation *operation);

struct words {
	const char *argv[QUESTION_WORDS];
	char text[QUESTION_BYTES];
};

/* The command lines of a question. */
void question__peat(const struct question *question, const char *peat, struct words *words);
void question__bpftrace(const struct question *question, struct words *words);

/* The ms from the tool's start to its first event; negative: it does not run here. */
double starting__measure(const struct operation *operation, const struct words *words,
			 uint32_t cpu);

/* Measures and prints how long many functions take to attach and detach. */
void many__print(void);

#endif /* BENCH_FUNCTIONS_FUNCTIONS_H */
