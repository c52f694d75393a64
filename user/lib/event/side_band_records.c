// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event/side_band_records.c: the records that live readers can request, as events with fields. */
#include <sys/mman.h>

#include "base/text.h"
#include "event/side_band_records.h"
#include "event/side_band.h"

/* ---- layouts --------------------------------------------------------------------------------- */

/*
 * `process` and `thread` are the task that a record describes.  It need not be the task that ran,
 * which the event names anyway: a task may rename another one, and the kernel writes the namespaces
 * of a new task while its parent runs.  Records that perf wrote for tasks that existed before have
 * no task that ran.
 */
struct comm {
	uint32_t process, thread;
	bool exec;
	char rest[];
};

struct mmap {
	uint64_t addr, size, offset, ino, ino_generation;
	uint32_t process, thread, prot, flags, maj, min;
	uint8_t build_id[20];
	bool data;
	char rest[];
};

#define NAMESPACES 7

struct link {
	uint64_t device, inode;
};

struct namespaces {
	uint32_t process, thread;
	uint64_t inodes[NAMESPACES]; /* in the order of enum peat_namespace */
	uint64_t devices[NAMESPACES];
	char rest[];
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

/* The old instructions are a few bytes; the new ones may be a whole trampoline. */
struct textpoke {
	uint64_t addr;
	uint32_t old_size, new_size;
	uint8_t old[16];
	char rest[];
};

static const struct peat_name prots[] = {
	{ PROT_READ, "PROT_READ" },
	{ PROT_WRITE, "PROT_WRITE" },
	{ PROT_EXEC, "PROT_EXEC" },
};

/*
 * Flags of mmap() that are the same on all machines, and that nearly every mapping has.  The others
 * have numbers of the recorded machine, and the names in map_flags are those of this machine.
 */
static const struct peat_name common_map_flags[] = {
	{ MAP_SHARED, "MAP_SHARED" },
	{ MAP_PRIVATE, "MAP_PRIVATE" },
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
	FIELD_OF(peat_task, pid, "child", PEAT_FIELD_UNSIGNED,
		 "the new process, or that of the new thread"),
	FIELD_OF(peat_task, tid, "child_tid", PEAT_FIELD_UNSIGNED, "the new thread"),
	FIELD_OF(peat_task, ppid, "parent", PEAT_FIELD_UNSIGNED, "the process that made it"),
	FIELD_OF(peat_task, ptid, "parent_tid", PEAT_FIELD_UNSIGNED, "its thread that did so"),
};

static struct peat_field exit_fields[] = {
	FIELD_OF(peat_task, pid, "process", PEAT_FIELD_UNSIGNED, "whose thread ended"),
	FIELD_OF(peat_task, tid, "thread", PEAT_FIELD_UNSIGNED, NULL),
	FIELD(peat_task, ppid, PEAT_FIELD_UNSIGNED, "the parent of what ended"),
	FIELD(peat_task, ptid, PEAT_FIELD_UNSIGNED, "the parent's thread"),
};

static struct peat_field comm_fields[] = {
	FIELD(comm, process, PEAT_FIELD_UNSIGNED, "whose thread gets the name"),
	FIELD(comm, thread, PEAT_FIELD_UNSIGNED, "whose name it is"),
	FIELD(comm, exec, PEAT_FIELD_BOOL, "given by an exec"),
	REST(comm, "name", PEAT_FIELD_STRING, "the new name"),
};

#define MMAP_FIELDS(flag_names)                                                                    \
	{                                                                                          \
		FIELD(mmap, process, PEAT_FIELD_SIGNED,                                            \
		      "into which it is mapped; -1: all, into the kernel"),                        \
			FIELD(mmap, thread, PEAT_FIELD_SIGNED, NULL),                              \
			FIELD(mmap, addr, PEAT_FIELD_HEX, "where it is mapped"),                   \
			FIELD(mmap, size, PEAT_FIELD_SIZE, NULL),                                  \
			FIELD(mmap, offset, PEAT_FIELD_HEX, "of the file"),                        \
			NAMED(mmap, prot, PEAT_FIELD_FLAGS, prots, NULL),                          \
			NAMED(mmap, flags, PEAT_FIELD_FLAGS, flag_names, NULL),                    \
			FIELD(mmap, data, PEAT_FIELD_BOOL, "not to be executed"),                  \
			FIELD(mmap, maj, PEAT_FIELD_UNSIGNED,                                      \
			      "of the file's device; with a build id 0, as are the next three"),   \
			FIELD(mmap, min, PEAT_FIELD_UNSIGNED, NULL),                               \
			FIELD(mmap, ino, PEAT_FIELD_UNSIGNED, "its inode"),                        \
			FIELD(mmap, ino_generation, PEAT_FIELD_UNSIGNED, NULL),                    \
			FIELD(mmap, build_id, PEAT_FIELD_BYTES, "of the file; zeroes: not known"), \
			REST(mmap, "filename", PEAT_FIELD_STRING, NULL),                           \
	}

static struct peat_field mmap_fields[] = MMAP_FIELDS(map_flags);
static struct peat_field foreign_mmap_fields[] = MMAP_FIELDS(common_map_flags);

static struct peat_field switch_fields[] = {
	NAMED_OF(peat_context_switch, out, "direction", PEAT_FIELD_ENUM, directions,
		 "onto the CPU, or off it"),
	FIELD(peat_context_switch, next_prev_pid, PEAT_FIELD_UNSIGNED,
	      "who comes next, or was before; missing from the SWITCH of a task's own event"),
	FIELD(peat_context_switch, next_prev_tid, PEAT_FIELD_UNSIGNED, NULL),
	FIELD(peat_context_switch, preempted, PEAT_FIELD_BOOL,
	      "off the CPU while it could still run"),
};

#define INODE(called, number)                                                                      \
	FIELD_OF(namespaces, inodes[number], called, PEAT_FIELD_UNSIGNED, NULL)

static struct peat_field namespaces_fields[] = {
	FIELD(namespaces, process, PEAT_FIELD_UNSIGNED, "who is in them"),
	FIELD(namespaces, thread, PEAT_FIELD_UNSIGNED, NULL),
	INODE("net", PEAT_NS_NET),
	INODE("uts", PEAT_NS_UTS),
	INODE("ipc", PEAT_NS_IPC),
	INODE("pid_", PEAT_NS_PID),
	INODE("user", PEAT_NS_USER),
	INODE("mnt", PEAT_NS_MNT),
	INODE("cgroup", PEAT_NS_CGROUP),
	{ .name = "devices",
	  .kind = PEAT_FIELD_ARRAY,
	  .span = 2,
	  .offset = offsetof(struct namespaces, devices),
	  .bytes = sizeof(((struct namespaces *)0)->devices),
	  .count = NAMESPACES,
	  .doc = "of the inodes, in their order" },
	ELEMENT(PEAT_FIELD_HEX, sizeof(uint64_t)),
	REST_ARRAY(namespaces, "newer", 3,
		   "those that came to the kernel later and have no name here"),
	ELEMENT_STRUCT(link, 2),
	FIELD(link, device, PEAT_FIELD_HEX, NULL),
	FIELD(link, inode, PEAT_FIELD_UNSIGNED, NULL),
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

#define TEXTPOKE_FIELDS(address)                                                                   \
	{                                                                                          \
		FIELD(textpoke, addr, address, "what was changed"),                                \
			FIELD(textpoke, old_size, PEAT_FIELD_SIZE, NULL),                          \
			FIELD(textpoke, new_size, PEAT_FIELD_SIZE, NULL),                          \
			FIELD(textpoke, old, PEAT_FIELD_BYTES,                                     \
			      "the first 16, filled up with zeroes"),                              \
			REST(textpoke, "new", PEAT_FIELD_BYTES, NULL),                             \
	}

static struct peat_field textpoke_fields[] = TEXTPOKE_FIELDS(PEAT_FIELD_KADDR);
static struct peat_field foreign_textpoke_fields[] = TEXTPOKE_FIELDS(PEAT_FIELD_HEX);

static const struct peat_schema fork_schema =
	FIXED("fork", fork_fields, peat_task, .doc = "a process or a thread begins");
static const struct peat_schema exit_schema =
	FIXED("exit", exit_fields, peat_task, .doc = "a thread ends");
static const struct peat_schema comm_schema =
	OPEN("comm", comm_fields, comm, .doc = "a thread gets a name");
static const struct peat_schema mmap_schema =
	OPEN("mmap", mmap_fields, mmap, .doc = "code is mapped into a process");
static const struct peat_schema switch_schema =
	FIXED("switch", switch_fields, peat_context_switch, .doc = "a context switch");
static const struct peat_schema namespaces_schema = OPEN(
	"namespaces", namespaces_fields, namespaces, .doc = "the namespaces that a task is in now");
static const struct peat_schema cgroup_schema =
	OPEN("cgroup", cgroup_fields, cgroup, .doc = "a cgroup is made");
static const struct peat_schema ksymbol_schema =
	OPEN("ksymbol", ksymbol_fields, ksymbol, .doc = "a symbol of the kernel comes, goes");
static const struct peat_schema bpf_schema =
	FIXED("bpf", bpf_fields, bpf, .doc = "a BPF program comes, goes");
static const struct peat_schema textpoke_schema =
	OPEN("textpoke", textpoke_fields, textpoke, .doc = "code of the kernel is changed");

/* For recordings: see side_band__recorded(). */
static const struct peat_schema foreign_mmap_schema =
	OPEN("mmap", foreign_mmap_fields, mmap, .doc = "code is mapped into a process",
	     .like = &mmap_schema);
static const struct peat_schema foreign_textpoke_schema =
	OPEN("textpoke", foreign_textpoke_fields, textpoke, .doc = "code of the kernel is changed",
	     .like = &textpoke_schema);

/* ---- of recordings --------------------------------------------------------------------------- */

#if defined(__alpha__)
#define THIS_MACHINE "alpha"
#elif defined(__hppa__)
#define THIS_MACHINE "parisc"
#elif defined(__mips__)
#define THIS_MACHINE "mips"
#elif defined(__powerpc__)
#define THIS_MACHINE "ppc"
#elif defined(__sparc__)
#define THIS_MACHINE "sparc"
#elif defined(__xtensa__)
#define THIS_MACHINE "xtensa"
#else
#define THIS_MACHINE "" /* asm-generic, like most */
#endif

/*
 * The architecture that defines the flags of mmap() used on `arch`; NULL: include/uapi/asm-generic
 * of Linux does.
 */
static const char *map_numbers(const char *arch)
{
	static const char *const own[] = { "alpha", "parisc", "mips", "ppc", "sparc", "xtensa" };

	for (uint32_t i = 0; i < COUNT(own); i++)
		if (begins_with(arch, own[i]))
			return own[i];
	return NULL;
}

const struct peat_schema *side_band__recorded(const struct peat_schema *schema, const char *arch,
					      bool same_kernel)
{
	if (schema == &mmap_schema && (!arch || map_numbers(arch) != map_numbers(THIS_MACHINE)))
		return &foreign_mmap_schema;
	if (schema == &textpoke_schema && !same_kernel)
		return &foreign_textpoke_schema;
	return schema;
}

/* ---- from records ---------------------------------------------------------------------------- */

static void add_string(struct kind_event *event, const char *string)
{
	kind_event__add(event, string, strlen(string) + 1);
}

static void fill_comm(struct kind_event *event, const struct peat_record *record)
{
	struct comm *comm = BEGIN_OPEN(event, comm);

	comm->process = record->comm.pid;
	comm->thread = record->comm.tid;
	comm->exec = record->comm.exec;
	add_string(event, record->comm.comm);
}

static void fill_mmap(struct kind_event *event, const struct peat_record *record)
{
	struct mmap *mmap = BEGIN_OPEN(event, mmap);

	mmap->process = record->mmap.pid;
	mmap->thread = record->mmap.tid;
	mmap->addr = record->mmap.addr;
	mmap->size = record->mmap.len;
	mmap->offset = record->mmap.pgoff;
	mmap->prot = record->mmap.prot;
	mmap->flags = record->mmap.flags;
	mmap->data = record->mmap.data;
	mmap->maj = record->mmap.maj;
	mmap->min = record->mmap.min;
	mmap->ino = record->mmap.ino;
	mmap->ino_generation = record->mmap.ino_generation;
	if (record->mmap.build_id)
		memcpy(mmap->build_id, record->mmap.build_id, record->mmap.build_id_bytes);
	add_string(event, record->mmap.filename);
}

/* A SWITCH, unlike a SWITCH_CPU_WIDE, does not have the other task: the event ends before it. */
static void fill_switch(struct kind_event *event, const struct peat_record *record)
{
	size_t bytes = sizeof(record->context_switch);

	if (record->type == PEAT_RECORD_SWITCH)
		bytes = offsetof(struct peat_context_switch, next_prev_pid);
	kind_event__add(event, &record->context_switch, bytes);
}

static void fill_namespaces(struct kind_event *event, const struct peat_record *record)
{
	struct namespaces *namespaces = BEGIN_OPEN(event, namespaces);
	const struct peat_words *links = &record->namespaces.links;

	namespaces->process = record->namespaces.pid;
	namespaces->thread = record->namespaces.tid;
	for (uint64_t i = 0; i < record->namespaces.nr; i++) {
		struct link link = { peat_words__at(links, 2 * i),
				     peat_words__at(links, 2 * i + 1) };

		if (i < NAMESPACES) {
			namespaces->devices[i] = link.device;
			namespaces->inodes[i] = link.inode;
		} else if (!kind_event__add_element(event, &link, sizeof(link))) {
			break;
		}
	}
}

static void fill_cgroup(struct kind_event *event, const struct peat_record *record)
{
	struct cgroup *cgroup = BEGIN_OPEN(event, cgroup);

	cgroup->id = record->cgroup.id;
	add_string(event, record->cgroup.path);
}

static void fill_ksymbol(struct kind_event *event, const struct peat_record *record)
{
	struct ksymbol *ksymbol = BEGIN_OPEN(event, ksymbol);

	ksymbol->addr = record->ksymbol.addr;
	ksymbol->size = record->ksymbol.len;
	ksymbol->source = record->ksymbol.ksym_type;
	ksymbol->registered = !(record->ksymbol.flags & PEAT_KSYMBOL_UNREGISTER);
	add_string(event, record->ksymbol.name);
}

static void fill_bpf(struct kind_event *event, const struct peat_record *record)
{
	struct bpf *bpf = BEGIN(event, bpf);

	bpf->action = record->bpf.event;
	bpf->id = record->bpf.id;
	memcpy(bpf->tag, record->bpf.tag, sizeof(bpf->tag));
}

static void fill_textpoke(struct kind_event *event, const struct peat_record *record)
{
	const struct peat_text_poke *poke = &record->text_poke;
	struct textpoke *textpoke = BEGIN_OPEN(event, textpoke);
	size_t old = sizeof(textpoke->old);

	textpoke->addr = poke->addr;
	textpoke->old_size = poke->old_bytes;
	textpoke->new_size = poke->new_bytes;
	memcpy(textpoke->old, poke->old_text, poke->old_bytes < old ? poke->old_bytes : old);
	kind_event__add(event, poke->new_text, poke->new_bytes);
}

const struct kind_row side_band_records[KIND_ROWS] = {
	[PEAT_RECORD_FORK] = { PEAT_SIDE_BAND_TASK, &fork_schema, NULL },
	[PEAT_RECORD_EXIT] = { PEAT_SIDE_BAND_TASK, &exit_schema, NULL },
	[PEAT_RECORD_COMM] = { PEAT_SIDE_BAND_COMM, &comm_schema, fill_comm },
	[PEAT_RECORD_MMAP] = { PEAT_SIDE_BAND_MMAP, &mmap_schema, fill_mmap },
	[PEAT_RECORD_MMAP2] = { PEAT_SIDE_BAND_MMAP, &mmap_schema, fill_mmap },
	[PEAT_RECORD_SWITCH] = { PEAT_SIDE_BAND_SWITCH, &switch_schema, fill_switch },
	[PEAT_RECORD_SWITCH_CPU_WIDE] = { PEAT_SIDE_BAND_SWITCH, &switch_schema, fill_switch },
	[PEAT_RECORD_NAMESPACES] = { PEAT_SIDE_BAND_NAMESPACES, &namespaces_schema,
				     fill_namespaces },
	[PEAT_RECORD_CGROUP] = { PEAT_SIDE_BAND_CGROUP, &cgroup_schema, fill_cgroup },
	[PEAT_RECORD_KSYMBOL] = { PEAT_SIDE_BAND_KSYMBOL, &ksymbol_schema, fill_ksymbol },
	[PEAT_RECORD_BPF_EVENT] = { PEAT_SIDE_BAND_BPF, &bpf_schema, fill_bpf },
	[PEAT_RECORD_TEXT_POKE] = { PEAT_SIDE_BAND_TEXTPOKE, &textpoke_schema, fill_textpoke },
};
