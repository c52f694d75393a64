// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* feature_topology.c: which CPUs share what, which memory a node has, how the scheduler groups
 * CPUs. */
#include "perf_data/describe/feature_parts.h"

#define PADDING_MAX 7 /* behind a feature, where it is a record */

/* ---- CPUs ------------------------------------------------------------------------------------ */

/* Where each part starts; NULL: it is not there, as older perfs wrote less. */
struct topology {
	const uint8_t *sockets, *threads, *ids, *dies, *die_ids;
	uint32_t cpus;
};

static bool skip_strings(struct walk *walk)
{
	uint32_t count = cursor__u32(&walk->cur);

	for (uint32_t i = 0; i < count && !walk->cur.bad; i++)
		walk__string(walk);
	return walk__good(walk, "a list of CPUs is cut");
}

static void find_parts(struct walk *walk, struct topology *top)
{
	top->sockets = walk->cur.at;
	if (!skip_strings(walk))
		return;
	top->threads = walk->cur.at;
	if (!skip_strings(walk) || cursor__left(&walk->cur) <= PADDING_MAX || !top->cpus)
		return;
	top->ids = cursor__take(&walk->cur, top->cpus * UINT64_C(8));
	if (!walk__good(walk, "fewer CPUs than there are") ||
	    cursor__left(&walk->cur) <= PADDING_MAX)
		return;
	top->dies = walk->cur.at;
	if (!skip_strings(walk))
		return;
	top->die_ids = cursor__take(&walk->cur, top->cpus * UINT64_C(4));
	walk__good(walk, "fewer dies of CPUs than there are CPUs");
}

/* As many as are whole: a list of them that is cut was noticed before. */
static void tell_strings(const struct walk *walk, const uint8_t *at, const uint8_t *end,
			 const char *name, const char *text)
{
	struct walk part;
	uint32_t count;

	if (!at)
		return;
	walk__init(&part, at, (size_t)(end - at), walk->cur.swapped, walk->emit);
	count = cursor__u32(&part.cur);
	emit__begin(walk->emit, name, true);
	for (uint32_t i = 0; i < count; i++) {
		struct emit_value cpus = walk__string(&part);

		if (part.cur.bad)
			break;
		emit__value(walk->emit, NULL, &cpus);
		emit__fill_in(walk->emit, text, &cpus);
	}
	emit__end(walk->emit, true);
}

static void tell_cpu(const struct walk *walk, const struct topology *top, uint32_t cpu)
{
	struct emit_value values[] = {
		{ .number = cpu },
		{ .kind = EMIT_SIGNED },
		{ .kind = EMIT_SIGNED },
		{ .kind = EMIT_SIGNED },
	};
	bool swapped = walk->cur.swapped;
	const uint8_t *ids = top->ids + cpu * UINT64_C(8);

	values[1].number = (uint64_t)(int32_t)load_u32(ids, swapped);
	values[2].number = (uint64_t)(int32_t)load_u32(ids + 4, swapped);
	emit__begin(walk->emit, NULL, false);
	emit__value(walk->emit, "cpu", &values[0]);
	emit__value(walk->emit, "core", &values[1]);
	emit__value(walk->emit, "socket", &values[2]);
	if (top->die_ids) {
		ids = top->die_ids + cpu * UINT64_C(4);
		values[3].number = (uint64_t)(int32_t)load_u32(ids, swapped);
		emit__value(walk->emit, "die", &values[3]);
	}
	emit__end(walk->emit, false);
	emit__fill_in(walk->emit,
		      top->die_ids ? "# CPU $0: Core ID $1, Die ID $3, Socket ID $2\n"
				   : "# CPU $0: Core ID $1, Socket ID $2\n",
		      values);
}

