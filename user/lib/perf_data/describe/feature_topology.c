// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/describe/feature_topology.c: CPU topology, memory of the nodes, scheduler domains. */
#include "perf_data/describe/feature_parts.h"

#define PADDING_MAX 7 /* after a feature in a record */

/* ---- CPUs ------------------------------------------------------------------------------------ */

/* The start of each part; NULL: missing, as in recordings of older perfs. */
struct topology {
	const uint8_t *sockets, *threads, *ids, *dies, *die_ids;
	uint32_t cpus;
};

static bool skip_strings(struct table_decoder *dec)
{
	uint32_t count = cursor__u32(&dec->cur);

	for (uint32_t i = 0; i < count && !dec->cur.bad; i++)
		table_decoder__string(dec);
	return table_decoder__check(dec, "a list of CPUs is cut");
}

static void find_parts(struct table_decoder *dec, struct topology *top)
{
	top->sockets = dec->cur.at;
	if (!skip_strings(dec))
		return;
	top->threads = dec->cur.at;
	if (!skip_strings(dec) || cursor__left(&dec->cur) <= PADDING_MAX || !top->cpus)
		return;
	top->ids = cursor__bytes(&dec->cur, top->cpus * UINT64_C(8));
	if (!table_decoder__check(dec, "fewer CPUs than there are") ||
	    cursor__left(&dec->cur) <= PADDING_MAX)
		return;
	top->dies = dec->cur.at;
	if (!skip_strings(dec))
		return;
	top->die_ids = cursor__bytes(&dec->cur, top->cpus * UINT64_C(4));
	table_decoder__check(dec, "fewer dies of CPUs than there are CPUs");
}

/* Emits the whole strings; a list that is cut was noticed before. */
static void emit_strings(const struct table_decoder *dec, const uint8_t *at, const uint8_t *end,
			 const char *name, const char *text)
{
	struct table_decoder part;
	uint32_t count;

	if (!at)
		return;
	table_decoder__init(&part, at, (size_t)(end - at), dec->cur.swapped, dec->emit);
	count = cursor__u32(&part.cur);
	emit__begin(dec->emit, name, true);
	for (uint32_t i = 0; i < count; i++) {
		struct emit_value cpus = table_decoder__string(&part);

		if (part.cur.bad)
			break;
		emit__value(dec->emit, NULL, &cpus);
		emit__print_filled(dec->emit, text, &cpus);
	}
	emit__end(dec->emit, true);
}

static void emit_cpu(const struct table_decoder *dec, const struct topology *top, uint32_t cpu)
{
	struct emit_value values[] = {
		{ .number = cpu },
		{ .kind = EMIT_SIGNED },
		{ .kind = EMIT_SIGNED },
		{ .kind = EMIT_SIGNED },
	};
	bool swapped = dec->cur.swapped;
	const uint8_t *ids = top->ids + cpu * UINT64_C(8);

	values[1].number = (uint64_t)(int32_t)load_u32(ids, swapped);
	values[2].number = (uint64_t)(int32_t)load_u32(ids + 4, swapped);
	emit__begin(dec->emit, NULL, false);
	emit__value(dec->emit, "cpu", &values[0]);
	emit__value(dec->emit, "core", &values[1]);
	emit__value(dec->emit, "socket", &values[2]);
	if (top->die_ids) {
		ids = top->die_ids + cpu * UINT64_C(4);
		values[3].number = (uint64_t)(int32_t)load_u32(ids, swapped);
		emit__value(dec->emit, "die", &values[3]);
	}
	emit__end(dec->emit, false);
	emit__print_filled(dec->emit,
			   top->die_ids ? "# CPU $0: Core ID $1, Die ID $3, Socket ID $2\n"
					: "# CPU $0: Core ID $1, Socket ID $2\n",
			   values);
}

