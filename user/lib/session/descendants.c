// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/descendants.c: events of a process and its descendants. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <peat/wire.h>

#include "base/errors.h"
#include "base/log.h"
#include "channel/task_helpers.h"
#include "object/core_btf.h"
#include "object/globals.h"
#include "object/kernel_btf.h"
#include "object/libbpf_log.h"
#include "object/map_memory.h"
#include "object/open.h"
#include "reader/selection.h"
#include "session/descendants.h"
#include "session/load_errors.h"
#include "session/parts/session.h"
#include "sys/caps.h"
#include "sys/pid_namespace.h"

struct descendants {
	struct bpf_object *object;
	struct bpf_link *fork;
	/* Bytes by process id: as BPF programs send them, and as the kernel's records have them. */
	struct bpf_map *sent_map, *own_map;
	const unsigned char *sent, *own; /* their memory */
};

/* Compiled in.  Its symbols are global for the same reason as in probe.c. */
__asm__(".pushsection .rodata\n"
	".globl peat_descendants_object, peat_descendants_end\n"
	".hidden peat_descendants_object, peat_descendants_end\n"
	".balign 16\n"
	"peat_descendants_object: .incbin \"" DESCENDANTS_OBJECT "\"\n"
	"peat_descendants_end: .byte 0\n"
	".popsection\n");
extern const unsigned char descendants_object[] __asm__("peat_descendants_object");
extern const unsigned char descendants_end[] __asm__("peat_descendants_end");

#define OBJECT_BYTES ((size_t)(descendants_end - descendants_object))

/* ---- the set --------------------------------------------------------------------------------- */

/* In the initial pid namespace, both sets are one map. */
static int join_maps(struct descendants *set)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	int fd, err;

	if (!pid_namespace__is_initial())
		return 0;
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "peat_descendant", sizeof(uint32_t),
			    PEAT_PIDS_PER_ELEMENT, PEAT_PIDS / PEAT_PIDS_PER_ELEMENT, &opts);
	if (fd < 0)
		return -errno;
	err = bpf_map__reuse_fd(set->sent_map, fd);
	if (!err)
		err = bpf_map__reuse_fd(set->own_map, fd);
	close(fd);
	return err;
}

static int load_object(struct descendants *set, const struct core_btf *btf,
		       struct load_failure *failure)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "peat_follow",
		    .btf_custom_path = core_btf__path(btf));
	int err;

	set->object = open__mem(opts.object_name, descendants_object, OBJECT_BYTES, &opts);
	if (!set->object)
		return -errno;
	set->sent_map = bpf_object__find_map_by_name(set->object, "peat_descendants");
	set->own_map = bpf_object__find_map_by_name(set->object, "peat_own_descendants");
	err = set->sent_map && set->own_map ? join_maps(set) : -EBADMSG;
	if (err)
		return err;
	libbpf_log__watch(failure);
	err = bpf_object__load(set->object);
	libbpf_log__watch(NULL);
	return err;
}

static int map_bytes(const struct bpf_map *map, const unsigned char **bytes)
{
	void *memory = mmap(NULL, PEAT_PIDS, PROT_READ, MAP_SHARED, bpf_map__fd(map), 0);

	if (memory == MAP_FAILED)
		return -errno;
	*bytes = memory;
	return 0;
}

/* A program adds the child, since its id in the initial pid namespace cannot be read here. */
static int add_child(const struct descendants *set, uint32_t child)
{
	uint64_t args[2] = { child };
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args, .ctx_size_in = sizeof(args));
	const struct bpf_program *program =
		bpf_object__find_program_by_name(set->object, "peat_add_child");
	int err = bpf_prog_test_run_opts(bpf_program__fd(program), &opts);

	return err ? err : opts.retval ? 0 : -ECHILD;
}

static int open_set(struct descendants *set, uint32_t child, const char *given_btf,
		    struct load_failure *failure)
{
	struct core_btf btf;
	int err;

	core_btf__choose(&btf, descendants_object, OBJECT_BYTES, given_btf);
	err = load_object(set, &btf, failure);
	core_btf__close(&btf);
	if (!err)
		err = map_bytes(set->sent_map, &set->sent);
	if (!err)
		err = map_bytes(set->own_map, &set->own);
	if (err)
		return err;
	set->fork = bpf_program__attach_raw_tracepoint(
		bpf_object__find_program_by_name(set->object, "peat_follow_fork"),
		"sched_process_fork");
	return set->fork ? add_child(set, child) : -errno;
}

static const char *find_reason(const char *given_btf, struct load_failure *failure, int err)
{
	if (err == -ECHILD)
		return "it is no child of this thread";
	if (!*failure->program || err == -EPERM || err == -EMFILE)
		return strerror(-err);
	load_errors__explain_reason(given_btf, failure, err);
	return failure->reason;
}

