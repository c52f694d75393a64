/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * pcapng/exported_pdu.h: packets of LINKTYPE_WIRESHARK_UPPER_PDU: the payload of a protocol without
 * its headers, after tags that name the dissector (epan/exported_pdu.h of Wireshark).  Pure.
 */
#ifndef PEAT_PCAPNG_EXPORTED_PDU_H
#define PEAT_PCAPNG_EXPORTED_PDU_H

#include "pcapng/blocks.h"

/* Bytes before the payload. */
#define EXPORTED_PDU_TAGS 32

/*
 * Appends the tags for payload of TLS.  Wireshark looks up its dissector by port 0 of the table
 * "tls.port", in which it has none until users add one: tshark -d tls.port==0,http.
 */
void exported_pdu__tags(struct strbuf *out, enum block_direction direction);

#endif /* PEAT_PCAPNG_EXPORTED_PDU_H */