void feature_topology__cpus(struct walk *walk, const struct perf_features *features)
{
	struct topology top = { .cpus = features->cpus_available };
	const uint8_t *end = walk->cur.end;

	find_parts(walk, &top);
	tell_strings(walk, top.sockets, end, "sockets", "# sibling sockets : $0\n");
	tell_strings(walk, top.dies, end, "dies", "# sibling dies    : $0\n");
	tell_strings(walk, top.threads, end, "threads", "# sibling threads : $0\n");
	if (!top.ids) {
		emit__say(walk->emit, "# Core ID and Socket ID information is not available\n");
		return;
	}
	emit__begin(walk->emit, "cpus", true);
	for (uint32_t cpu = 0; cpu < top.cpus; cpu++)
		tell_cpu(walk, &top, cpu);
	emit__end(walk->emit, true);
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

/* The next run of ones from `at` on, at..*past_last - 1; false: there is none. */
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

/* As [first, last] in the data, and as 0,2-32 in text. */
static void tell_runs(struct emit *emit, const struct bits *bits)
{
	uint64_t at = 0, past_last;
	const char *before = "";

	emit__begin(emit, "blocks", true);
	for (; bits__run(bits, &at, &past_last); at = past_last) {
		emit__begin(emit, NULL, true);
		emit__unsigned(emit, NULL, at);
		emit__unsigned(emit, NULL, past_last - 1);
		emit__end(emit, true);
		emit__say(emit, before);
		emit__show_unsigned(emit, at);
		before = ",";
		if (past_last - 1 == at)
			continue;
		emit__say(emit, "-");
		emit__show_unsigned(emit, past_last - 1);
	}
	emit__end(emit, true);
}

/* "32G", as perf has it: with at least two of its unit, and cut. */
static void show_size(struct emit *emit, uint64_t bytes)
{
	static const char *const units[] = { "B", "K", "M", "G" };
	unsigned int unit = 0;

	for (; bytes / 1024 > 1 && unit < 3; unit++)
		bytes /= 1024;
	emit__show_unsigned(emit, bytes);
	emit__say(emit, units[unit]);
}

static bool tell_node(struct walk *walk, uint64_t block_bytes)
{
	struct emit_value node = { .width = 3 };
	struct bits bits;

	node.number = cursor__u64(&walk->cur);
	cursor__u64(&walk->cur); /* the bitmap says its size itself */
	bits.count = cursor__u64(&walk->cur);
	bits.words = cursor__words(&walk->cur, bits.count / 64 + (bits.count % 64 != 0), 1);
	if (!walk__good(walk, "a node is cut"))
		return false;
	emit__begin(walk->emit, NULL, false);
	emit__value(walk->emit, "node", &node);
	emit__fill_in(walk->emit, "#  $0 [", &node);
	show_size(walk->emit, block_bytes * bits__ones(&bits));
	emit__say(walk->emit, "]: ");
	tell_runs(walk->emit, &bits);
	emit__end(walk->emit, false);
	emit__say(walk->emit, "\n");
	return true;
}

static const struct member memory[] = {
	{ MEMBER_U64, .name = "version" },
	{ MEMBER_HEX64, .name = "block_bytes" },
	{ .kind = MEMBER_END },
};

void feature_topology__memory(struct walk *walk, const struct perf_features *features)
{
	struct emit_value values[3] = { { 0 } };

	(void)features;
	if (!walk__take(walk, memory, values))
		return;
	walk__tell(walk, memory, values);
	if (values[0].number != 1) {
		walk__fail(walk, "its version is not known");
		return;
	}
	values[2].number = cursor__u64(&walk->cur);
	if (!walk__good(walk, "it ends early"))
		return;
	emit__fill_in(walk->emit, "# memory nodes (nr $2, block size $1):\n", values);
	emit__begin(walk->emit, "nodes", true);
	for (uint64_t i = 0; i < values[2].number; i++)
		if (!tell_node(walk, values[1].number))
			break;
	emit__end(walk->emit, true);
}

/* ---- domains of the scheduler ---------------------------------------------------------------- */

/* /proc/schedstat has names of domains since its version 17, which is that of Linux 6.15. */
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

static void tell_domains_of(struct walk *walk, uint64_t version)
{
	struct emit_value cpu[2];

	if (!walk__take(walk, cpu_shape.members, cpu))
		return;
	emit__begin(walk->emit, NULL, false);
	emit__value(walk->emit, "cpu", &cpu[0]);
	emit__fill_in(walk->emit, cpu_shape.text, cpu);
	emit__begin(walk->emit, "domains", true);
	for (uint64_t i = 0; i < cpu[1].number; i++)
		if (!walk__object(walk, NULL,
				  version >= NAMES_SINCE ? &named_domain_shape : &domain_shape))
			break;
	emit__end(walk->emit, true);
	emit__end(walk->emit, false);
}

static const struct member schedstat[] = {
	{ MEMBER_U32, .name = "schedstat_version" },
	{ MEMBER_U32, .name = "domains_max" },
	{ .kind = MEMBER_END },
};

/* One entry for each CPU that was online, of which there is no count: as many as there are bytes.
 */
void feature_topology__domains(struct walk *walk, const struct perf_features *features)
{
	struct emit_value head[2];

	(void)features;
	if (!walk__take(walk, schedstat, head))
		return;
	walk__tell(walk, schedstat, head);
	emit__fill_in(walk->emit, "# schedstat version\t: $0\n# Maximum sched domains\t: $1\n",
		      head);
	emit__begin(walk->emit, "cpus", true);
	while (cursor__left(&walk->cur) > PADDING_MAX)
		tell_domains_of(walk, head[0].number);
	emit__end(walk->emit, true);
}
