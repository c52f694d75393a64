/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * channel.h: a channel carries the events of programs that include peat.bpf.h.  It consists of a
 * perf event array, a stage with four slots per CPU, and counters.  Several BPF objects can share
 * one channel.
 *
 *	struct peat_channel *channel = peat_channel__new(NULL);
 *	struct bpf_object *object = peat_channel__open_file(channel, "exec.bpf.o", NULL);
 *
 *	bpf_object__load(object);
 *	struct peat_reader *reader = peat_reader__new(channel, NULL);
 *	...attach, wait, next...
 *	peat_reader__free(reader);
 *	peat_channel__free(channel);
 */
#ifndef PEAT_CHANNEL_H
#define PEAT_CHANNEL_H

#include <peat/common.h>
#include <peat/schema.h>
#include <peat/stack_kind.h>

PEAT_BEGIN_DECLS

struct bpf_object; /* libbpf's, as the next two */
struct bpf_object_open_opts;
struct bpf_object_skeleton;
struct peat_channel;
struct peat_table;
struct peat_where;

/* The stacks of events, a part of the options of sessions, channels and readers. */
struct peat_stack_request {
	uint32_t kinds; /* PEAT_STACK_* (stack_kind.h), or-ed; 0: the default */
	/*
	 * Addresses of each stack; 0: 127.  At most kernel.perf_event_max_stack, which is 127
	 * unless it was changed, and 1024.
	 */
	uint32_t depth;
	/* PEAT_STACK_DWARF: bytes of the user stack, a multiple of 8, at most 16384; 0: 8192. */
	uint32_t memory_bytes;
	uint32_t reserved; /* 0 */
};

struct peat_channel_opts {
	size_t sz; /* sizeof(struct peat_channel_opts) */
	/*
	 * Bytes in a slot that make the program write it to its ring; 0: 4096, with stacks 16384.
	 * Fewer and larger writes cost the traced program less.  Before Linux 5.10 each event is
	 * written at once.
	 */
	uint32_t batch_bytes;
	/*
	 * Size of a slot, from 4096 to 65408, a multiple of 64.  0: as much as batch_bytes and the
	 * largest event of the first object need, at least 8192.  With stacks, 4096 bytes and the
	 * stacks more than batch_bytes, for objects bound later.
	 */
	uint32_t slot_bytes;
	/* Limit of events per second and CPU, the rest counted as throttled; 0: no limit. */
	uint64_t max_rate;
	bool no_time; /* leave out the timestamp of each event: saves reading the clock */
	bool no_ids;  /* leave out the ids of the process and thread that ran */
	/*
	 * Write each event to its ring at once: for readers with `immediate`.  batch_bytes has to
	 * be 0.
	 */
	bool unstaged;
	/* Send the user and the cgroup of the task with each event: peat_event.has_owner. */
	bool owner;
	uint8_t reserved[4]; /* 0 */
	/*
	 * Events that match, and the table that counts them; NULL: all events are transported.
	 * Programs test and count as much as they can, the channel's readers the rest.  Both have
	 * to live as long as the channel.
	 */
	struct peat_where *where;
	struct peat_table *table;
	/*
	 * The stacks that programs take with events that have PEAT_STACKS (peat.bpf.h); kinds 0:
	 * those that the object takes by default (PEAT_DEFAULT_STACKS), which are none in most
	 * objects.
	 */
	struct peat_stack_request stacks;
};

/* The defaults: all members but sz are 0.  NULL options mean the same. */
#define PEAT_CHANNEL_OPTS_INIT                                                                     \
	{                                                                                          \
		sizeof(struct peat_channel_opts), 0, 0, 0, false, false, false, false, { 0 },      \
			NULL, NULL,                                                                \
		{                                                                                  \
			0, 0, 0, 0                                                                 \
		}                                                                                  \
	}

/*
 * Makes a channel.  NULL and errno on failure, with the reason in the log:
 *	EINVAL	wrong options
 *	ENOMEM	no memory
 */
PEAT_API struct peat_channel *peat_channel__new(const struct peat_channel_opts *opts);

