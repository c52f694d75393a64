// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/sampled.c: the numbers of PERF_SAMPLE_*, and those of the task's owner, by name. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/identity.h>

#include "base/text.h"
#include "field/fields.h"
#include "field/sampled.h"
#include "sys/cgroup.h"

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

static uint64_t read_uid_sent(const struct peat_event *event)
{
	return event->uid;
}

static uint64_t read_cgroup_sent(const struct peat_event *event)
{
	return event->cgroup;
}

static uint64_t read_nspid(const struct peat_event *event)
{
	return event->nspid;
}

static uint64_t read_nstid(const struct peat_event *event)
{
	return event->nstid;
}

static const char *read_container(const struct peat_event *event)
{
	return event->identity ? event->identity->container : NULL;
}

static const char *read_pod(const struct peat_event *event)
{
	return event->identity ? event->identity->pod : NULL;
}

static const char *read_unit(const struct peat_event *event)
{
	return event->identity ? event->identity->unit : NULL;
}

static const char *read_container_name(const struct peat_event *event)
{
	return event->identity ? event->identity->container_name : NULL;
}

static const char *read_pod_name(const struct peat_event *event)
{
	return event->identity ? event->identity->pod_name : NULL;
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

#define FIELD_CALLED(called, is)                                                                   \
	{                                                                                          \
		.name = (called), .kind = PEAT_FIELD_##is, .span = 1, .bytes = 8                   \
	}

#define NUMBER(called, is, of, function)                                                           \
	{                                                                                          \
		.field = FIELD_CALLED(called, is), .has = (of), .read = (function)                 \
	}

#define OWNERS(called, function, cgroup)                                                           \
	{                                                                                          \
		.field = FIELD_CALLED(called, UNSIGNED), .has = SAMPLED_OWNER,                     \
		.read_sent = (function), .is_cgroup = (cgroup)                                     \
	}

/* The cgroup, by which the identity is found: live, or in a recording. */
#define IDENTIFIED (SAMPLED_OWNER | PEAT_SAMPLE_CGROUP)

#define IDENTITY(called, function)                                                                 \
	{                                                                                          \
		.field = FIELD_CALLED(called, STRING), .has = IDENTIFIED, .read_text = (function), \
		.is_identity = true                                                                \
	}

#define OWN_ID(called, function)                                                                   \
	{                                                                                          \
		.field = FIELD_CALLED(called, UNSIGNED), .has = SAMPLED_OWNER,                     \
		.read_sent = (function), .is_identity = true                                       \
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
	OWNERS("uid", read_uid_sent, false),
	OWNERS("cgroup", read_cgroup_sent, true),
	IDENTITY("container", read_container),
	IDENTITY("pod", read_pod),
	IDENTITY("unit", read_unit),
	IDENTITY("container_name", read_container_name),
	IDENTITY("pod_name", read_pod_name),
	OWN_ID("nspid", read_nspid),
	OWN_ID("nstid", read_nstid),
};

#define NUMBERS (sizeof(numbers) / sizeof(*numbers))

static bool has_number(const struct peat_schema *schema, size_t i)
{
	return schema && schema->sampled & numbers[i].has;
}

static const char *without_prefix(const char *name)
{
	return begins_with(name, PREFIX) ? name + strlen(PREFIX) : name;
}

bool sampled__is_of_owner(const char *name)
{
	name = without_prefix(name);
	for (size_t i = 0; i < NUMBERS; i++)
		if (numbers[i].has & SAMPLED_OWNER && !strcmp(numbers[i].field.name, name))
			return true;
	return false;
}

bool sampled__is_of_identity(const char *name)
{
	name = without_prefix(name);
	for (size_t i = 0; i < NUMBERS; i++)
		if (numbers[i].is_identity && !strcmp(numbers[i].field.name, name))
			return true;
	return false;
}

bool peat_schema__has_owner(const struct peat_schema *schema)
{
	return schema->sampled & SAMPLED_OWNER;
}

bool peat_schema__has_identity(const struct peat_schema *schema)
{
	return schema->sampled & IDENTIFIED;
}

const struct sampled_number *sampled__find(const struct peat_schema *schema, const char *name)
{
	name = without_prefix(name);
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

int sampled__parse(const struct sampled_number *number, const char *text, uint64_t *value)
{
	struct stat found;
	int fd, err;

	if (!number || !number->is_cgroup || !strchr(text, '/'))
		return 0;
	fd = cgroup__open(text, O_PATH);
	if (fd < 0)
		return fd;
	err = fstat(fd, &found) ? -errno : 0;
	close(fd);
	*value = found.st_ino;
	return err ? err : 1;
}

bool sampled__read(const struct sampled_number *number, const struct peat_event *event,
		   uint64_t *value)
{
	const struct peat_record *record = event->record;

	if (number->read_text)
		return false;
	if (number->read_sent) {
		*value = number->read_sent(event);
		return event->has_owner;
	}
	if (!record || record->type != PEAT_RECORD_SAMPLE)
		return false;
	*value = number->read(record);
	return record->has & number->has;
}

const char *sampled__text(const struct sampled_number *number, const struct peat_event *event)
{
	return number->read_text ? number->read_text(event) : NULL;
}
