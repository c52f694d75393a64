/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* event_btf.h: BTF that each test begins anew, with basic types, and structs that are added. */
#ifndef TESTS_UNIT_SCHEMA_EVENT_BTF_H
#define TESTS_UNIT_SCHEMA_EVENT_BTF_H

#include <errno.h>
#include <bpf/btf.h>

#include <peat/log.h>

#include "field/fields.h"
#include "support/machine/harness.h"

static struct btf *btf;
static int u8, u16, u32, u64, s32, s64, letter, truth, be16, be32, be64;
static uint32_t warnings, errors;

static inline void count_messages(enum peat_log_level level, const char *text)
{
	(void)text;
	warnings += level == PEAT_LOG_WARN;
	errors += level == PEAT_LOG_ERROR;
}

static inline int known(int id)
{
	ck_assert_int_gt(id, 0);
	return id;
}

static inline void setup(void)
{
	peat_set_print(count_messages);
	warnings = errors = 0;
	btf = btf__new_empty();
	ck_assert_ptr_nonnull(btf);
	ck_assert_int_eq(btf__set_pointer_size(btf, 8), 0);
	u8 = known(btf__add_int(btf, "unsigned char", 1, 0));
	u16 = known(btf__add_int(btf, "unsigned short", 2, 0));
	u32 = known(btf__add_int(btf, "unsigned int", 4, 0));
	u64 = known(btf__add_int(btf, "unsigned long long", 8, 0));
	s32 = known(btf__add_int(btf, "int", 4, BTF_INT_SIGNED));
	s64 = known(btf__add_int(btf, "long long", 8, BTF_INT_SIGNED));
	letter = known(btf__add_int(btf, "char", 1, BTF_INT_SIGNED));
	truth = known(btf__add_int(btf, "_Bool", 1, BTF_INT_BOOL));
	be16 = known(btf__add_typedef(btf, "__be16", u16));
	be32 = known(btf__add_typedef(btf, "__be32", u32));
	be64 = known(btf__add_typedef(btf, "__be64", u64));
}

static inline void teardown(void)
{
	btf__free(btf);
}

static inline int array(int element, uint32_t count)
{
	return known(btf__add_array(btf, u32, element, count));
}

static inline int begin(const char *name, uint32_t bytes)
{
	return known(btf__add_struct(btf, name, bytes));
}

static inline void member(const char *name, int type, uint32_t offset)
{
	ck_assert_int_eq(btf__add_field(btf, name, type, offset * 8, 0), 0);
}

static inline void bit_member(const char *name, int type, uint32_t bit, uint32_t bits)
{
	ck_assert_int_eq(btf__add_field(btf, name, type, bit, bits), 0);
}

static inline void refused(int id, int err)
{
	errno = 0;
	errors = 0;
	ck_assert_ptr_null(peat_schema__new(btf, (uint32_t)id));
	ck_assert_int_eq(errno, err);
	ck_assert_uint_eq(errors, 1);
}

#endif /* TESTS_UNIT_SCHEMA_EVENT_BTF_H */
