/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * test_decode.c: headers, trailers and every record but SAMPLE, which has test_sample.c.
 */
#include <errno.h>

#include "support/machine/harness.h"
#include "unit/suite.h"
#include "record_kinds.h"

static void put_trailer(struct bytes *b, uint64_t sample_type)
{
	if (sample_type & PEAT_SAMPLE_TID) {
		put_u32(b, 1001);
		put_u32(b, 1002);
	}
	if (sample_type & PEAT_SAMPLE_TIME)
		put_u64(b, 0xa1a2a3a4a5a6a7a8);
	if (sample_type & PEAT_SAMPLE_ID)
		put_u64(b, 0xb1b2b3b4b5b6b7b8);
	if (sample_type & PEAT_SAMPLE_STREAM_ID)
		put_u64(b, 0xc1c2c3c4c5c6c7c8);
	if (sample_type & PEAT_SAMPLE_CPU) {
		put_u32(b, 63);
		put_u32(b, 0xffffffff);
	}
	if (sample_type & PEAT_SAMPLE_IDENTIFIER)
		put_u64(b, 0xb1b2b3b4b5b6b7b8);
}

static void check_ids(const struct peat_record *rec, uint64_t ids)
{
	bool tid = ids & PEAT_SAMPLE_TID;
	bool id = ids & (PEAT_SAMPLE_ID | PEAT_SAMPLE_IDENTIFIER);

	ck_assert_uint_eq(rec->has, ids);
	ck_assert_uint_eq(rec->pid, tid ? 1001 : 0);
	ck_assert_uint_eq(rec->tid, tid ? 1002 : 0);
	ck_assert_uint_eq(rec->time_ns, ids & PEAT_SAMPLE_TIME ? 0xa1a2a3a4a5a6a7a8 : 0);
	ck_assert_uint_eq(rec->id, id ? 0xb1b2b3b4b5b6b7b8 : 0);
	ck_assert_uint_eq(rec->stream_id, ids & PEAT_SAMPLE_STREAM_ID ? 0xc1c2c3c4c5c6c7c8 : 0);
	ck_assert_uint_eq(rec->cpu, ids & PEAT_SAMPLE_CPU ? 63 : 0);
}

static struct peat_layout id_layout(uint64_t sample_type, bool swapped)
{
	struct peat_layout layout = { 0 };

	layout.sample_type = sample_type;
	layout.sample_id_all = true;
	layout.swapped = swapped;
	return layout;
}

static void build_kind(struct bytes *b, const struct kind *k, uint64_t ids, bool swapped)
{
	put_header(b, k->type, k->misc, swapped);
	k->build(b);
	put_trailer(b, ids);
	end_record(b);
}

/* Decodes what lies at the very end of its allocation, so that ASan sees each byte too many. */
static int decode_at(const struct peat_layout *layout, const struct placed *p,
		     struct peat_record *rec)
{
	memset(rec, 0xee, sizeof(*rec));
	rec->sz = sizeof(*rec);
	return peat_record__decode(layout, p->at, p->len, rec);
}

static int decode(const struct peat_layout *layout, const struct bytes *b, struct peat_record *rec)
{
	struct placed p = place(b, b->len, 0);
	int ret = decode_at(layout, &p, rec);

	if (ret == 1)
		ck_assert(walk_record(&p, rec));
	free(p.mem);
	return ret;
}

static void check_kind(const struct kind *k, uint64_t sample_type, bool swapped, size_t offset)
{
	struct peat_layout layout = id_layout(sample_type, swapped);
	uint64_t ids = sample_type & PEAT_SAMPLE_IDS;
	struct peat_record rec = { .sz = sizeof(rec) };
	struct placed p;
	struct bytes b;

	build_kind(&b, k, ids, swapped);
	p = place(&b, b.len, offset);
	ck_assert_int_eq(decode_at(&layout, &p, &rec), 1);
	ck_assert_uint_eq(rec.type, k->type);
	ck_assert_uint_eq(rec.misc, k->misc);
	ck_assert_uint_eq(rec.size, b.len);
	ck_assert(walk_record(&p, &rec));
	k->check(&rec);
	check_ids(&rec, ids);
	free(p.mem);
}

