/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * pcapng.h: writes events that are packets as pcapng, the format of Wireshark and tshark.
 * Link with libpeat-data (data.h).
 *
 * An event type has packets if its struct has these members.  The probe `packet` has them, and so
 * can any other probe:
 *
 *	__u8 data[N]	the first bytes of the packet, from its link-layer header on.  The event may
 *			end within them, and PEAT_LEN() may limit them
 *	bytes		a number: the length of the whole packet
 *	ifindex		a number: the index of the network interface
 *	direction	an enum with the names `in` and `out`.  Optional
 *	link		a number: the LINKTYPE_ of the packet (tcpdump.org/linktypes.html).
 *			Optional: without it, the type of the interface decides, or, if that is
 *			unknown, the packet itself: Ethernet or IP
 *
 * So has plaintext of connections, as of the probe `ssl`, with `data`, a PEAT_AS(chars), `bytes`,
 * `direction`, and no `ifindex`.  Each event is a packet of LINKTYPE_WIRESHARK_UPPER_PDU on an
 * interface named `plaintext`.  Wireshark shows its bytes as data, or by a dissector that the user
 * selects for port 0 of TLS: tshark -d tls.port==0,http.
 *
 *	struct peat_sink *sink = peat_sink__new_pcapng(reader, fd, NULL);
 *
 *	while (peat_reader__next(reader, &event) > 0)
 *		peat_sink__write(sink, event);
 *	peat_sink__finish(sink);
 *	peat_sink__free(sink);
 */
#ifndef PEAT_PCAPNG_H
#define PEAT_PCAPNG_H

#include <peat/common.h>
#include <peat/reader.h>
#include <peat/sink.h>

PEAT_BEGIN_DECLS

/* Whether events of this type are packets. */
PEAT_API bool peat_schema__has_packets(const struct peat_schema *schema);

struct peat_pcapng_opts {
	size_t sz; /* sizeof(struct peat_pcapng_opts) */
	/*
	 * Without a reader: the time of day minus the clock of the events, in nanoseconds.  A
	 * reader has its own (peat_reader__wall_clock()).
	 */
	int64_t wall_clock_ns;
	/* Receives the output instead of `fd`, as in struct peat_sink_opts. */
	int (*output)(void *arg, const char *bytes, size_t count);
	void *output_arg;
};

/*
 * Writes the packets among the events to `fd`, which stays the caller's: a file or a pipe.
 *
 * - The file has a section with the machine and the version of peat, an interface for each ifindex
 *   and link type seen, and a packet for each event: with its time of day in nanoseconds, its
 *   length, its bytes and its direction.
 * - A packet with the direction `out`, or without a direction, has a comment with the task that
 *   ran: `pid 1234 (curl)`.  For incoming packets that task is the one that was interrupted, so
 *   they have none, unless they are plaintext.  Programs of tc know the task from Linux 6.10 on.
 * - A loss is a comment of the next packet: `12 events lost before this packet: ring_full`.
 *   peat_sink__finish() writes statistics of each interface.  If there is one interface, they have
 *   the number of lost events as dropped packets; of several, nobody knows which one lost them, so
 *   a comment has the number.
 * - Packets have the order in which they are written: set peat_reader_opts.ordered.
 * - Events of other types are skipped and counted.
 * - Recordings of `peat record` have the names of the interfaces.  In other recordings they are
 *   named after their index: `ifindex 2`.
 * - The byte order is little-endian on every machine.
 *
 * The sink writes in peat_sink__flush(), and after 64 KiB.  A file that ends after any of these can
 * be read.  If writing fails, all later calls return the same error.
 *
 * `reader` returns the events, and has to outlive the sink.  NULL: the events have another source.
 * The schemas of events have to live as long as the sink.
 *
 * NULL and errno on failure, with the reason in the log: EINVAL, ENOMEM; ECHILD: the reader
 * was made before fork().
 */
PEAT_API struct peat_sink *peat_sink__new_pcapng(struct peat_reader *reader, int fd,
						 const struct peat_pcapng_opts *opts);

struct peat_pcapng_stats {
	size_t sz;	     /* sizeof(struct peat_pcapng_stats), set by the caller */
	uint64_t packets;    /* written, or waiting to be */
	uint64_t cut;	     /* packets among them with fewer bytes than their length */
	uint64_t empty;	     /* cut packets without any bytes */
	uint64_t skipped;    /* events that are not packets */
	uint64_t lost;	     /* lost events, of any type */
	uint64_t bytes;	     /* size of the output */
	uint32_t interfaces; /* with another link type, an interface counts twice */
	uint32_t reserved;
};

/* For a sink made by peat_sink__new_pcapng().  Returns 0 or a negative errno. */
PEAT_API int peat_pcapng__stats(struct peat_sink *sink, struct peat_pcapng_stats *stats);

PEAT_END_DECLS

#endif /* PEAT_PCAPNG_H */
