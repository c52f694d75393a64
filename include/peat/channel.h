/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * channel.h: what carries the events of programs that include peat.bpf.h: a perf event array, a
 * stage with four slots a CPU, and counters.  Several BPF objects can share one.
 *
 *	struct peat_channel *channel = peat_channel__new(NULL);
 *	struct bpf_object *object = ...open...;
 *
 *	peat_channel__bind(channel, object);
 *	...load object...
 *	struct peat_reader *reader = peat_reader__new(channel, NULL);
 *	...attach, wait, next...
 *	peat_reader__free(reader);
 *	peat_channel__free(channel);
 */
#ifndef PEAT_CHANNEL_H
#define PEAT_CHANNEL_H

#include <peat/common.h>
#include <peat/schema.h>

PEAT_BEGIN_DECLS

struct bpf_object; /* libbpf's */
struct peat_channel;

struct peat_channel_opts {
	size_t sz; /* sizeof(struct peat_channel_opts) */
	/*
	 * A slot is written to its ring when it holds this many bytes; 0: after every event.  Fewer
	 * and larger writes cost the traced program less.
	 */
	uint32_t batch_bytes;
	/*
	 * Of each slot, from 4096 to 65408, a multiple of 64; 0: as much as batch_bytes and the
	 * largest event of the first object need, 8192 at least.
	 */
	uint32_t slot_bytes;
	/* Events a second that a CPU may emit; 0: any number.  The others count as throttled. */
	uint64_t max_rate;
	bool no_time; /* events carry no time of their own, which saves a clock read for each */
	bool no_ids;  /* nor the process and thread that ran */
	uint8_t reserved[6];
};

/* What NULL options mean. */
#define PEAT_CHANNEL_OPTS_INIT                                                                     \
	{                                                                                          \
		sizeof(struct peat_channel_opts), 4096, 0, 0, false, false,                        \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}

/* NULL and errno: EINVAL, ENOMEM; the log has the reason. */
PEAT_API struct peat_channel *peat_channel__new(const struct peat_channel_opts *opts);

/*
 * Makes `object`, which is open and not yet loaded, use this channel: its maps peat_ring and
 * peat_stage become the channel's, its constants are set, and its events get type numbers of their
 * own.  The maps are made with the first object; an object whose events do not fit their slots is
 * refused (E2BIG: state slot_bytes).  The object has to live as long as the channel.
 *
 * 0 or a negative errno: EINVAL (it does not include peat.bpf.h, is loaded, or has a sleepable
 * program), E2BIG, ENOSPC (no type numbers left: there are 32,767), EPERM.
 */
PEAT_API int peat_channel__bind(struct peat_channel *channel, struct bpf_object *object);

/*
 * The BPF type id in the BTF of which bound object an event's type number stands for; NULL when
 * there is none, or its programs are others'.  `object` is what peat_channel__bind() was given.
 */
PEAT_API struct bpf_object *peat_channel__type(const struct peat_channel *channel, uint32_t type,
					       uint32_t *btf_id);

/*
 * What events of this type look like; NULL and errno when the type is unknown, or BTF makes no
 * sense.  The channel's own, made when it is first asked for.
 */
PEAT_API const struct peat_schema *peat_channel__schema(const struct peat_channel *channel,
							uint32_t type);

/* The name of an event's type, NULL when it is unknown. Valid as long as the object. */
PEAT_API const char *peat_channel__type_name(const struct peat_channel *channel, uint32_t type);

/* Takes NULL.  Readers go first. */
PEAT_API void peat_channel__free(struct peat_channel *channel);

PEAT_END_DECLS

#endif /* PEAT_CHANNEL_H */
