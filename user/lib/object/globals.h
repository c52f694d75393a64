/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef GLOBALS_H
#define GLOBALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_object;

/* A global variable. */
struct global {
	const char *name; /* the BTF's */
	uint32_t id;	  /* in the BTF */
	void *memory;	  /* as globals__find() has it */
	size_t bytes;
};

/*
 * Global variable number `i` of all sections, from 0: 1 and the variable; 0 behind the last; or a
 * negative errno as globals__find() has it, when only its name and id are known.
 */
int globals__at(struct bpf_object *object, uint32_t i, struct global *global);

/*
 * Whether its author named it: those of peat.bpf.h are the session's to set, and static ones inside
 * of functions have a dot in their name.
 */
bool globals__is_public(const struct global *global);

/*
 * The memory of the global variable `name`, and its size in `bytes`.  Before the object is loaded
 * it holds the initial value.  Asked for after the load, it is the variable itself, shared with the
 * programs; a constant then cannot be written.  It lasts as long as the object.  NULL with errno,
 * ENOENT: there is no such variable, EBADMSG: BTF and memory do not fit together, ENOTSUP: this
 * kernel does not share it.
 */
void *globals__find(struct bpf_object *object, const char *name, size_t *bytes);

/*
 * Sets the global variable `name` of an object that is opened but not loaded to `value`, which is
 * `bytes` long; the rest of a longer variable becomes 0.  -ENOENT: there is no such variable,
 * -E2BIG: it is shorter.
 */
int globals__set(struct bpf_object *object, const char *name, const void *value, size_t bytes);

#endif /* GLOBALS_H */