/* Without the capabilities, the events of all tasks cannot be had either. */
static void explain(const struct peat_session *session, struct load_failure *failure, int err)
{
	uint32_t ancestor = session->opts.ancestor;
	const char *reason = find_reason(session->btf, failure, err);

	if (err == -EPERM && caps__any_missing())
		log__error("cannot follow the descendants of process %u: %s: %s", ancestor, reason,
			   caps__explain());
	else if (kernel_btf__is_missing() && !session->btf)
		log__error("cannot follow the descendants of process %u: this kernel has no BTF "
			   "(" KERNEL_BTF "): %s",
			   ancestor, load_errors__btf_remedy(NULL));
	else
		log__error("cannot follow the descendants of process %u: %s: select the events of "
			   "all tasks instead (no ancestor of peat_session_opts)",
			   ancestor, reason);
}

/* The set of the session, made for the first of its users. */
static int make_set(struct peat_session *session)
{
	struct load_failure failure = { 0 };
	int err;

	if (session->descendants)
		return 0;
	session->descendants = calloc(1, sizeof(*session->descendants));
	if (!session->descendants)
		return -ENOMEM;
	map_memory__raise_limit();
	err = open_set(session->descendants, session->opts.ancestor, session->btf, &failure);
	if (!err)
		return 0;
	explain(session, &failure, err);
	descendants__free(session->descendants);
	session->descendants = NULL;
	return err;
}

void descendants__free(struct descendants *set)
{
	if (!set)
		return;
	bpf_link__destroy(set->fork);
	if (set->sent)
		munmap((void *)set->sent, PEAT_PIDS);
	if (set->own)
		munmap((void *)set->own, PEAT_PIDS);
	bpf_object__close(set->object);
	free(set);
}

/* ---- filters --------------------------------------------------------------------------------- */

static int use_set(struct peat_session *session, const struct part *part, struct bpf_map *map)
{
	size_t bytes;
	uint32_t *filters = globals__find(part->object, "peat_filters", &bytes);
	int err = filters && bytes == sizeof(*filters) ? 0 : -EBADMSG;

	if (!err)
		err = bpf_map__reuse_fd(map, bpf_map__fd(session->descendants->sent_map));
	if (!err)
		err = bpf_map__set_autocreate(map, true); /* false if the object is bound */
	if (!err)
		*filters |= PEAT_FILTER_ANCESTOR;
	else
		log__error("%s: cannot filter by the descendants of process %u: %s", part->name,
			   session->opts.ancestor, strerror(-err));
	return err;
}

/* One constant has the filters of all programs. */
static void warn_mixed(const struct part *part, const struct bpf_program *for_packets)
{
	if (task_helpers__find_for_tasks(part->object))
		log__warn("%s: the events of all tasks are returned: its program %s is for "
			  "packets, which have no task: leave it out to filter the others by "
			  "descendants",
			  part->name, bpf_program__name(for_packets));
}

int descendants__filter(struct peat_session *session, const struct part *part)
{
	struct bpf_map *map = bpf_object__find_map_by_name(part->object, "peat_descendants");
	const struct bpf_program *for_packets;
	int err;

	if (!session->opts.ancestor || !bpf_object__find_map_by_name(part->object, "peat_stage"))
		return 0;
	for_packets = task_helpers__find_for_packets(part->object);
	if (for_packets) {
		warn_mixed(part, for_packets);
		return 0;
	}
	if (!map) {
		log__warn("%s: the events of all tasks are returned: it was compiled with a "
			  "peat.bpf.h that cannot filter by descendants: compile it again",
			  part->name);
		return 0;
	}
	err = make_set(session);
	return err ? err : use_set(session, part, map);
}

/* Programs of the session's own objects have filtered the events of their channel. */
int descendants__select(struct peat_session *session, const struct peat_reader_opts *opts)
{
	bool is_own = session->channel && !session->maps.is_channel;
	struct selected_pids pids = { .count = PEAT_PIDS };
	int err;

	if (!session->opts.ancestor || (is_own && !opts->side_band))
		return 0;
	err = make_set(session);
	if (err || (is_own && !opts->where_side_band))
		return err;
	if (!is_own)
		pids.of_data =
			session->channel ? session->descendants->sent : session->descendants->own;
	pids.of_records = session->descendants->own;
	selection__choose_pids(session->reader, &pids);
	return 0;
}

bool peat_session__descends(const struct peat_session *session, uint32_t pid)
{
	const struct descendants *set = session->descendants;

	return !set || (pid < PEAT_PIDS && set->own[pid]);
}
