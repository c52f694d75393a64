/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * field/sampled.h: numbers that the kernel samples with an event, beside its fields: "period",
 * "ip"; and those that programs send beside them: "uid", "cgroup"; and texts that are found by the
 * cgroup: "container", "pod", "unit"; and ids in the task's own pid namespace: "nspid".  Sinks
 * print the sampled ones by the same names (print/sample_fields.c).
 */
#ifndef PEAT_FIELD_SAMPLED_H
#define PEAT_FIELD_SAMPLED_H

#include <peat/reader.h>

/* The numbers of a type that may be sampled; see peat_schema.sampled. */
struct sampled_number {
	struct peat_field field; /* its name, kind and 8 bytes; it has no place in the event */
	uint64_t has;		 /* PEAT_SAMPLE_*, SAMPLED_OWNER: any of them */
	uint64_t (*read)(const struct peat_record *record);
	uint64_t (*read_sent)(const struct peat_event *event); /* instead, of SAMPLED_OWNER */
	/* Instead, of a text, which peat_event.identity has. */
	const char *(*read_text)(const struct peat_event *event);
	bool is_cgroup;	  /* of this machine */
	bool is_identity; /* peat_reader_opts.identity is needed */
};

/* In peat_schema.sampled, beside PEAT_SAMPLE_*: programs send the owner of the task. */
#define SAMPLED_OWNER (1ULL << 63)

/*
 * Whether a number or text of the task's owner has this name, or "sample_" and the name; of its
 * identity.
 */
bool sampled__is_of_owner(const char *name);
bool sampled__is_of_identity(const char *name);

/*
 * Finds the number of this name, or "sample_" and the name, among those that samples of the type
 * have; NULL: there is none.  `schema` may be NULL.
 */
const struct sampled_number *sampled__find(const struct peat_schema *schema, const char *name);

/* Calls `each` with the names of all numbers of the type. */
void sampled__list(const struct peat_schema *schema, void (*each)(void *context, const char *name),
		   void *context);

/*
 * Reads a text that stands for a value of the number: the path of a cgroup, as of a file or below
 * the root cgroup, is its id.  `number` may be NULL.  1; 0: it is no such text; -ENOENT: there is
 * no such cgroup, and the log has the reason.
 */
int sampled__parse(const struct sampled_number *number, const char *text, uint64_t *value);

/* Reads the number of an event.  False: the event has none, or it is a text. */
bool sampled__read(const struct sampled_number *number, const struct peat_event *event,
		   uint64_t *value);

/* Returns the text of an event; "": it has none; NULL: it is unknown, or a number. */
const char *sampled__text(const struct sampled_number *number, const struct peat_event *event);

#endif /* PEAT_FIELD_SAMPLED_H */