START_TEST(test_every_type)
{
	for (size_t offset = 0; offset < 8; offset++) {
		check_kind(&kinds[_i], 0, offset & 1, offset);
		check_kind(&kinds[_i], PEAT_SAMPLE_IDS, false, offset);
		check_kind(&kinds[_i], PEAT_SAMPLE_IDS, true, offset);
	}
	for (int bit = 0; bit < 25; bit++) {
		check_kind(&kinds[_i], 1ULL << bit, false, 0);
		check_kind(&kinds[_i], PEAT_SAMPLE_ALL & ~(1ULL << bit), true, 3);
	}
}
END_TEST

START_TEST(test_no_trailer_without_sample_id_all)
{
	struct peat_layout layout = id_layout(PEAT_SAMPLE_ALL, false);
	struct peat_record rec = { .sz = sizeof(rec) };
	struct bytes b;

	layout.sample_id_all = false;
	build_kind(&b, &kinds[_i], 0, false);
	ck_assert_int_eq(decode(&layout, &b, &rec), 1);
	check_ids(&rec, 0);
}
END_TEST

/* Cut short behind its header's back: a lie at any length. */
START_TEST(test_bytes_end_early)
{
	struct peat_layout layout = id_layout(PEAT_SAMPLE_IDS, false);
	struct peat_record rec = { .sz = sizeof(rec) };
	struct bytes b;

	build_kind(&b, &kinds[_i], PEAT_SAMPLE_IDS, false);
	for (size_t len = 0; len < b.len; len++) {
		struct placed p = place(&b, len, 1);

		ck_assert_int_eq(decode_at(&layout, &p, &rec), -EBADMSG);
		free(p.mem);
	}
}
END_TEST

/* Cut short with a header that says so: refused as soon as the body does not fit. */
START_TEST(test_record_ends_early)
{
	for (int variant = 0; variant < 4; variant++) {
		uint64_t ids = variant & 1 ? PEAT_SAMPLE_IDS : 0;
		struct peat_layout layout = id_layout(ids, variant & 2);
		struct peat_record rec = { .sz = sizeof(rec) };
		struct bytes b;

		build_kind(&b, &kinds[_i], ids, variant & 2);
		for (size_t len = 8; len < b.len; len++) {
			struct placed p;
			int ret;

			set_size(&b, len);
			p = place(&b, len, len % 8);
			ret = decode_at(&layout, &p, &rec);
			ck_assert(ret == 1 || ret == -EBADMSG);
			if (len < 8 + kinds[_i].min_bytes)
				ck_assert_int_eq(ret, -EBADMSG);
			if (ret == 1)
				ck_assert(walk_record(&p, &rec));
			free(p.mem);
		}
	}
}
END_TEST

START_TEST(test_header_lies)
{
	struct peat_layout layout = { 0 };
	struct peat_record rec = { .sz = sizeof(rec) };
	struct bytes b;

	build_kind(&b, &kinds[0], 0, false);
	for (size_t size = 0; size < 8; size++) {
		set_size(&b, size);
		ck_assert_int_eq(decode(&layout, &b, &rec), -EBADMSG);
		ck_assert_uint_eq(rec.type, PEAT_RECORD_MMAP);
		ck_assert_uint_eq(rec.size, size);
	}
	set_size(&b, b.len + 1);
	errno = 0;
	ck_assert_int_eq(decode(&layout, &b, &rec), -EBADMSG);
	ck_assert_int_eq(errno, EBADMSG);
	set_size(&b, 0xffff);
	ck_assert_int_eq(decode(&layout, &b, &rec), -EBADMSG);
}
END_TEST

START_TEST(test_next_record_is_left_alone)
{
	struct peat_layout layout = id_layout(PEAT_SAMPLE_IDS, false);
	const struct kind *k = &kinds[_i];
	struct peat_record rec = { .sz = sizeof(rec) };
	struct placed p;
	struct bytes b;

	build_kind(&b, k, PEAT_SAMPLE_IDS, false);
	put_words(&b, UINT64_MAX, 8);
	p = place(&b, b.len, 0);
	ck_assert_int_eq(decode_at(&layout, &p, &rec), 1);
	ck_assert_uint_eq(rec.size, b.len - 64);
	k->check(&rec);
	check_ids(&rec, PEAT_SAMPLE_IDS);
	free(p.mem);
}
END_TEST

