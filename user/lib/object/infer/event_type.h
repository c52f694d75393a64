/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/infer/event_type.h: infers the event types of an object that does not use peat.bpf.h.
 *
 *	infer = infer__open_mem(object, elf, bytes);	the object is opened, not loaded
 *	for each perf event array of the object:
 *		infer__map_type(infer, name of the map, NULL, &type);
 *		use type.schema (NULL: events are bytes); print type.why
 *		inferred_type__free(&type);
 *	infer__free(infer);
 *
 * The result is a type.  If the map is defined with __type(value, struct event), it is that struct:
 * a guess if the code sends events of another size.  A struct of 4 bytes, the value size that the
 * kernel wants, counts only if the code sends events of 4 bytes.  Otherwise the code has the size
 * of the events, not their type: a type is chosen if it is the only one that fits; if several fit,
 * none is.
 */
#ifndef PEAT_OBJECT_INFER_EVENT_TYPE_H
#define PEAT_OBJECT_INFER_EVENT_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_object;
struct btf;
struct infer;
struct peat_schema;

/* The type of the events of a perf event array. */
struct inferred_type {
	struct peat_schema *schema; /* NULL: unknown.  To take ownership, set it to NULL */
	char *why;		    /* "the only struct of 56 bytes that the object defines" */
	bool is_guess;		    /* it can be wrong: `why` says why */
};

/*
 * For an object opened from the bytes of `elf`; both have to outlive the result.  NULL and errno:
 * EBADMSG, ENOMEM.
 */
struct infer *infer__open_mem(const struct bpf_object *object, const void *elf, size_t bytes);

/* NULL is allowed. */
void infer__free(struct infer *infer);

/*
 * Finds the type of the events written to `map`.  `name`: a struct, union or typedef given by the
 * user; NULL: infer it from the code.
 *   0: also if the type is unknown
 *   -ENOENT: there is no type `name`; logged
 *   -EINVAL: the type `name` cannot be an event; logged
 *   -ENOMEM
 */
int infer__map_type(struct infer *infer, const char *map, const char *name,
		    struct inferred_type *type);

/*
 * Finds the type of this name and size again, and stores new BTF that has it, and its id there.
 * `name` NULL: all types of the object, and id 0.  -ENOENT: no such type; another negative errno.
 */
int infer__export(struct infer *infer, const char *name, uint32_t bytes, struct btf **btf,
		  uint32_t *id);

void inferred_type__free(struct inferred_type *type);

#endif /* PEAT_OBJECT_INFER_EVENT_TYPE_H */
