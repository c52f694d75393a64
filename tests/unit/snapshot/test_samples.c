// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_samples.c: the samples of a copied ring: sorted, cut, damaged, of several maps. */
#include <string.h>

#include "snapshot/samples.h"
#include "support/machine/fake_ring.h"
#include "unit/suite.h"

static const struct peat_layout layout = { .sample_type = PEAT_SAMPLE_TIME };
static struct fake_ring fake;
static struct ring ring;
static struct backward_copy copy;
static struct samples samples;

struct sample {
	struct perf_event_header header;
	uint64_t time_ns;
};

static void write_record(uint32_t type, uint64_t time_ns)
{
	struct sample sample = { { .type = type, .size = sizeof(sample) }, time_ns };

	fake.page->data_head -= sizeof(sample);
	fake_ring__write(&fake, &sample, sizeof(sample));
	fake.page->data_head -= sizeof(sample);
}

static void begin(void)
{
	fake_ring__init(&fake, 4096, 0);
	ring__init(&ring, fake.page, fake.data, 4096);
}

static void find(uint64_t from_ns)
{
	ck_assert_int_eq(backward__copy(&ring, UINT64_MAX, &copy), 0);
	ck_assert_int_eq(samples__find(&samples, &copy, &layout, from_ns), 0);
}

static void end(void)
{
	samples__free(&samples);
	backward__free(&copy);
	fake_ring__free(&fake);
}

START_TEST(test_sorted_by_time)
{
	static const uint64_t times[] = { 100, 130, 110, 120, 140, 140, 90 };
	uint64_t last_ns = 0;

	begin();
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		write_record(PEAT_RECORD_SAMPLE, times[i]);
	find(0);
	ck_assert_uint_eq(samples.count, 7);
	for (uint32_t i = 0; i < samples.count; i++) {
		struct sample sample;

		memcpy(&sample, copy.bytes + samples.samples[i].offset, sizeof(sample));
		ck_assert_uint_eq(sample.time_ns, samples.samples[i].time_ns);
		ck_assert_uint_ge(sample.time_ns, last_ns);
		ck_assert_uint_eq(samples.samples[i].output, 0);
		last_ns = sample.time_ns;
	}
	end();
}
END_TEST

START_TEST(test_other_records_and_older_samples)
{
	begin();
	write_record(PEAT_RECORD_SAMPLE, 100);
	write_record(PEAT_RECORD_LOST, 200);
	write_record(PEAT_RECORD_SAMPLE, 300);
	find(150);
	ck_assert_uint_eq(samples.count, 1);
	ck_assert_uint_eq(samples.samples[0].time_ns, 300);
	ck_assert_uint_eq(samples.corrupt, 0);
	end();
}
END_TEST

START_TEST(test_samples_too_short)
{
	struct perf_event_header header = { .type = PEAT_RECORD_SAMPLE, .size = sizeof(header) };

	begin();
	write_record(PEAT_RECORD_SAMPLE, 100);
	fake.page->data_head -= sizeof(header);
	fake_ring__write(&fake, &header, sizeof(header));
	fake.page->data_head -= sizeof(header);
	find(0);
	ck_assert_uint_eq(samples.count, 1);
	ck_assert_uint_eq(samples.corrupt, 1);
	end();
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_sorted_by_time);
	tcase_add_test(tests, test_other_records_and_older_samples);
	tcase_add_test(tests, test_samples_too_short);
}
