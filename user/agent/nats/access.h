/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* nats/access.h: credentials for a server of NATS, and certificates for TLS. */
#ifndef PEAT_NATS_ACCESS_H
#define PEAT_NATS_ACCESS_H

#include "base/strbuf.h"
#include "output/private_file.h"

/* NULL: not set. */
struct nats_access {
	const char *credentials_file; /* NAME.creds: a JWT and its key */
	const char *user, *password_file, *token_file;
	const char *password, *token; /* used instead of the files */
	const char *ca_file, *cert_file, *key_file;
};

struct nats_fault {
	const char *name;	    /* of the setting: "token-file" */
	char why[PRIVATE_FILE_WHY]; /* without secrets */
};

/*
 * Checks the settings and their files, and appends the password or the token, with a NUL, to
 * `secret`; nothing, if there is none.
 *
 *	0
 *	-EINVAL	settings exclude or need each other
 *	-EACCES	a file cannot be read, is open to other users, or has no secret
 *	-ENOMEM
 */
int nats_access__read(const struct nats_access *access, struct strbuf *secret,
		      struct nats_fault *fault);

#endif /* PEAT_NATS_ACCESS_H */
