/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * live/input.h: what a live reader reads.  Each input has operations of its own: nothing else asks
 * which one it is.
 */
#ifndef PEAT_LIVE_INPUT_H
#define PEAT_LIVE_INPUT_H

#include "live/source.h"

/* Functions of a channel.  Readers of other inputs do not link them. */
struct channel_functions {
	const struct peat_schema *(*schema)(const struct peat_channel *channel, uint32_t type);
	const char *(*type_name)(const struct peat_channel *channel, uint32_t type);
	uint64_t (*counted)(const struct cells *cells, uint32_t cpu);

	/* As the member `added` of struct identities. */
	bool (*filter_cgroup)(void *channel, uint64_t id, const struct peat_identity *identity);

	/* See channel/own_ids.h. */
	int (*follow_ids)(struct own_ids_map **map, struct tasks *tasks);
	void (*close_ids)(struct own_ids_map *map);
};

struct live_input {
	struct source_ops ops; /* first: see live_input__of() */

	const struct channel_functions *channel_functions; /* NULL: not a channel */
	const struct live_input *flight; /* for peat_reader_opts.overwrite; NULL: not possible */
	uint32_t sample_fields;		 /* that peat_reader_opts.sample may have */
	bool takes_stacks;		 /* peat_reader_opts.stacks may be set */
	bool needs_side_band;		 /* peat_reader_opts.side_band must be set */

	/* Between reports at the end of a round; 0: only after a flush, and before sleeping. */
	uint64_t losses_interval_ns;

	/*
	 * Opening, in this order.  select: may change the options, before all checks.  check: after
	 * the checks of all inputs.  lay_out: sets the maps and the perf events of the rings. open:
	 * after the rings, before they start.  0 or a negative errno, which is logged unless it is
	 * -ENOMEM.  select and check may be NULL.
	 */
	int (*select)(const struct inputs_config *config, struct peat_reader_opts *opts);
	int (*check)(const struct inputs_config *config, const struct peat_reader_opts *opts);
	void (*lay_out)(struct rings *rings, const struct inputs_config *config,
			const struct peat_reader_opts *opts);
	int (*open)(struct live_source *live, const struct peat_reader_opts *opts);

	/* Called before anything is closed, also after a failed open.  NULL: nothing to do. */
	void (*close)(struct live_source *live);

	/* Called at the end of each round.  0 or a negative errno.  NULL: nothing to do. */
	int (*end_round)(struct live_source *live);

	/* Reports a loss: sets the event's cpu, lost and cause.  False: all are reported. */
	bool (*next_loss)(struct live_source *live, struct peat_event *event);

	/* Sets stats->lost to the most exact count there is.  0 or a negative errno. */
	int (*count_lost)(const struct live_source *live, const struct accounts *accounts,
			  struct peat_reader_stats *stats);
};

extern const struct live_input channel_input, map_input, side_band_input, sampler_input;
extern const struct live_input flight_of_channel, flight_of_maps;
extern const struct channel_functions channel_functions;

static inline struct live_source *live_source__of(const struct peat_reader *reader)
{
	return (struct live_source *)reader;
}

static inline const struct live_input *live_input__of(const struct live_source *live)
{
	return (const struct live_input *)live->reader.ops;
}

/* NULL: errno is set, and the log explains it. */
struct peat_reader *live_source__new(struct inputs_config config,
				     const struct peat_reader_opts *opts);

/* Stores the next event of rings and stage in the reader.  False: call live_source__end_round(). */
static inline bool live_source__fetch(struct live_source *live)
{
	if (live->in_losses)
		return false;
	return live->is_ordered ? ordered__next(&live->ordered) : intake__next(&live->intake);
}

/* The result of `next`: 1: a loss is the next event; 0: the round has ended; a negative errno. */
int live_source__end_round(struct live_source *live);

/* The operations that all inputs share, besides `free`. */
#define LIVE_SOURCE_OPS                                                                            \
	.fd = live_source__fd, .wait = live_source__wait, .interrupt = live_source__interrupt,     \
	.name = live_source__name, .identify = live_source__identify,                              \
	.safe_time = live_source__safe_time, .count = live_source__count,                          \
	.add_losses = live_source__add_losses, .publish = live_source__publish,                    \
	.read_published = live_source__read_published, .ledger = live_source__ledger

void live_source__free(struct peat_reader *reader);
int live_source__fd(const struct peat_reader *reader);
int live_source__wait(struct peat_reader *reader, int timeout_ms);
void live_source__interrupt(const struct peat_reader *reader);
void live_source__name(struct peat_reader *reader);
void live_source__identify(struct peat_reader *reader);
uint64_t live_source__safe_time(struct peat_reader *reader, bool is_urgent);
void live_source__count(const struct peat_reader *reader, struct peat_reader_stats *stats);
int live_source__add_losses(const struct peat_reader *reader, struct peat_reader_stats *stats);
void live_source__publish(struct peat_reader *reader);
int live_source__read_published(const struct peat_reader *reader, uint32_t cpu,
				struct peat_reader_stats *stats, struct peat_ledger *ledger);
int live_source__ledger(const struct peat_reader *reader, uint32_t cpu, struct peat_ledger *ledger);

/* The operations of most inputs. */
void live_source__pause(struct peat_reader *reader);
void live_source__flush(struct peat_reader *reader);

#endif /* PEAT_LIVE_INPUT_H */