void feature_topology__cpus(struct table_decoder *dec, const struct perf_features *features)
{
	struct topology top = { .cpus = features->cpus_available };
	const uint8_t *end = dec->cur.end;

	find_parts(dec, &top);
	emit_strings(dec, top.sockets, end, "sockets", "# sibling sockets : $0\n");
	emit_strings(dec, top.dies, end, "dies", "# sibling dies    : $0\n");
	emit_strings(dec, top.threads, end, "threads", "# sibling threads : $0\n");
	if (!top.ids) {
		emit__print(dec->emit, "# Core ID and Socket ID information is not available\n");
		return;
	}
	emit__begin(dec->emit, "cpus", true);
	for (uint32_t cpu = 0; cpu < top.cpus; cpu++)
		emit_cpu(dec, &top, cpu);
	emit__end(dec->emit, true);
}

/* ---- memory ---------------------------------------------------------------------------------- */

struct bits {
	struct peat_words words;
	uint64_t count;
};

static bool bits__at(const struct bits *bits, uint64_t i)
{
	return peat_words__at(&bits->words, i / 64) >> i % 64 & 1;
}

/* The next run of ones from `at` on, at..*past_last - 1; false: no more ones. */
static bool bits__run(const struct bits *bits, uint64_t *at, uint64_t *past_last)
{
	while (*at < bits->count && !bits__at(bits, *at))
		++*at;
	*past_last = *at;
	while (*past_last < bits->count && bits__at(bits, *past_last))
		++*past_last;
	return *at < bits->count;
}

static uint64_t bits__ones(const struct bits *bits)
{
	uint64_t at = 0, past_last, ones = 0;

	for (; bits__run(bits, &at, &past_last); at = past_last)
		ones += past_last - at;
	return ones;
}

/* [first, last] in the data, 0,2-32 in lines. */
static void emit_runs(struct emit *emit, const struct bits *bits)
{
	uint64_t at = 0, past_last;
	const char *before = "";

	emit__begin(emit, "blocks", true);
	for (; bits__run(bits, &at, &past_last); at = past_last) {
		emit__begin(emit, NULL, true);
		emit__unsigned(emit, NULL, at);
		emit__unsigned(emit, NULL, past_last - 1);
		emit__end(emit, true);
		emit__print(emit, before);
		emit__print_unsigned(emit, at);
		before = ",";
		if (past_last - 1 == at)
			continue;
		emit__print(emit, "-");
		emit__print_unsigned(emit, past_last - 1);
	}
	emit__end(emit, true);
}

/* "32G", like perf: in the largest unit that gives 2 or more, rounded down. */
static void print_size(struct emit *emit, uint64_t bytes)
{
	static const char *const units[] = { "B", "K", "M", "G" };
	unsigned int unit = 0;

	for (; bytes / 1024 > 1 && unit < 3; unit++)
		bytes /= 1024;
	emit__print_unsigned(emit, bytes);
	emit__print(emit, units[unit]);
}

static bool emit_node(struct table_decoder *dec, uint64_t block_bytes)
{
	struct emit_value node = { .width = 3 };
	struct bits bits;

	node.number = cursor__u64(&dec->cur);
	cursor__u64(&dec->cur); /* the bitmap has its own size */
	bits.count = cursor__u64(&dec->cur);
	bits.words = cursor__words(&dec->cur, bits.count / 64 + (bits.count % 64 != 0), 1);
	if (!table_decoder__check(dec, "a node is cut"))
		return false;
	emit__begin(dec->emit, NULL, false);
	emit__value(dec->emit, "node", &node);
	emit__print_filled(dec->emit, "#  $0 [", &node);
	print_size(dec->emit, block_bytes * bits__ones(&bits));
	emit__print(dec->emit, "]: ");
	emit_runs(dec->emit, &bits);
	emit__end(dec->emit, false);
	emit__print(dec->emit, "\n");
	return true;
}

static const struct member memory[] = {
	{ MEMBER_U64, .name = "version" },
	{ MEMBER_HEX64, .name = "block_bytes" },
	{ .kind = MEMBER_END },
};

