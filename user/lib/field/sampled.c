// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/sampled.c: the numbers of PERF_SAMPLE_* by name. */
#include <string.h>

#include "base/text.h"
#include "field/fields.h"
#include "field/sampled.h"

#define PREFIX "sample_"

/* ---- reading --------------------------------------------------------------------------------- */

static uint64_t read_ip(const struct peat_record *record)
{
	return record->sample.ip;
}

static uint64_t read_addr(const struct peat_record *record)
{
	return record->sample.addr;
}

static uint64_t read_period(const struct peat_record *record)
{
	return record->sample.period;
}

static uint64_t read_phys_addr(const struct peat_record *record)
{
	return record->sample.phys_addr;
}

static uint64_t read_data_page_size(const struct peat_record *record)
{
	return record->sample.data_page_bytes;
}

static uint64_t read_code_page_size(const struct peat_record *record)
{
	return record->sample.code_page_bytes;
}

static uint64_t read_cgroup(const struct peat_record *record)
{
	return record->sample.cgroup;
}

static uint64_t read_weight(const struct peat_record *record)
{
	uint16_t second, third;
	uint32_t first;

	if (record->has & PEAT_SAMPLE_WEIGHT)
		return record->sample.weight;
	peat_sample__weights(&record->sample, &first, &second, &third);
	return first;
}

static uint64_t read_second_weight(const struct peat_record *record)
{
	uint16_t second, third;
	uint32_t first;

	peat_sample__weights(&record->sample, &first, &second, &third);
	return second;
}

static uint64_t read_third_weight(const struct peat_record *record)
{
	uint16_t second, third;
	uint32_t first;

	peat_sample__weights(&record->sample, &first, &second, &third);
	return third;
}

/* ---- names ----------------------------------------------------------------------------------- */

#define NUMBER(called, is, of, function)                                                           \
	{                                                                                          \
		.field = { .name = (called), .kind = PEAT_FIELD_##is, .span = 1, .bytes = 8 },     \
		.has = (of), .read = (function)                                                    \
	}

/* The third weight has two names, by the architecture. */
static const struct sampled_number numbers[] = {
	NUMBER("ip", HEX, PEAT_SAMPLE_IP, read_ip),
	NUMBER("addr", HEX, PEAT_SAMPLE_ADDR, read_addr),
	NUMBER("period", UNSIGNED, PEAT_SAMPLE_PERIOD, read_period),
	NUMBER("weight", UNSIGNED, PEAT_SAMPLE_WEIGHT | PEAT_SAMPLE_WEIGHT_STRUCT, read_weight),
	NUMBER("ins_lat", UNSIGNED, PEAT_SAMPLE_WEIGHT_STRUCT, read_second_weight),
	NUMBER("retire_lat", UNSIGNED, PEAT_SAMPLE_WEIGHT_STRUCT, read_third_weight),
	NUMBER("p_stage_cyc", UNSIGNED, PEAT_SAMPLE_WEIGHT_STRUCT, read_third_weight),
	NUMBER("phys_addr", HEX, PEAT_SAMPLE_PHYS_ADDR, read_phys_addr),
	NUMBER("data_page_size", SIZE, PEAT_SAMPLE_DATA_PAGE_SIZE, read_data_page_size),
	NUMBER("code_page_size", SIZE, PEAT_SAMPLE_CODE_PAGE_SIZE, read_code_page_size),
	NUMBER("cgroup", UNSIGNED, PEAT_SAMPLE_CGROUP, read_cgroup),
};

#define NUMBERS (sizeof(numbers) / sizeof(*numbers))

static bool has_number(const struct peat_schema *schema, size_t i)
{
	return schema && schema->sampled & numbers[i].has;
}

const struct sampled_number *sampled__find(const struct peat_schema *schema, const char *name)
{
	if (begins_with(name, PREFIX))
		name += strlen(PREFIX);
	for (size_t i = 0; i < NUMBERS; i++)
		if (has_number(schema, i) && !strcmp(numbers[i].field.name, name))
			return &numbers[i];
	return NULL;
}

void sampled__list(const struct peat_schema *schema, void (*each)(void *context, const char *name),
		   void *context)
{
	for (size_t i = 0; i < NUMBERS; i++)
		if (has_number(schema, i))
			each(context, numbers[i].field.name);
}

bool sampled__read(const struct sampled_number *number, const struct peat_event *event,
		   uint64_t *value)
{
	const struct peat_record *record = event->record;

	if (!record || record->type != PEAT_RECORD_SAMPLE)
		return false;
	*value = number->read(record);
	return record->has & number->has;
}