START_TEST(test_unknown_types)
{
	static const uint32_t types[] = { 0, 23, 24, 64, 81, 0x09000000, UINT32_MAX };
	struct peat_layout layout = id_layout(PEAT_SAMPLE_IDS, _i);
	struct peat_record rec = { .sz = sizeof(rec) };
	struct bytes b;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		put_header(&b, types[i], 0x1234, _i);
		put_words(&b, 0, 6);
		end_record(&b);
		ck_assert_int_eq(decode(&layout, &b, &rec), 0);
		ck_assert_uint_eq(rec.type, types[i]);
		ck_assert_uint_eq(rec.misc, 0x1234);
		ck_assert_uint_eq(rec.size, 56);
		check_ids(&rec, 0);
		ck_assert_ptr_null(peat_record__name(types[i]));
	}
}
END_TEST

START_TEST(test_names_find_their_types)
{
	for (int i = 0; i < NR_KINDS; i++) {
		ck_assert_str_eq(peat_record__name(kinds[i].type), kinds[i].name);
		ck_assert_uint_eq(peat_record__find(kinds[i].name), kinds[i].type);
	}
	ck_assert_str_eq(peat_record__name(PEAT_RECORD_SAMPLE), "SAMPLE");
	ck_assert_uint_eq(peat_record__find("SAMPLE"), PEAT_RECORD_SAMPLE);
	ck_assert_uint_eq(peat_record__find("sample"), 0);
	ck_assert_uint_eq(peat_record__find(""), 0);
	for (uint32_t type = 1; type <= 22; type++)
		ck_assert_ptr_nonnull(peat_record__name(type));
}
END_TEST

/*
 * A record without room for the trailer has none, whatever the layout says. Room is what the
 * smallest body of the type leaves, so seven namespaces are taken for fewer and a trailer.
 */
START_TEST(test_trailer_absent)
{
	struct peat_layout layout = id_layout(PEAT_SAMPLE_IDS, false);
	bool lies = kinds[_i].type == PEAT_RECORD_NAMESPACES;
	struct peat_record rec = { .sz = sizeof(rec) };
	struct placed p;
	struct bytes b;

	build_kind(&b, &kinds[_i], 0, false);
	p = place(&b, b.len, 0);
	ck_assert_int_eq(decode_at(&layout, &p, &rec), lies ? -EBADMSG : 1);
	if (!lies) {
		kinds[_i].check(&rec);
		check_ids(&rec, 0);
	}
	free(p.mem);
}
END_TEST

/* Sizes as seen in a ring that a bpf-output event shares with a dummy for side-band. */
START_TEST(test_trailer_of_lost_by_size)
{
	const uint64_t dummy_ids = PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_CPU |
				   PEAT_SAMPLE_ID | PEAT_SAMPLE_IDENTIFIER;
	struct peat_layout dummy = id_layout(dummy_ids, false);
	struct peat_layout output = id_layout(PEAT_SAMPLE_RAW, false);
	struct peat_layout other = id_layout(PEAT_SAMPLE_TIME | PEAT_SAMPLE_RAW, false);
	struct peat_record rec = { .sz = sizeof(rec) };
	struct bytes b;

	build_kind(&b, &kinds[2], dummy_ids, false);
	ck_assert_uint_eq(b.len, 64);
	ck_assert_int_eq(decode(&dummy, &b, &rec), 1);
	check_ids(&rec, dummy_ids);
	ck_assert_int_eq(decode(&output, &b, &rec), 1);
	check_ids(&rec, 0);
	ck_assert_int_eq(decode(&other, &b, &rec), 1);
	check_ids(&rec, 0);
	check_lost(&rec);

	build_kind(&b, &kinds[2], 0, false);
	ck_assert_uint_eq(b.len, 24);
	ck_assert_int_eq(decode(&dummy, &b, &rec), 1);
	check_ids(&rec, 0);
	check_lost(&rec);
}
END_TEST

