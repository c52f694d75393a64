/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* print/chosen_fields.h: the fields of peat_sink_opts.fields. */
#ifndef PEAT_PRINT_CHOSEN_FIELDS_H
#define PEAT_PRINT_CHOSEN_FIELDS_H

#include <peat/schema.h>

struct sampled_number;

/* A part of an event that is printed. */
enum content {
	CONTENT_FIELD,
	CONTENT_TYPE,
	CONTENT_TIME,
	CONTENT_PID,
	CONTENT_TID,
	CONTENT_COMM,
	CONTENT_CPU,
	CONTENT_IDENTITY /* `sampled`: a part of the task's identity */
};

/* Names, in the order in which they are printed. */
struct chosen_fields {
	char *text; /* all names, each with its NUL; NULL: all fields are printed */
	uint32_t count;
};

/* A name in an event type. */
struct chosen_field {
	enum content content;
	const struct peat_field *field; /* of CONTENT_FIELD */
	uint32_t base;			/* offset of the struct that contains the field */
	const struct sampled_number *sampled;
};

/*
 * Reads "pid,from.port"; NULL: all.  `schema`: the only type of events; NULL: several.  0; -EINVAL:
 * a name is empty, or the type has no such field, with the reason in the log; -ENOMEM.
 */
int chosen_fields__read(struct chosen_fields *chosen, const char *list,
			const struct peat_schema *schema);

void chosen_fields__free(struct chosen_fields *chosen);

/* The name after `name`; the first one after NULL; NULL after the last. */
const char *chosen_fields__next(const struct chosen_fields *chosen, const char *name);

/* Whether `name` is chosen. */
bool chosen_fields__has(const struct chosen_fields *chosen, const char *name);

/* The path of the struct that contains `name`, to be freed; "": the event itself. */
char *chosen_fields__outer(const char *name);

/* The i-th part of the identity of tasks; false: no more, or events of the type have none. */
bool chosen_fields__identity(const struct peat_schema *schema, uint32_t i,
			     struct chosen_field *found);

/* False: the type has no such field. */
bool chosen_fields__find(const struct peat_schema *schema, const char *name,
			 struct chosen_field *found);
#endif /* PEAT_PRINT_CHOSEN_FIELDS_H */
