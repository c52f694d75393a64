/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* where_schema.h: schemas for tests of expressions, and what was logged. */
#ifndef TESTS_UNIT_WHERE_SCHEMA_H
#define TESTS_UNIT_WHERE_SCHEMA_H

#include <stddef.h>

#include <peat/schema.h>

struct btf;

/* The types of an object file in memory; the caller frees them. */
struct btf *where_schema__btf(const void *object, size_t bytes);

/* struct kinds of kinds.bpf.c; the caller frees it. */
struct peat_schema *where_schema__kinds(void);

/* A tracepoint "test:probe": int number; __data_loc char[] path; __data_loc u32[] list. */
struct peat_schema *where_schema__tracepoint(void);

/* The last error since the call of where_schema__catch(); "": none. */
void where_schema__catch(void);
const char *where_schema__error(void);
int where_schema__errors(void);

/* The column of the caret in the last error, from 0; -1: there is none. */
int where_schema__column(void);

#endif /* TESTS_UNIT_WHERE_SCHEMA_H */
