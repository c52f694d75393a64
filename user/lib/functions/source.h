/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * functions/source.h: sources that name functions, with bpftrace's words.  Pure.
 *
 *	kprobe:FUNCTION[+OFFSET]	kretprobe:FUNCTION
 *	uprobe:FILE:FUNCTION[+OFFSET]	uretprobe:FILE:FUNCTION
 *	uprobe:FILE:0xOFFSET		uretprobe:FILE:0xOFFSET
 *	usdt:FILE:PROVIDER:NAME
 *	tracepoint:CATEGORY:NAME
 *
 * FUNCTION, PROVIDER, CATEGORY and NAME may be globs (*, ?, [...]), but a glob has no offset.
 *
 * FILE and FUNCTION may have colons: "./a:b.so", "ns::f".  Parts end at single colons, which are
 * not of a "::", and the last ones count: uprobe:./a:b.so:ns::f is the function ns::f of ./a:b.so.
 * After three colons FUNCTION begins with "::".  An offset begins with "+" and a digit, so
 * "operator+" is a name.  Numbers are decimal, or hexadecimal with 0x.
 */
#ifndef PEAT_FUNCTIONS_SOURCE_H
#define PEAT_FUNCTIONS_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum function_source_kind {
	SOURCE_KPROBE,
	SOURCE_KRETPROBE,
	SOURCE_UPROBE,
	SOURCE_URETPROBE,
	SOURCE_USDT,
	SOURCE_TRACEPOINT,
	SOURCE_KINDS
};

struct function_source {
	enum function_source_kind kind;
	char *text;	 /* the whole source */
	char *file;	 /* as written; NULL: kprobe, kretprobe, tracepoint */
	char *group;	 /* PROVIDER or CATEGORY; NULL: others */
	char *pattern;	 /* FUNCTION or NAME; NULL: an offset in the file */
	uint64_t offset; /* after the start of the function, or in the file */
	bool is_glob;	 /* pattern, or group, has *, ? or [ */
};

/* Whether the text begins with the word of a kind and a colon: it is no file and no probe then. */
bool function_source__is(const char *text);

/* "kprobe" */
const char *function_source__word(enum function_source_kind kind);

/* Whether the function is one of user space: uprobe, uretprobe, usdt. */
bool function_source__is_user(const struct function_source *source);

/* kretprobe, uretprobe */
bool function_source__is_return(const struct function_source *source);

/*
 * Parses a source.  0; -ENOMEM; -EINVAL, and `why` has the reason in words, a constant: "expected
 * uprobe:FILE:FUNCTION".  On failure nothing is to be freed.
 */
int function_source__parse(struct function_source *source, const char *text, const char **why);
void function_source__free(struct function_source *source);

#endif /* PEAT_FUNCTIONS_SOURCE_H */
