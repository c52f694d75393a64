/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* otlp/config.h: the settings of the output, checked. */
#ifndef PEAT_OTLP_CONFIG_H
#define PEAT_OTLP_CONFIG_H

#include <peat/output.h>

#include "base/strbuf.h"

struct curl_slist;

enum otlp_signal { OTLP_LOGS, OTLP_METRICS, OTLP_SIGNALS };

/* Zeroes: none. */
struct otlp_config {
	char *endpoint, *headers_file, *ca_file, *cert_file, *key_file, *compression, *attributes;
	uint64_t timeout_ms; /* of a request */
	uint64_t window;     /* requests under way */
	char *urls[OTLP_SIGNALS];
	bool is_compressed;
	struct curl_slist *headers; /* of each request; secret */
	struct strbuf resource;	    /* the encoded Resource */
};

/* 0; -EINVAL: the log has the reason; -ENOMEM.  Call otlp_config__free() in any case. */
int otlp_config__read(struct otlp_config *config, const struct peat_output_opts *opts);
void otlp_config__free(struct otlp_config *config);

#endif /* PEAT_OTLP_CONFIG_H */
