/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef GLOBALS_H
#define GLOBALS_H

#include <stddef.h>

struct bpf_object;

/*
 * Sets the global variable `name` of an object that is opened but not loaded to `value`, which is
 * `bytes` long; the rest of a longer variable becomes 0.  -ENOENT: there is no such variable,
 * -E2BIG: it is shorter.
 */
int globals__set(struct bpf_object *object, const char *name, const void *value, size_t bytes);

#endif /* GLOBALS_H */
