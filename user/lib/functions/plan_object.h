/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* functions/plan_object.h: the objects of plan.bpf.c and usdt.bpf.c, which are compiled in. */
#ifndef PEAT_FUNCTIONS_PLAN_OBJECT_H
#define PEAT_FUNCTIONS_PLAN_OBJECT_H

#include <stddef.h>

struct btf;

enum plan_object { PLAN_OBJECT_FUNCTIONS, PLAN_OBJECT_USDT };

/* A copy of its BTF, to which types of events can be added; NULL and errno. */
struct btf *plan_object__btf(enum plan_object which);

/*
 * A copy of its ELF file with other BTF, for free(), and its size.  Types may be added to its own
 * BTF only behind the others: the object's code refers to them by number.  NULL and errno.
 */
void *plan_object__with_btf(enum plan_object which, const struct btf *btf, size_t *bytes);

#endif /* PEAT_FUNCTIONS_PLAN_OBJECT_H */
