// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* nats/options.c: makes options of libnats. */
#ifdef HAVE_NATS

#include <stdio.h>

#include "base/errors.h"
#include "nats/options.h"

/* "(conn.c:123): " is before most of them. */
const char *nats_options__error(natsStatus status)
{
	const char *text = nats_GetLastError(NULL), *end;

	if (status == NATS_NO_SERVER)
		return "it cannot be reached";
	if (!text || !*text)
		return natsStatus_GetText(status);
	end = *text == '(' ? strstr(text, "): ") : NULL;
	return end ? end + 3 : text;
}

static natsStatus set_servers(natsOptions *options, const struct server *servers, size_t count)
{
	const char *urls[SERVERS_MAX];
	natsStatus status;

	for (size_t i = 0; i < count; i++)
		urls[i] = servers[i].url;
	status = natsOptions_SetServers(options, urls, (int)count);
	return status ?: natsOptions_SetIgnoreDiscoveredServers(options, true);
}

static natsStatus set_credentials(natsOptions *options, const struct nats_access *access,
				  const char *secret)
{
	if (access->credentials_file)
		return natsOptions_SetUserCredentialsFromFiles(options, access->credentials_file,
							       NULL);
	if (access->user)
		return natsOptions_SetUserInfo(options, access->user, secret);
	return secret ? natsOptions_SetToken(options, secret) : NATS_OK;
}

bool nats_options__need_tls(const struct nats_access *access, const struct server *server)
{
	return server->is_tls || access->ca_file || access->cert_file;
}

/* libnats has defaults that accept any name in a certificate, depending on how it was built. */
static natsStatus set_tls(natsOptions *options, const struct nats_access *access, const char *host)
{
	natsStatus status = natsOptions_SetSecure(options, true);

	status = status ?: natsOptions_SetExpectedHostname(options, host);
	if (access->ca_file && !status)
		status = natsOptions_LoadCATrustedCertificates(options, access->ca_file);
	if (access->cert_file && !status)
		status = natsOptions_LoadCertificatesChain(options, access->cert_file,
							   access->key_file);
	return status;
}

static natsOptions *make(const struct nats_access *access, const struct server *servers,
			 size_t count, const char *secret, char why[NATS_WHY])
{
	natsOptions *options = NULL;
	natsStatus status = natsOptions_Create(&options);
	const char *what = "";

	status = status ?: set_servers(options, servers, count);
	status = status ?: set_credentials(options, access, secret);
	if (!status && nats_options__need_tls(access, servers)) {
		status = set_tls(options, access, servers->host);
		what = "TLS: ";
	}
	if (!status)
		return options;
	snprintf(why, NATS_WHY, "%s%s", what, nats_options__error(status));
	natsOptions_Destroy(options);
	return fail_null(status == NATS_NO_MEMORY ? -ENOMEM : -EPROTO);
}

natsOptions *nats_options__make(const struct nats_access *access, const struct server *servers,
				size_t count, char why[NATS_WHY])
{
	natsOptions *options = NULL;
	struct strbuf secret = { 0 };
	struct nats_fault fault = { 0 };
	int err = nats_access__read(access, &secret, &fault);

	if (err)
		snprintf(why, NATS_WHY, "%s: %s", fault.name, fault.why);
	else
		options = make(access, servers, count, secret.bytes, why);
	if (!err && !options)
		err = -errno;
	strbuf__free(&secret);
	return options ?: fail_null(err);
}

#endif /* HAVE_NATS */