/* A kernel to come may append to a body; the trailer stays last. */
START_TEST(test_body_grows)
{
	struct peat_layout layout = id_layout(PEAT_SAMPLE_IDS, false);
	struct peat_record rec = { .sz = sizeof(rec) };
	struct bytes b;

	put_header(&b, PEAT_RECORD_AUX, 0, false);
	build_aux(&b);
	put_u64(&b, UINT64_MAX);
	put_trailer(&b, PEAT_SAMPLE_IDS);
	end_record(&b);
	ck_assert_int_eq(decode(&layout, &b, &rec), 1);
	check_aux(&rec);
	check_ids(&rec, PEAT_SAMPLE_IDS);
}
END_TEST

/* If several events get a record of these types, other bytes follow the trailer. */
START_TEST(test_excess_bytes_follow_trailer)
{
	static const uint32_t types[] = { PEAT_RECORD_KSYMBOL, PEAT_RECORD_BPF_EVENT,
					  PEAT_RECORD_TEXT_POKE };
	struct peat_layout layout = id_layout(PEAT_SAMPLE_IDS, false);
	struct peat_record rec = { .sz = sizeof(rec) };
	struct bytes b;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		const struct kind *k = kinds;

		while (k->type != types[i])
			k++;
		put_header(&b, k->type, k->misc, false);
		k->build(&b);
		put_trailer(&b, PEAT_SAMPLE_IDS);
		for (uint64_t word = 1; word <= 12; word++) {
			struct placed p;

			put_u64(&b, word);
			end_record(&b);
			p = place(&b, b.len, 0);
			ck_assert_int_eq(decode_at(&layout, &p, &rec), 1);
			ck_assert_uint_eq(rec.size, b.len);
			k->check(&rec);
			check_ids(&rec, PEAT_SAMPLE_IDS);
			free(p.mem);
		}
	}
}
END_TEST

/* The NULs of the trailer behind it do not end a string. */
START_TEST(test_string_without_end)
{
	static const struct {
		uint32_t type;
		unsigned int words; /* before the string */
	} strings[] = { { 1, 4 }, { 3, 1 }, { 10, 8 }, { 17, 2 }, { 19, 1 } };
	struct peat_layout layout = id_layout(PEAT_SAMPLE_IDS, false);
	struct peat_record rec = { .sz = sizeof(rec) };
	struct bytes b;

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		put_header(&b, strings[i].type, 0, false);
		put_words(&b, 0, strings[i].words);
		put_data(&b, "0123456789abcdef", 16);
		put_trailer(&b, PEAT_SAMPLE_IDS);
		end_record(&b);
		ck_assert_int_eq(decode(&layout, &b, &rec), -EBADMSG);
		b.at[8 + strings[i].words * 8 + 15] = '\0';
		ck_assert_int_eq(decode(&layout, &b, &rec), 1);
		check_ids(&rec, PEAT_SAMPLE_IDS);
	}
}
END_TEST

/* The kernel sets the bit in records without an id, too, beside an event that requests ids. */
START_TEST(test_build_id_sizes)
{
	struct peat_layout layout = { 0 };
	struct peat_record rec = { .sz = sizeof(rec) };
	struct bytes b;

	for (unsigned int bytes = 0; bytes <= 255; bytes++) {
		put_header(&b, PEAT_RECORD_MMAP2, PEAT_MISC_MMAP_BUILD_ID, false);
		put_build_id_mmap(&b, (uint8_t)bytes);
		end_record(&b);
		ck_assert_int_eq(decode(&layout, &b, &rec), 1);
		ck_assert_uint_eq(rec.mmap.build_id_bytes, bytes <= 20 ? bytes : 0);
		ck_assert(!(rec.misc & PEAT_MISC_MMAP_BUILD_ID) == (!bytes || bytes > 20));
		if (bytes > 20)
			ck_assert_uint_eq(rec.mmap.maj & 0xff, bytes);
	}
}
END_TEST

static const uint64_t lies[] = {
	8,	    0xff,	0xffff,		  0xffffffff, 0x100000000,
	1ULL << 59, 1ULL << 60, (1ULL << 60) + 1, 1ULL << 61, (1ULL << 61) + 1,
	1ULL << 62, 1ULL << 63, UINT64_MAX - 1,	  UINT64_MAX,
};

