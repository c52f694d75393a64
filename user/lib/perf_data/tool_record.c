// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tool_record.c: the records of perf itself, bytes in, values out. */
#include <errno.h>

#include "base/cursor.h"
#include "perf_data/tool_record.h"

#define ID_ENTRY_BYTES	     32
#define GUEST_ENTRY_BYTES    16
#define THREAD_BYTES	     24
#define COMM_BYTES	     16
#define EVENT_NAME_BYTES     64
#define MESSAGE_BYTES	     64
#define BUILD_ID_BYTES	     20
#define BUILD_ID_ROOM	     24 /* with its size, and padding */
#define MISC_BUILD_ID_SIZE   (1 << 15)
#define METADATA_KEY_BYTES   64
#define METADATA_VALUE_BYTES 256
#define METADATA_BYTES	     (METADATA_KEY_BYTES + METADATA_VALUE_BYTES)
#define IDS_BYTES_MAX	     48 /* of the ids at the end of a record */
#define ANY_CPU		     UINT16_MAX

/* Of the newest perf, and of the one before. */
#define PROGRAM_NAME_BYTES     512
#define PROGRAM_NAME_BYTES_OLD 256

struct decoder {
	struct cursor cur;
	struct tool_record *rec;
	const char *why;
};

static const char *const names[] = {
	"ATTR",		  "EVENT_TYPE",	   "TRACING_DATA",     "BUILD_ID",
	"FINISHED_ROUND", "ID_INDEX",	   "AUXTRACE_INFO",    "AUXTRACE",
	"AUXTRACE_ERROR", "THREAD_MAP",	   "CPU_MAP",	       "STAT_CONFIG",
	"STAT",		  "STAT_ROUND",	   "EVENT_UPDATE",     "TIME_CONV",
	"FEATURE",	  "COMPRESSED",	   "FINISHED_INIT",    "COMPRESSED2",
	"BPF_METADATA",	  "SCHEDSTAT_CPU", "SCHEDSTAT_DOMAIN",
};

#define NAMES_COUNT (sizeof(names) / sizeof(*names))