void feature_topology__memory(struct table_decoder *dec, const struct perf_features *features)
{
	struct emit_value values[3] = { { 0 } };

	(void)features;
	if (!table_decoder__read(dec, memory, values))
		return;
	table_decoder__emit(dec, memory, values);
	if (values[0].number != 1) {
		table_decoder__fail(dec, "its version is not known");
		return;
	}
	values[2].number = cursor__u64(&dec->cur);
	if (!table_decoder__check(dec, "it ends early"))
		return;
	emit__print_filled(dec->emit, "# memory nodes (nr $2, block size $1):\n", values);
	emit__begin(dec->emit, "nodes", true);
	for (uint64_t i = 0; i < values[2].number; i++)
		if (!emit_node(dec, values[1].number))
			break;
	emit__end(dec->emit, true);
}

/* ---- domains of the scheduler ---------------------------------------------------------------- */

/* The version of /proc/schedstat with names of domains: Linux 6.15. */
#define NAMES_SINCE 17

static const struct member domain[] = {
	{ MEMBER_U32, .name = "domain" },
	{ MEMBER_STRING, .name = "mask" },
	{ MEMBER_STRING, .name = "cpus" },
	{ .kind = MEMBER_END },
};

static const struct member named_domain[] = {
	{ MEMBER_U32, .name = "domain" },
	{ MEMBER_STRING, .name = "name" },
	{ MEMBER_STRING, .name = "mask" },
	{ MEMBER_STRING, .name = "cpus" },
	{ .kind = MEMBER_END },
};

static const struct shape domain_shape = {
	domain,
	"# Domain\t\t: $0\n# Domain cpu map   : $1\n# Domain cpu list  : $2\n",
};

static const struct shape named_domain_shape = {
	named_domain,
	"# Domain\t\t: $0\n# Domain name      : $1\n"
	"# Domain cpu map   : $2\n# Domain cpu list  : $3\n",
};

static const struct shape cpu_shape = {
	(const struct member[]){
		{ MEMBER_U32, .name = "cpu" },
		{ MEMBER_U32, .name = "domain_count" },
		{ .kind = MEMBER_END },
	},
	"# cpu\t\t: $0\n# nr_domains\t: $1\n",
};

static void emit_domains_of(struct table_decoder *dec, uint64_t version)
{
	struct emit_value cpu[2];

	if (!table_decoder__read(dec, cpu_shape.members, cpu))
		return;
	emit__begin(dec->emit, NULL, false);
	emit__value(dec->emit, "cpu", &cpu[0]);
	emit__print_filled(dec->emit, cpu_shape.text, cpu);
	emit__begin(dec->emit, "domains", true);
	for (uint64_t i = 0; i < cpu[1].number; i++)
		if (!table_decoder__object(dec, NULL,
					   version >= NAMES_SINCE ? &named_domain_shape
								  : &domain_shape))
			break;
	emit__end(dec->emit, true);
	emit__end(dec->emit, false);
}

static const struct member schedstat[] = {
	{ MEMBER_U32, .name = "schedstat_version" },
	{ MEMBER_U32, .name = "domains_max" },
	{ .kind = MEMBER_END },
};

/* One entry for each online CPU.  There is no count: entries go on to the end of the bytes. */
void feature_topology__domains(struct table_decoder *dec, const struct perf_features *features)
{
	struct emit_value head[2];

	(void)features;
	if (!table_decoder__read(dec, schedstat, head))
		return;
	table_decoder__emit(dec, schedstat, head);
	emit__print_filled(dec->emit, "# schedstat version\t: $0\n# Maximum sched domains\t: $1\n",
			   head);
	emit__begin(dec->emit, "cpus", true);
	while (cursor__left(&dec->cur) > PADDING_MAX)
		emit_domains_of(dec, head[0].number);
	emit__end(dec->emit, true);
}
