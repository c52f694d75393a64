// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* kinds.c: the kernel's own records as events with fields. */
#include <string.h>
#include <linux/perf_event.h>
#include <sys/mman.h>

#include "fields.h"
#include "kinds.h"

static const struct {
	uint32_t kind;
	const char *name;
} kinds[] = {
	{ PEAT_KIND_TASK, "task" },
	{ PEAT_KIND_COMM, "comm" },
	{ PEAT_KIND_MMAP, "mmap" },
	{ PEAT_KIND_SWITCH, "switch" },
	{ PEAT_KIND_NAMESPACES, "namespaces" },
	{ PEAT_KIND_CGROUP, "cgroup" },
	{ PEAT_KIND_KSYMBOL, "ksymbol" },
	{ PEAT_KIND_BPF, "bpf" },
	{ PEAT_KIND_TEXTPOKE, "textpoke" },
};

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

const char *peat_kind__name(enum peat_kind kind)
{
	for (uint32_t i = 0; i < COUNT(kinds); i++)
		if (kinds[i].kind == kind)
			return kinds[i].name;
	return NULL;
}

uint32_t peat_kind__find(const char *name)
{
	for (uint32_t i = 0; i < COUNT(kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return kinds[i].kind;
	return 0;
}

void kinds__ask(uint32_t wanted, struct perf_event_attr *attr)
{
	attr->task = !!(wanted & PEAT_KIND_TASK);
	attr->comm = attr->comm_exec = !!(wanted & PEAT_KIND_COMM);
	attr->mmap = attr->mmap2 = !!(wanted & PEAT_KIND_MMAP);
	attr->context_switch = !!(wanted & PEAT_KIND_SWITCH);
	attr->namespaces = !!(wanted & PEAT_KIND_NAMESPACES);
	attr->cgroup = !!(wanted & PEAT_KIND_CGROUP);
	attr->ksymbol = !!(wanted & PEAT_KIND_KSYMBOL);
	attr->bpf_event = !!(wanted & PEAT_KIND_BPF);
	attr->text_poke = !!(wanted & PEAT_KIND_TEXTPOKE);
}

uint32_t kinds__of(uint32_t record_type)
{
	switch (record_type) {
	case PEAT_RECORD_FORK:
	case PEAT_RECORD_EXIT:
		return PEAT_KIND_TASK;
	case PEAT_RECORD_COMM:
		return PEAT_KIND_COMM;
	case PEAT_RECORD_MMAP:
	case PEAT_RECORD_MMAP2:
		return PEAT_KIND_MMAP;
	case PEAT_RECORD_SWITCH:
	case PEAT_RECORD_SWITCH_CPU_WIDE:
		return PEAT_KIND_SWITCH;
	case PEAT_RECORD_NAMESPACES:
		return PEAT_KIND_NAMESPACES;
	case PEAT_RECORD_CGROUP:
		return PEAT_KIND_CGROUP;
	case PEAT_RECORD_KSYMBOL:
		return PEAT_KIND_KSYMBOL;
	case PEAT_RECORD_BPF_EVENT:
		return PEAT_KIND_BPF;
	case PEAT_RECORD_TEXT_POKE:
		return PEAT_KIND_TEXTPOKE;
	default:
		return 0;
	}
}

/* ---- what the events look like ----------------------------------------------------------------
 */

/* A struct that ends in `rest`, which has no length of its own, begins it without padding. */
struct fork {
	uint32_t child, child_tid, parent;
};

struct exit {
	uint32_t ppid;
};

struct comm {
	uint32_t thread;
	bool exec;
	char rest[];
};

struct mmap {
	uint64_t addr, size, offset;
	uint32_t prot, flags;
	uint8_t build_id[20];
	char rest[];
};

struct context_switch {
	uint32_t direction, next_prev_pid, next_prev_tid;
	bool preempted;
};

#define NAMESPACES 7

struct namespaces {
	uint64_t inodes[NAMESPACES]; /* in the order of enum peat_namespace */
};

struct cgroup {
	uint64_t id;
	char rest[];
};

struct ksymbol {
	uint64_t addr;
	uint32_t size;
	uint16_t source;
	bool registered;
	char rest[];
};

struct bpf {
	uint32_t action, id;
	uint8_t tag[8];
};

/* Instructions that are replaced are few; what is new may be a whole trampoline. */
struct textpoke {
	uint64_t addr;
	uint32_t old_size, new_size;
	uint8_t old[16];
	char rest[];
};

#define FIELD_OF(of, member, called, is, said)                                                     \
	{                                                                                          \
		.name = (called), .kind = (is), .span = 1, .offset = offsetof(struct of, member),  \
		.bytes = sizeof(((struct of *)0)->member), .doc = (said)                           \
	}
#define FIELD(of, member, is, said) FIELD_OF(of, member, #member, is, said)

/* Up to the end of the event, however long. */
#define REST(of, called, is, said)                                                                 \
	{                                                                                          \
		.name = (called), .kind = (is), .span = 1, .offset = offsetof(struct of, rest),    \
		.doc = (said)                                                                      \
	}

#define NAMED(of, member, is, of_names, said)                                                      \
	{                                                                                          \
		.name = #member, .kind = (is), .span = 1, .offset = offsetof(struct of, member),   \
		.bytes = sizeof(((struct of *)0)->member), .name_count = COUNT(of_names),          \
		.names = (of_names), .doc = (said)                                                 \
	}

static const struct peat_name prots[] = {
	{ PROT_READ, "PROT_READ" },
	{ PROT_WRITE, "PROT_WRITE" },
	{ PROT_EXEC, "PROT_EXEC" },
};

static const struct peat_name map_flags[] = {
	{ MAP_SHARED, "MAP_SHARED" },	      { MAP_PRIVATE, "MAP_PRIVATE" },
	{ MAP_FIXED, "MAP_FIXED" },	      { MAP_ANONYMOUS, "MAP_ANONYMOUS" },
	{ MAP_GROWSDOWN, "MAP_GROWSDOWN" },   { MAP_DENYWRITE, "MAP_DENYWRITE" },
	{ MAP_EXECUTABLE, "MAP_EXECUTABLE" }, { MAP_LOCKED, "MAP_LOCKED" },
	{ MAP_NORESERVE, "MAP_NORESERVE" },   { MAP_STACK, "MAP_STACK" },
	{ MAP_HUGETLB, "MAP_HUGETLB" },	      { MAP_SYNC, "MAP_SYNC" },
};

static const struct peat_name directions[] = { { 0, "in" }, { 1, "out" } };

static const struct peat_name sources[] = {
	{ PEAT_KSYMBOL_TYPE_BPF, "bpf" },
	{ PEAT_KSYMBOL_TYPE_OOL, "ool" },
};

static const struct peat_name actions[] = {
	{ PEAT_BPF_PROG_LOAD, "load" },
	{ PEAT_BPF_PROG_UNLOAD, "unload" },
};

static struct peat_field fork_fields[] = {
	FIELD(fork, child, PEAT_FIELD_UNSIGNED, "the new process, or that of the new thread"),
	FIELD(fork, child_tid, PEAT_FIELD_UNSIGNED, "the new thread"),
	FIELD(fork, parent, PEAT_FIELD_UNSIGNED, "the process that made it"),
};

static struct peat_field exit_fields[] = {
	FIELD(exit, ppid, PEAT_FIELD_UNSIGNED, "the parent of what ended"),
};

static struct peat_field comm_fields[] = {
	FIELD(comm, thread, PEAT_FIELD_UNSIGNED, "whose name it is"),
	FIELD(comm, exec, PEAT_FIELD_BOOL, "given by an exec"),
	REST(comm, "name", PEAT_FIELD_STRING, "the new name"),
};

static struct peat_field mmap_fields[] = {
	FIELD(mmap, addr, PEAT_FIELD_HEX, "where it is mapped"),
	FIELD(mmap, size, PEAT_FIELD_SIZE, NULL),
	FIELD(mmap, offset, PEAT_FIELD_HEX, "of the file"),
	NAMED(mmap, prot, PEAT_FIELD_FLAGS, prots, NULL),
	NAMED(mmap, flags, PEAT_FIELD_FLAGS, map_flags, NULL),
	FIELD(mmap, build_id, PEAT_FIELD_BYTES, "of the file; zeroes: not known"),
	REST(mmap, "filename", PEAT_FIELD_STRING, NULL),
};

static struct peat_field switch_fields[] = {
	NAMED(context_switch, direction, PEAT_FIELD_ENUM, directions, "onto the CPU, or off it"),
	FIELD(context_switch, next_prev_pid, PEAT_FIELD_UNSIGNED, "who comes next, or was before"),
	FIELD(context_switch, next_prev_tid, PEAT_FIELD_UNSIGNED, NULL),
	FIELD(context_switch, preempted, PEAT_FIELD_BOOL, "off the CPU while it could still run"),
};

#define INODE(called, number)                                                                      \
	FIELD_OF(namespaces, inodes[number], called, PEAT_FIELD_UNSIGNED, NULL)

static struct peat_field namespaces_fields[] = {
	INODE("net", PEAT_NS_NET),	 INODE("uts", PEAT_NS_UTS),   INODE("ipc", PEAT_NS_IPC),
	INODE("pid_", PEAT_NS_PID),	 INODE("user", PEAT_NS_USER), INODE("mnt", PEAT_NS_MNT),
	INODE("cgroup", PEAT_NS_CGROUP),
};

static struct peat_field cgroup_fields[] = {
	FIELD(cgroup, id, PEAT_FIELD_UNSIGNED, NULL),
	REST(cgroup, "path", PEAT_FIELD_STRING, NULL),
};

static struct peat_field ksymbol_fields[] = {
	FIELD(ksymbol, addr, PEAT_FIELD_HEX, NULL),
	FIELD(ksymbol, size, PEAT_FIELD_SIZE, NULL),
	NAMED(ksymbol, source, PEAT_FIELD_ENUM, sources, "a BPF program, or code out of line"),
	FIELD(ksymbol, registered, PEAT_FIELD_BOOL, "false: it goes"),
	REST(ksymbol, "name", PEAT_FIELD_STRING, NULL),
};

static struct peat_field bpf_fields[] = {
	NAMED(bpf, action, PEAT_FIELD_ENUM, actions, NULL),
	FIELD(bpf, id, PEAT_FIELD_UNSIGNED, "of the program"),
	FIELD(bpf, tag, PEAT_FIELD_BYTES, "of its instructions"),
};

static struct peat_field textpoke_fields[] = {
	FIELD(textpoke, addr, PEAT_FIELD_KADDR, "what was changed"),
	FIELD(textpoke, old_size, PEAT_FIELD_SIZE, NULL),
	FIELD(textpoke, new_size, PEAT_FIELD_SIZE, NULL),
	FIELD(textpoke, old, PEAT_FIELD_BYTES, "the first 16, filled up with zeroes"),
	REST(textpoke, "new", PEAT_FIELD_BYTES, NULL),
};

/* Nobody writes to the fields, but those of other schemas are made. */
#define SCHEMA(called, length, said)                                                               \
	{                                                                                          \
		.name = "@" #called, .doc = (said), .bytes = (length),                             \
		.count = COUNT(called##_fields), .fields = called##_fields, .stacks_fd = -1        \
	}
#define FIXED(called, of, said) SCHEMA(called, sizeof(struct of), said)
#define OPEN(called, said)	SCHEMA(called, offsetof(struct called, rest), said)

static const struct peat_schema fork_schema = FIXED(fork, fork, "a process or a thread begins");
static const struct peat_schema exit_schema = FIXED(exit, exit, "a thread ends");
static const struct peat_schema comm_schema = OPEN(comm, "a thread gets a name");
static const struct peat_schema mmap_schema = OPEN(mmap, "code is mapped into a process");
static const struct peat_schema switch_schema = FIXED(switch, context_switch, "a context switch");
static const struct peat_schema namespaces_schema =
	FIXED(namespaces, namespaces, "the namespaces that a task is in now");
static const struct peat_schema cgroup_schema = OPEN(cgroup, "a cgroup is made");
static const struct peat_schema ksymbol_schema =
	OPEN(ksymbol, "a symbol of the kernel comes, goes");
static const struct peat_schema bpf_schema = FIXED(bpf, bpf, "a BPF program comes, goes");
static const struct peat_schema textpoke_schema = OPEN(textpoke, "code of the kernel is changed");

/* ---- from records ---------------------------------------------------------------------------- */

/* Where an event is written. */
struct out_event {
	void *data;
	uint32_t room, bytes;
};

/* The struct's own part: zeroed, as all of it is there to be seen. */
static void *begin(struct out_event *event, size_t bytes)
{
	event->bytes = (uint32_t)bytes;
	return memset(event->data, 0, bytes);
}

#define BEGIN(event, of)      begin(event, sizeof(struct of))
#define BEGIN_OPEN(event, of) begin(event, offsetof(struct of, rest))

static void add_rest(struct out_event *event, const void *bytes, size_t count)
{
	uint32_t room = event->room - event->bytes;

	if (count > room)
		count = room;
	memcpy((unsigned char *)event->data + event->bytes, bytes, count);
	event->bytes += (uint32_t)count;
}

static void add_string(struct out_event *event, const char *string)
{
	add_rest(event, string, strlen(string) + 1);
}

static const struct peat_schema *fill_fork(struct out_event *event,
					   const struct peat_record *record)
{
	struct fork *fork = BEGIN(event, fork);

	fork->child = record->task.pid;
	fork->child_tid = record->task.tid;
	fork->parent = record->task.ppid;
	return &fork_schema;
}

static const struct peat_schema *fill_exit(struct out_event *event,
					   const struct peat_record *record)
{
	struct exit *exit = BEGIN(event, exit);

	exit->ppid = record->task.ppid;
	return &exit_schema;
}

static const struct peat_schema *fill_comm(struct out_event *event,
					   const struct peat_record *record)
{
	struct comm *comm = BEGIN_OPEN(event, comm);

	comm->thread = record->comm.tid;
	comm->exec = record->comm.exec;
	add_string(event, record->comm.comm);
	return &comm_schema;
}

static const struct peat_schema *fill_mmap(struct out_event *event,
					   const struct peat_record *record)
{
	struct mmap *mmap = BEGIN_OPEN(event, mmap);

	mmap->addr = record->mmap.addr;
	mmap->size = record->mmap.len;
	mmap->offset = record->mmap.pgoff;
	mmap->prot = record->mmap.prot;
	mmap->flags = record->mmap.flags;
	if (record->mmap.build_id)
		memcpy(mmap->build_id, record->mmap.build_id, record->mmap.build_id_bytes);
	add_string(event, record->mmap.filename);
	return &mmap_schema;
}

static const struct peat_schema *fill_switch(struct out_event *event,
					     const struct peat_record *record)
{
	struct context_switch *out = BEGIN(event, context_switch);

	out->direction = record->context_switch.out;
	out->next_prev_pid = record->context_switch.next_prev_pid;
	out->next_prev_tid = record->context_switch.next_prev_tid;
	out->preempted = record->context_switch.preempted;
	return &switch_schema;
}

static const struct peat_schema *fill_namespaces(struct out_event *event,
						 const struct peat_record *record)
{
	struct namespaces *namespaces = BEGIN(event, namespaces);

	for (uint64_t i = 0; i < NAMESPACES && i < record->namespaces.nr; i++)
		namespaces->inodes[i] = peat_words__at(&record->namespaces.links, 2 * i + 1);
	return &namespaces_schema;
}

static const struct peat_schema *fill_cgroup(struct out_event *event,
					     const struct peat_record *record)
{
	struct cgroup *cgroup = BEGIN_OPEN(event, cgroup);

	cgroup->id = record->cgroup.id;
	add_string(event, record->cgroup.path);
	return &cgroup_schema;
}

static const struct peat_schema *fill_ksymbol(struct out_event *event,
					      const struct peat_record *record)
{
	struct ksymbol *ksymbol = BEGIN_OPEN(event, ksymbol);

	ksymbol->addr = record->ksymbol.addr;
	ksymbol->size = record->ksymbol.len;
	ksymbol->source = record->ksymbol.ksym_type;
	ksymbol->registered = !(record->ksymbol.flags & PEAT_KSYMBOL_UNREGISTER);
	add_string(event, record->ksymbol.name);
	return &ksymbol_schema;
}

static const struct peat_schema *fill_bpf(struct out_event *event, const struct peat_record *record)
{
	struct bpf *bpf = BEGIN(event, bpf);

	bpf->action = record->bpf.event;
	bpf->id = record->bpf.id;
	memcpy(bpf->tag, record->bpf.tag, sizeof(bpf->tag));
	return &bpf_schema;
}

static const struct peat_schema *fill_textpoke(struct out_event *event,
					       const struct peat_record *record)
{
	const struct peat_text_poke *poke = &record->text_poke;
	struct textpoke *textpoke = BEGIN_OPEN(event, textpoke);
	size_t old = sizeof(textpoke->old);

	textpoke->addr = poke->addr;
	textpoke->old_size = poke->old_bytes;
	textpoke->new_size = poke->new_bytes;
	memcpy(textpoke->old, poke->old_text, poke->old_bytes < old ? poke->old_bytes : old);
	add_rest(event, poke->new_text, poke->new_bytes);
	return &textpoke_schema;
}

static const struct peat_schema *fill(struct out_event *event, const struct peat_record *record)
{
	switch (record->type) {
	case PEAT_RECORD_FORK:
		return fill_fork(event, record);
	case PEAT_RECORD_EXIT:
		return fill_exit(event, record);
	case PEAT_RECORD_COMM:
		return fill_comm(event, record);
	case PEAT_RECORD_MMAP:
	case PEAT_RECORD_MMAP2:
		return fill_mmap(event, record);
	case PEAT_RECORD_SWITCH:
	case PEAT_RECORD_SWITCH_CPU_WIDE:
		return fill_switch(event, record);
	case PEAT_RECORD_NAMESPACES:
		return fill_namespaces(event, record);
	case PEAT_RECORD_CGROUP:
		return fill_cgroup(event, record);
	case PEAT_RECORD_KSYMBOL:
		return fill_ksymbol(event, record);
	case PEAT_RECORD_BPF_EVENT:
		return fill_bpf(event, record);
	case PEAT_RECORD_TEXT_POKE:
		return fill_textpoke(event, record);
	default:
		return NULL;
	}
}

const struct peat_schema *kinds__fill(const struct peat_record *record, void *data, uint32_t room,
				      uint32_t *bytes)
{
	struct out_event event = { .data = data, .room = room };
	const struct peat_schema *schema = fill(&event, record);

	*bytes = event.bytes;
	return schema;
}

const struct peat_schema *peat_kind__schema(enum peat_kind kind, uint32_t i)
{
	static const struct peat_schema *const schemas[COUNT(kinds)][2] = {
		{ &fork_schema, &exit_schema },
		{ &comm_schema },
		{ &mmap_schema },
		{ &switch_schema },
		{ &namespaces_schema },
		{ &cgroup_schema },
		{ &ksymbol_schema },
		{ &bpf_schema },
		{ &textpoke_schema },
	};

	for (uint32_t at = 0; at < COUNT(kinds); at++)
		if (kinds[at].kind == kind)
			return i < 2 ? schemas[at][i] : NULL;
	return NULL;
}