const char *tool_record__name(uint32_t type)
{
	if (type < TOOL_HEADER_ATTR || type - TOOL_HEADER_ATTR >= NAMES_COUNT)
		return NULL;
	return names[type - TOOL_HEADER_ATTR];
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static void fail(struct decoder *dec, const char *why)
{
	if (!dec->why)
		dec->why = why;
	cursor__fail(&dec->cur);
}

/* All that each record of this type has was there. */
static bool fixed(struct decoder *dec)
{
	dec->rec->fixed = !dec->cur.bad;
	if (dec->cur.bad)
		fail(dec, "the record is too short for its type");
	return dec->rec->fixed;
}

static struct tool_text text_of(const void *at, size_t room)
{
	struct tool_text text = { at, at ? strnlen(at, room) : 0 };

	return text;
}

/* Text of `room` bytes, or as many as there are. */
static struct tool_text take_text(struct decoder *dec, size_t room)
{
	size_t left = cursor__left(&dec->cur);

	if (room > left)
		room = left;
	return text_of(cursor__take(&dec->cur, room), room);
}

/* As many of `count` elements as there are, of `bytes` bytes each. */
static const uint8_t *take_array(struct decoder *dec, uint64_t *count, size_t bytes)
{
	uint64_t most = cursor__left(&dec->cur) / bytes;
	const uint8_t *array = dec->cur.at;

	if (*count > most) {
		*count = most;
		fail(dec, "there are fewer entries than it says");
		return array;
	}
	dec->cur.at += *count * bytes;
	return array;
}

uint64_t tool_record__word(const struct tool_record *rec, const uint8_t *words, uint64_t index)
{
	return load_u64(words + index * sizeof(uint64_t), rec->swapped);
}

/* ---- CPUs ------------------------------------------------------------------------------------ */

static void decode_mask(struct decoder *dec, struct tool_cpus *cpus)
{
	uint64_t words = cursor__u16(&dec->cur);
	uint16_t word_bytes = cursor__u16(&dec->cur);

	if (dec->cur.bad)
		return;
	if (word_bytes != 4 && word_bytes != 8) {
		fail(dec, "a mask of CPUs has words of neither 4 nor 8 bytes");
		return;
	}
	if (word_bytes == 8)
		cursor__take(&dec->cur, 4); /* was aligned, in a struct that is not */
	cpus->word_bytes = (uint8_t)word_bytes;
	cpus->data = take_array(dec, &words, word_bytes);
	cpus->places = (uint32_t)(words * word_bytes * 8);
}

static void decode_range(struct decoder *dec, struct tool_cpus *cpus)
{
	const uint8_t *any = cursor__take(&dec->cur, 2);
	uint16_t first = cursor__u16(&dec->cur), last = cursor__u16(&dec->cur);

	if (dec->cur.bad)
		return;
	if (first > last) {
		fail(dec, "a range of CPUs ends before it begins");
		return;
	}
	cpus->any = *any;
	cpus->first = first;
	cpus->past_last = last + 1u;
}

static void decode_cpus(struct decoder *dec, struct tool_cpus *cpus)
{
	uint16_t encoding = cursor__u16(&dec->cur);
	uint64_t count;

	cpus->encoding = TOOL_CPUS_LIST;
	cpus->swapped = dec->cur.swapped;
	switch (encoding) {
	case TOOL_CPUS_LIST:
		count = cursor__u16(&dec->cur);
		if (dec->cur.bad)
			return;
		cpus->data = take_array(dec, &count, sizeof(uint16_t));
		cpus->places = (uint32_t)count;
		break;
	case TOOL_CPUS_MASK:
		cpus->encoding = TOOL_CPUS_MASK;
		decode_mask(dec, cpus);
		break;
	case TOOL_CPUS_RANGE:
		cpus->encoding = TOOL_CPUS_RANGE;
		decode_range(dec, cpus);
		break;
	default:
		fail(dec, "a set of CPUs in an encoding that is not known");
	}
}

static bool next_of_mask(const struct tool_cpus *cpus, uint32_t *place, int32_t *cpu)
{
	uint32_t bits = cpus->word_bytes * 8u;

	for (; *place < cpus->places; ++*place) {
		const uint8_t *at = cpus->data + *place / bits * cpus->word_bytes;
		uint64_t word =
			bits == 32 ? load_u32(at, cpus->swapped) : load_u64(at, cpus->swapped);

		if (!(word >> *place % bits & 1))
			continue;
		*cpu = (int32_t)(*place)++;
		return true;
	}
	return false;
}

static bool next_of_range(const struct tool_cpus *cpus, uint32_t *place, int32_t *cpu)
{
	uint32_t any = cpus->any ? 1 : 0, at = *place;

	if (at < any)
		*cpu = -1;
	else if (at - any < cpus->past_last - cpus->first)
		*cpu = (int32_t)(cpus->first + at - any);
	else
		return false;
	++*place;
	return true;
}

bool tool_cpus__next(const struct tool_cpus *cpus, uint32_t *place, int32_t *cpu)
{
	uint16_t number;

	if (cpus->encoding == TOOL_CPUS_MASK)
		return next_of_mask(cpus, place, cpu);
	if (cpus->encoding == TOOL_CPUS_RANGE)
		return next_of_range(cpus, place, cpu);
	if (*place >= cpus->places)
		return false;
	number = load_u16(cpus->data + (*place)++ * sizeof(number), cpus->swapped);
	*cpu = number == ANY_CPU ? -1 : number;
	return true;
}

/* ---- one function a type --------------------------------------------------------------------- */

static void decode_event_type(struct decoder *dec)
{
	struct tool_event_type *type = &dec->rec->event_type;

	type->id = cursor__u64(&dec->cur);
	if (fixed(dec))
		type->name = take_text(dec, EVENT_NAME_BYTES);
}

static void decode_tracing_data(struct decoder *dec)
{
	dec->rec->tracing_data.bytes = cursor__u32(&dec->cur);
	fixed(dec);
}

int tool_build_id__read(const uint8_t *body, size_t bytes, uint16_t misc, bool swapped, bool old,
			struct tool_build_id *build_id)
{
	size_t at = old ? 0 : sizeof(uint32_t);

	if (bytes < at + BUILD_ID_ROOM)
		return -EBADMSG;
	build_id->pid = old ? -1 : (int32_t)load_u32(body, swapped);
	build_id->id = body + at;
	build_id->id_bytes = BUILD_ID_BYTES;
	if (misc & MISC_BUILD_ID_SIZE)
		build_id->id_bytes = body[at + BUILD_ID_BYTES];
	if (build_id->id_bytes > BUILD_ID_BYTES)
		return -EBADMSG;
	at += BUILD_ID_ROOM;
	build_id->filename = text_of(body + at, bytes - at);
	return 0;
}

static void decode_build_id(struct decoder *dec)
{
	struct tool_record *rec = dec->rec;

	if (tool_build_id__read(rec->body, rec->bytes, rec->misc, rec->swapped, false,
				&rec->build_id))
		cursor__fail(&dec->cur);
	fixed(dec);
}

static void decode_id_index(struct decoder *dec)
{
	struct tool_id_index *index = &dec->rec->id_index;
	uint64_t guests;

	index->count = cursor__u64(&dec->cur);
	if (!fixed(dec))
		return;
	index->entries = take_array(dec, &index->count, ID_ENTRY_BYTES);
	guests = cursor__left(&dec->cur) / GUEST_ENTRY_BYTES;
	index->guests = index->count && !dec->cur.bad && guests >= index->count;
	index->guest_entries = dec->cur.at;
}

struct tool_id_entry tool_id_index__at(const struct tool_record *rec, uint64_t index)
{
	const uint8_t *at = rec->id_index.entries + index * ID_ENTRY_BYTES;
	struct tool_id_entry entry = { 0 };

	entry.id = tool_record__word(rec, at, 0);
	entry.index = tool_record__word(rec, at, 1);
	entry.cpu = (int64_t)tool_record__word(rec, at, 2);
	entry.tid = (int64_t)tool_record__word(rec, at, 3);
	entry.guest = rec->id_index.guests;
	if (!entry.guest)
		return entry;
	at = rec->id_index.guest_entries + index * GUEST_ENTRY_BYTES;
	entry.machine_pid = (int64_t)tool_record__word(rec, at, 0);
	entry.vcpu = (int64_t)tool_record__word(rec, at, 1);
	return entry;
}

static void decode_auxtrace_info(struct decoder *dec)
{
	struct tool_auxtrace_info *info = &dec->rec->auxtrace_info;

	info->kind = cursor__u32(&dec->cur);
	cursor__take(&dec->cur, 4);
	if (!fixed(dec))
		return;
	info->words = cursor__left(&dec->cur) / sizeof(uint64_t);
	info->priv = dec->cur.at;
}

static void decode_auxtrace(struct decoder *dec)
{
	struct tool_auxtrace *aux = &dec->rec->auxtrace;

	aux->bytes = cursor__u64(&dec->cur);
	aux->offset = cursor__u64(&dec->cur);
	aux->reference = cursor__u64(&dec->cur);
	aux->index = cursor__u32(&dec->cur);
	aux->tid = (int32_t)cursor__u32(&dec->cur);
	aux->cpu = (int32_t)cursor__u32(&dec->cur);
	fixed(dec);
}

/* The message may be shorter than its room, and then nothing follows it. */
static void decode_auxtrace_error(struct decoder *dec)
{
	struct tool_auxtrace_error *error = &dec->rec->auxtrace_error;

	error->kind = cursor__u32(&dec->cur);
	error->code = cursor__u32(&dec->cur);
	error->cpu = (int32_t)cursor__u32(&dec->cur);
	error->pid = (int32_t)cursor__u32(&dec->cur);
	error->tid = (int32_t)cursor__u32(&dec->cur);
	error->format = cursor__u32(&dec->cur);
	error->ip = cursor__u64(&dec->cur);
	if (error->format)
		error->time_ns = cursor__u64(&dec->cur);
	if (!fixed(dec))
		return;
	error->message = take_text(dec, MESSAGE_BYTES);
	if (error->format < 2 || cursor__left(&dec->cur) < 8)
		return;
	error->machine_pid = cursor__u32(&dec->cur);
	error->vcpu = cursor__u32(&dec->cur);
}

static void decode_thread_map(struct decoder *dec)
{
	struct tool_thread_map *map = &dec->rec->thread_map;

	map->count = cursor__u64(&dec->cur);
	if (fixed(dec))
		map->entries = take_array(dec, &map->count, THREAD_BYTES);
}

struct tool_thread tool_thread_map__at(const struct tool_record *rec, uint64_t index)
{
	const uint8_t *at = rec->thread_map.entries + index * THREAD_BYTES;
	struct tool_thread thread = { (int64_t)load_u64(at, rec->swapped),
				      text_of(at + sizeof(uint64_t), COMM_BYTES) };

	return thread;
}

static void decode_cpu_map(struct decoder *dec)
{
	decode_cpus(dec, &dec->rec->cpu_map);
	dec->rec->fixed = dec->rec->cpu_map.data || !dec->cur.bad;
	if (dec->cur.bad)
		fail(dec, "the record is too short for its type");
}

static void decode_stat_config(struct decoder *dec)
{
	struct tool_stat_config *config = &dec->rec->stat_config;

	config->count = cursor__u64(&dec->cur);
	if (fixed(dec))
		config->pairs = take_array(dec, &config->count, 2 * sizeof(uint64_t));
}

static void decode_stat(struct decoder *dec)
{
	struct tool_stat *stat = &dec->rec->stat;

	stat->id = cursor__u64(&dec->cur);
	stat->cpu = (int32_t)cursor__u32(&dec->cur);
	stat->thread = cursor__u32(&dec->cur);
	stat->value = cursor__u64(&dec->cur);
	stat->time_enabled_ns = cursor__u64(&dec->cur);
	stat->time_running_ns = cursor__u64(&dec->cur);
	fixed(dec);
}

static void decode_stat_round(struct decoder *dec)
{
	dec->rec->stat_round.kind = cursor__u64(&dec->cur);
	dec->rec->stat_round.time_ns = cursor__u64(&dec->cur);
	fixed(dec);
}

static void decode_event_update(struct decoder *dec)
{
	struct tool_event_update *update = &dec->rec->event_update;
	uint64_t bits;

	update->kind = cursor__u64(&dec->cur);
	update->id = cursor__u64(&dec->cur);
	if (update->kind == TOOL_UPDATE_SCALE) {
		bits = cursor__u64(&dec->cur);
		memcpy(&update->scale, &bits, sizeof(bits));
	}
	if (!fixed(dec))
		return;
	if (update->kind == TOOL_UPDATE_UNIT || update->kind == TOOL_UPDATE_NAME)
		update->text = take_text(dec, SIZE_MAX);
	else if (update->kind == TOOL_UPDATE_CPUS)
		decode_cpus(dec, &update->cpus);
	if (dec->cur.bad)
		fail(dec, "the set of CPUs is cut");
}

/* Before Linux 5.10 the record ended in `zero`. */
static void decode_time_conv(struct decoder *dec)
{
	struct tool_time_conv *conv = &dec->rec->time_conv;
	const uint8_t *caps;

	conv->shift = cursor__u64(&dec->cur);
	conv->mult = cursor__u64(&dec->cur);
	conv->zero = cursor__u64(&dec->cur);
	conv->zero_valid = true;
	if (!fixed(dec) || cursor__left(&dec->cur) < 2 * sizeof(uint64_t) + 2)
		return;
	conv->has_cycles = true;
	conv->cycles = cursor__u64(&dec->cur);
	conv->mask = cursor__u64(&dec->cur);
	caps = cursor__take(&dec->cur, 2);
	conv->zero_valid = caps[0];
	conv->short_cycles = caps[1];
}

/* The mark's id is that of the first feature which its perf did not know, so its emptiness tells.
 */
static void decode_feature(struct decoder *dec)
{
	struct tool_feature *feature = &dec->rec->feature;

	feature->id = cursor__u64(&dec->cur);
	feature->data = dec->cur.at;
	feature->bytes = cursor__left(&dec->cur);
	feature->end = feature->bytes == 0;
	fixed(dec);
}

static void decode_compressed(struct decoder *dec)
{
	dec->rec->compressed.data = dec->cur.at;
	dec->rec->compressed.bytes = cursor__left(&dec->cur);
	fixed(dec);
}

static void decode_compressed2(struct decoder *dec)
{
	struct tool_compressed *compressed = &dec->rec->compressed;
	uint64_t bytes = cursor__u64(&dec->cur);

	if (!fixed(dec))
		return;
	compressed->data = take_array(dec, &bytes, 1);
	compressed->bytes = (size_t)bytes;
}

/* With names of this length it has entries, and ends where it says, but for ids. */
static bool metadata_fits(struct decoder *dec, size_t name_bytes)
{
	size_t left = cursor__left(&dec->cur), rest;
	uint64_t count;

	if (left < name_bytes + sizeof(count))
		return false;
	count = load_u64(dec->cur.at + name_bytes, dec->cur.swapped);
	rest = left - name_bytes - sizeof(count);
	return count && count <= rest / METADATA_BYTES &&
	       rest - count * METADATA_BYTES <= IDS_BYTES_MAX;
}

static void decode_bpf_metadata(struct decoder *dec)
{
	struct tool_bpf_metadata *data = &dec->rec->bpf_metadata;
	size_t name_bytes = PROGRAM_NAME_BYTES;

	if (!metadata_fits(dec, name_bytes) && metadata_fits(dec, PROGRAM_NAME_BYTES_OLD))
		name_bytes = PROGRAM_NAME_BYTES_OLD;
	data->program = text_of(cursor__take(&dec->cur, name_bytes), name_bytes);
	data->count = cursor__u64(&dec->cur);
	if (fixed(dec))
		data->entries = take_array(dec, &data->count, METADATA_BYTES);
}

struct tool_metadata_entry tool_bpf_metadata__at(const struct tool_record *rec, uint64_t index)
{
	const uint8_t *at = rec->bpf_metadata.entries + index * METADATA_BYTES;
	struct tool_metadata_entry entry = {
		text_of(at, METADATA_KEY_BYTES),
		text_of(at + METADATA_KEY_BYTES, METADATA_VALUE_BYTES),
	};

	return entry;
}

static void decode_schedstat(struct decoder *dec)
{
	struct tool_schedstat *stat = &dec->rec->schedstat;

	stat->timestamp = cursor__u64(&dec->cur);
	stat->cpu = cursor__u32(&dec->cur);
	stat->version = cursor__u16(&dec->cur);
	stat->domain = cursor__u16(&dec->cur);
	if (!fixed(dec))
		return;
	stat->counters = dec->cur.at;
	stat->bytes = cursor__left(&dec->cur);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void decode_nothing(struct decoder *dec)
{
	fixed(dec);
}

static void (*const decoders[NAMES_COUNT])(struct decoder *dec) = {
	[TOOL_HEADER_ATTR - 64] = decode_nothing,
	[TOOL_EVENT_TYPE - 64] = decode_event_type,
	[TOOL_TRACING_DATA - 64] = decode_tracing_data,
	[TOOL_BUILD_ID - 64] = decode_build_id,
	[TOOL_FINISHED_ROUND - 64] = decode_nothing,
	[TOOL_ID_INDEX - 64] = decode_id_index,
	[TOOL_AUXTRACE_INFO - 64] = decode_auxtrace_info,
	[TOOL_AUXTRACE - 64] = decode_auxtrace,
	[TOOL_AUXTRACE_ERROR - 64] = decode_auxtrace_error,
	[TOOL_THREAD_MAP - 64] = decode_thread_map,
	[TOOL_CPU_MAP - 64] = decode_cpu_map,
	[TOOL_STAT_CONFIG - 64] = decode_stat_config,
	[TOOL_STAT - 64] = decode_stat,
	[TOOL_STAT_ROUND - 64] = decode_stat_round,
	[TOOL_EVENT_UPDATE - 64] = decode_event_update,
	[TOOL_TIME_CONV - 64] = decode_time_conv,
	[TOOL_FEATURE - 64] = decode_feature,
	[TOOL_COMPRESSED - 64] = decode_compressed,
	[TOOL_FINISHED_INIT - 64] = decode_nothing,
	[TOOL_COMPRESSED2 - 64] = decode_compressed2,
	[TOOL_BPF_METADATA - 64] = decode_bpf_metadata,
	[TOOL_SCHEDSTAT_CPU - 64] = decode_schedstat,
	[TOOL_SCHEDSTAT_DOMAIN - 64] = decode_schedstat,
};

int tool_record__decode(const void *bytes, size_t size, bool swapped, struct tool_record *rec,
			const char **why)
{
	struct decoder dec = { .rec = rec };

	memset(rec, 0, sizeof(*rec));
	dec.cur.at = bytes;
	dec.cur.end = dec.cur.at + size;
	dec.cur.swapped = rec->swapped = swapped;
	rec->type = cursor__u32(&dec.cur);
	rec->misc = cursor__u16(&dec.cur);
	cursor__u16(&dec.cur);
	if (dec.cur.bad) {
		*why = "the record is shorter than its header";
		return -EBADMSG;
	}
	rec->body = dec.cur.at;
	rec->bytes = cursor__left(&dec.cur);
	if (tool_record__name(rec->type))
		decoders[rec->type - TOOL_HEADER_ATTR](&dec);
	*why = dec.why;
	return dec.why ? -EBADMSG : 0;
}
