// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_map_schema.c: columns of maps of any BTF, and the values of their CPUs.
 *
 * Input: BTF.  Each of its types is the key of a map whose value has the type before it.  The
 * columns have to be inside the row, and merging and subtracting inside the values.  The seeds are
 * those of fuzz_schema.c, and sections .BTF of objects with maps.
 */
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "field/fields.h"
#include "schema/map_schema.h"
#include "tables/map_merge.h"

#define CPUS 3

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_columns(const struct map_schema *made, const struct map_type *type)
{
	const struct peat_field *field = made->schema->fields, *end = field + made->schema->count;
	uint32_t columns = 0;

	require(made->row_bytes <= 65535 && made->value_at >= type->key_bytes);
	for (; field < end; field += field->span, columns++) {
		uint32_t from = columns < made->keys ? 0 : made->value_at;
		uint32_t to = columns < made->keys ? type->key_bytes : made->row_bytes;

		require(field->offset >= from && field->offset <= to);
		require(field->bytes <= to - field->offset);
	}
	require(columns > made->keys || made->slot_count || !type->value_bytes);
	require(made->slot_offset + made->slot_count * made->slot_bytes <= type->value_bytes);
}

/* Memory of the exact sizes: the sanitizer detects what is outside. */
static void merge(const struct map_schema *made, uint32_t bytes)
{
	uint8_t *values = malloc((size_t)bytes * CPUS + 1), *sum = malloc((size_t)bytes + 1);
	struct map_merge_plan plan;

	require(values && sum);
	for (uint32_t i = 0; i < bytes * CPUS; i++)
		values[i] = i < bytes ? 0 : (uint8_t)(i * 37);
	if (!map_merge__make(&plan, made, bytes)) {
		map_merge__cpus(&plan, sum, values, bytes, CPUS);
		map_merge__subtract(&plan, sum, values + bytes);
		map_merge__free(&plan);
	}
	free(values);
	free(sum);
}

static uint32_t bytes_of(const struct btf *btf, uint32_t id)
{
	int64_t bytes = btf__resolve_size(btf, id);

	return bytes > 0 && bytes < 70000 ? (uint32_t)bytes : 8;
}

static void check_map(const struct btf *btf, uint32_t key, uint32_t value, bool is_histogram)
{
	struct map_type type = {
		"map",	      NULL, btf, key, value, bytes_of(btf, key), bytes_of(btf, value),
		is_histogram, false
	};
	struct map_schema made;

	if (map_schema__make(&made, &type))
		return;
	check_columns(&made, &type);
	merge(&made, type.value_bytes);
	map_schema__free(&made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btf *btf;
	uint32_t types;

	libbpf_set_print(NULL);
	btf = btf__new(data, (uint32_t)size);
	types = btf ? btf__type_cnt(btf) : 0;
	for (uint32_t id = 1; id < types; id++)
		check_map(btf, id, id - 1, id % 2);
	btf__free(btf);
	return 0;
}