/*
 * Open an object and bind it.  `opts` are libbpf's options; NULL: none.  From this call on,
 * libbpf's messages go to the function set by peat_set_print(), as with peat_session__new().
 *
 * Before Linux 5.12, BPF programs have no atomic operations that return a value.  There these
 * functions replace the operations of peat.bpf.h by plain ones, before libbpf reads the object.
 * Such a channel works alike, but its reader does not sleep without a tick.
 *
 * On a kernel without BTF, programs of tp_btf become programs of raw_tp: see PEAT_READ() of
 * peat.bpf.h.  CO-RE then needs a file with the kernel's types, as the member btf_custom_path of
 * `opts`.
 *
 *	peat_channel__open()		an ELF file in memory: `bytes` bytes at `elf`, needed
 *					during the call only
 *	peat_channel__open_file()	an ELF file
 *	peat_channel__open_skeleton()	a skeleton of `bpftool gen skeleton`, instead of
 *					NAME__open(): 0, or a negative errno
 *
 *		struct exec_bpf *skel = calloc(1, sizeof(*skel));
 *
 *		exec_bpf__create_skeleton(skel);
 *		peat_channel__open_skeleton(channel, skel->skeleton, NULL);
 *		exec_bpf__load(skel);
 *
 * NULL and errno on failure, with the reason in the log.  Errors of peat_channel__bind(), and:
 *	EOPNOTSUPP	a program has an atomic operation of its own that this kernel does not have;
 *			or a real-time kernel before Linux 5.12
 *	EINVAL		not a BPF object, or one without BTF; or, before Linux 5.12, an object that
 *			was compiled with an older peat.bpf.h
 *	ENOMEM		no memory
 *	other errors of libbpf and open(2)
 */
PEAT_API struct bpf_object *peat_channel__open(struct peat_channel *channel, const void *elf,
					       size_t bytes,
					       const struct bpf_object_open_opts *opts);
PEAT_API struct bpf_object *peat_channel__open_file(struct peat_channel *channel, const char *path,
						    const struct bpf_object_open_opts *opts);
PEAT_API int peat_channel__open_skeleton(struct peat_channel *channel,
					 struct bpf_object_skeleton *skeleton,
					 const struct bpf_object_open_opts *opts);

/*
 * Makes `object` use this channel.  Call it after open and before load.  It replaces the object's
 * maps peat_ring and peat_stage by the channel's, sets its constants, and gives its events type
 * numbers of their own.  The first object creates the maps.  The object has to live as long as the
 * channel.
 *
 * Counters (PEAT_COUNTER()) are opened by peat_reader__new(), after the load, on each CPU; the
 * reader opens them again on CPUs that return, and closes them when it is freed.
 *
 *	0	bound
 *	-EINVAL	the object does not include peat.bpf.h, is loaded, or has a sleepable program
 *		without PEAT_PRELOAD
 *	-E2BIG	an event of the object is larger than the channel's slots: set slot_bytes
 *	-ENOSPC	no type numbers left: a channel has 16,383
 *	-EPERM	the kernel refused to create the maps
 *	-EOPNOTSUPP	before Linux 5.12: use peat_channel__open(), or peat_object__prepare()
 */
PEAT_API int peat_channel__bind(struct peat_channel *channel, struct bpf_object *object);

/*
 * Returns the bound object that defines the event type number `type`, as it was given to
 * peat_channel__bind(), and stores the id of the type in the object's BTF in `*btf_id`, unless that
 * is NULL.  NULL: the number is unknown, or belongs to programs that another process loaded.
 */
PEAT_API struct bpf_object *peat_channel__type(const struct peat_channel *channel, uint32_t type,
					       uint32_t *btf_id);

/*
 * Returns the schema of the event type number `type`; the channel makes it at the first call and
 * owns it.  NULL and errno: the number is unknown, or the BTF is invalid.
 */
PEAT_API const struct peat_schema *peat_channel__schema(const struct peat_channel *channel,
							uint32_t type);

/* Returns the name of an event type; NULL: unknown.  Valid as long as the object. */
PEAT_API const char *peat_channel__type_name(const struct peat_channel *channel, uint32_t type);

/* Accepts NULL.  Free the channel's readers first. */
PEAT_API void peat_channel__free(struct peat_channel *channel);

PEAT_END_DECLS

#endif /* PEAT_CHANNEL_H */