#define NR_LIES ((int)(sizeof(lies) / sizeof(lies[0])))

/* The count comes after one word in all three; seven pairs, or fourteen words, are there. */
START_TEST(test_hostile_counts)
{
	struct peat_layout layout = { 0 };
	struct peat_record rec = { .sz = sizeof(rec) };
	struct bytes b;

	layout.read_format = PEAT_READ_GROUP | PEAT_READ_ID;
	layout.swapped = _i & 1;
	for (int type = 0; type < 3; type++) {
		static const uint32_t types[] = { PEAT_RECORD_NAMESPACES, PEAT_RECORD_READ,
						  PEAT_RECORD_CALLCHAIN_DEFERRED };
		bool fits = lies[_i] == 8 && types[type] == PEAT_RECORD_CALLCHAIN_DEFERRED;

		put_header(&b, types[type], 0, _i & 1);
		put_u64(&b, 0);
		put_u64(&b, lies[_i]);
		put_words(&b, 0, 14);
		end_record(&b);
		ck_assert_int_eq(decode(&layout, &b, &rec), fits ? 1 : -EBADMSG);
	}
}
END_TEST

static void put_poke(struct bytes *b, uint16_t old_bytes, uint16_t new_bytes)
{
	put_header(b, PEAT_RECORD_TEXT_POKE, 0, false);
	put_u64(b, 0);
	put_u16(b, old_bytes);
	put_u16(b, new_bytes);
	put_data(b, "abcd", 4);
	end_record(b);
}

START_TEST(test_text_poke_sizes)
{
	struct peat_layout layout = { 0 };
	struct peat_record rec = { .sz = sizeof(rec) };
	struct bytes b;

	for (uint16_t bytes = 0; bytes <= 6; bytes++) {
		put_poke(&b, bytes, (uint16_t)(4 - (bytes < 4 ? bytes : 4)));
		ck_assert_int_eq(decode(&layout, &b, &rec), bytes <= 4 ? 1 : -EBADMSG);
	}
	put_poke(&b, 2, 3);
	ck_assert_int_eq(decode(&layout, &b, &rec), -EBADMSG);
	put_poke(&b, 0xffff, 0xffff);
	errno = 0;
	ck_assert_int_eq(decode(&layout, &b, &rec), -EBADMSG);
	ck_assert_int_eq(errno, EBADMSG);
}
END_TEST

START_TEST(test_wrong_size_is_refused)
{
	static const uint8_t bytes[64];
	struct peat_record rec = { .sz = sizeof(rec) - 1, .type = 5 };
	struct peat_layout layout = { 0 };

	errno = 0;
	ck_assert_int_eq(peat_record__decode(&layout, bytes, sizeof(bytes), &rec), -EINVAL);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_uint_eq(rec.type, 5);
}
END_TEST

SUITE(4)
{
	tcase_add_test(tests, test_wrong_size_is_refused);
	tcase_add_loop_test(tests, test_every_type, 0, NR_KINDS);
	tcase_add_loop_test(tests, test_no_trailer_without_sample_id_all, 0, NR_KINDS);
	tcase_add_loop_test(tests, test_bytes_end_early, 0, NR_KINDS);
	tcase_add_loop_test(tests, test_record_ends_early, 0, NR_KINDS);
	tcase_add_loop_test(tests, test_next_record_is_left_alone, 0, NR_KINDS);
	tcase_add_loop_test(tests, test_trailer_absent, 0, NR_KINDS);
	tcase_add_loop_test(tests, test_unknown_types, 0, 2);
	tcase_add_loop_test(tests, test_hostile_counts, 0, NR_LIES);
	tcase_add_test(tests, test_header_lies);
	tcase_add_test(tests, test_names_find_their_types);
	tcase_add_test(tests, test_trailer_of_lost_by_size);
	tcase_add_test(tests, test_body_grows);
	tcase_add_test(tests, test_excess_bytes_follow_trailer);
	tcase_add_test(tests, test_string_without_end);
	tcase_add_test(tests, test_build_id_sizes);
	tcase_add_test(tests, test_text_poke_sizes);
}
