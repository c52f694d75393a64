/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* field/fields.h: the inside of a schema, and the bytes of a field. */
#ifndef PEAT_FIELD_FIELDS_H
#define PEAT_FIELD_FIELDS_H

#include <string.h>

#include <peat/schema.h>

#include "field/field_type.h"

/* The fields of a system call: PEAT_CALL_ARGS().  All but the first two may be NULL. */
struct call_fields {
	const struct peat_field *args;	   /* an array of numbers; NULL: no system call */
	const struct peat_field *call;	   /* its number, an ENUM */
	const struct peat_field *texts;	   /* a bit for each argument that was read */
	const struct peat_field *memory;   /* strings at those arguments */
	const struct peat_field *endpoint; /* or an ENDPOINT */
};

struct peat_schema {
	const char *name, *doc, *subject, *like_tools; /* all but the name may be NULL */
	uint32_t bytes;
	uint32_t count;
	struct peat_field *fields;
	void *memory;	    /* contains all of the above; NULL: the schema is constant */
	int stacks_fd;	    /* the stack map of KSTACK fields, not owned; -1: none */
	uint32_t stack_max; /* most addresses of a stack in that map */
	/* A schema with the same fields, some with other meanings; NULL: none. */
	const struct peat_schema *like;
	struct call_fields call;
	/* The bytes after the struct: see field/appended.h.  Its name is NULL: there are none. */
	struct peat_field appended;
	/*
	 * PEAT_SAMPLE_* of the numbers that samples of this type may have (field/sampled.h); 0 if
	 * they mean nothing: the samples of events that peat recorded.
	 */
	uint64_t sampled;
	/* Bit i: -1 in field i, a number, means unknown: rows of a table. */
	uint64_t unknown;
	bool has_text_lengths; /* see field/several_strings.h */
	bool expects_appended; /* programs append bytes: recordings have a field for them */
	bool is_peats;	       /* of an event that a recording has as peat:NAME */
	bool hides_sample;     /* recorded by peat: sinks print nothing else of the sample */
	bool is_recorded;      /* kernel addresses are a recording's: they may have no names here */
	bool same_kernel;      /* if is_recorded: the recording is of the running kernel */
};

/* Names that sinks print for every event; a field with such a name is renamed. */
extern const char *const fields__event_reserved[]; /* NULL: the end */

/*
 * Finds the bytes of a field.  They are fewer than its type's if the event cuts a string, bytes or
 * an array, or by field->length.  NULL: none, the field is absent by field->presence, or a field
 * that cannot be cut is incomplete.  `data` and `bytes` as for peat_field__number().
 */
const void *fields__bytes(const struct peat_field *field, const void *data, uint32_t bytes,
			  uint32_t *count);

/*
 * The number of elements of an array of which the event has `bytes` bytes.  The last one may be
 * cut, unless the event's size alone determines the count.
 */
uint32_t fields__elements(const struct peat_field *array, uint32_t bytes);

static inline bool fields__has_members(const struct peat_field *field)
{
	return field_type__of(field)->has_members;
}

/* Whether the number means that the field is unknown: "-" as text, null as JSON. */
static inline bool fields__is_unknown(const struct peat_field *field, uint64_t number)
{
	ptrdiff_t index;

	if (number != UINT64_MAX || !field->schema || !field->schema->unknown)
		return false;
	index = field - field->schema->fields;
	return index >= 0 && index < 64 && field->schema->unknown >> index & 1;
}

/* Bytes of a struct peat_endpoint (peat.bpf.h), and the offset of its port. */
#define ENDPOINT_BYTES	 18
#define ENDPOINT_PORT_AT 16

/* Whether peat_field__number() can read the field. */
bool fields__is_number(const struct peat_field *field);

/* The stacks at the end of the events (PEAT_STACKS); NULL: none. */
static inline const struct peat_field *fields__stack(const struct peat_schema *schema)
{
	const struct peat_field *last = schema->count ? schema->fields + schema->count - 1 : NULL;

	return last && field_type__of(last)->class == PEAT_CLASS_STACK ? last : NULL;
}

/* After the last field that has a value: stacks are printed as frames, and recorded so. */
static inline const struct peat_field *fields__end(const struct peat_schema *schema)
{
	const struct peat_field *stack = fields__stack(schema);

	return stack ? stack : schema->fields + schema->count;
}

/* The field of the event itself, before fields__end(); NULL: none, or no schema. */
static inline const struct peat_field *fields__find(const struct peat_schema *schema,
						    const char *name)
{
	const struct peat_field *field = schema ? schema->fields : NULL;
	const struct peat_field *end = schema ? fields__end(schema) : NULL;

	while (field < end && strcmp(field->name, name) != 0)
		field += field->span;
	return field < end ? field : NULL;
}

#endif /* PEAT_FIELD_FIELDS_H */
