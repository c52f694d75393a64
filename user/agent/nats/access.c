// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* nats/access.c: checks credentials and certificates, and reads secrets. */
#include <stdio.h>
#include <unistd.h>

#include "base/errors.h"
#include "nats/access.h"

static int refuse(struct nats_fault *fault, const char *name, int err, const char *why)
{
	fault->name = name;
	snprintf(fault->why, sizeof(fault->why), "%s", why);
	return err;
}

/* ---- settings -------------------------------------------------------------------------------- */

static int check_partners(const struct nats_access *access, struct nats_fault *fault)
{
	const bool has_password = access->password || access->password_file;
	const bool has_token = access->token || access->token_file;

	if (!!access->credentials_file + (access->user || has_password) + has_token > 1)
		return refuse(fault, access->credentials_file ? "credentials-file" : "user",
			      -EINVAL, "a credentials-file, a user and a token exclude each other");
	if (!access->user != !has_password)
		return refuse(fault, access->user ? "user" : "password-file", -EINVAL,
			      "user and password-file need each other");
	if (!access->key_file != !access->cert_file)
		return refuse(fault, access->key_file ? "key-file" : "cert-file", -EINVAL,
			      "cert-file and key-file need each other");
	return 0;
}

/* libnats 3.4 writes texts into JSON as they are. */
static const char *find_fault(const char *text)
{
	if (!*text)
		return "it is empty";
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f || *text == '"' || *text == '\\')
			return "it has a control character, \" or \\, which libnats cannot send";
	return NULL;
}

static int check_text(const char *name, const char *text, int err, struct nats_fault *fault)
{
	const char *why = text ? find_fault(text) : NULL;

	return why ? refuse(fault, name, err, why) : 0;
}

/* ---- files ----------------------------------------------------------------------------------- */

static int read_private(const char *name, const char *path, struct strbuf *text,
			struct nats_fault *fault)
{
	int err = private_file__read(path, text, fault->why);

	fault->name = name;
	return !err || err == -ENOMEM ? err : -EACCES;
}

static int check_private(const char *name, const char *path, struct nats_fault *fault)
{
	struct strbuf text = { 0 };
	int err = path ? read_private(name, path, &text, fault) : 0;

	strbuf__free(&text);
	return err;
}

static int check_public(const char *name, const char *path, struct nats_fault *fault)
{
	char why[PRIVATE_FILE_WHY];

	if (!path || !access(path, R_OK))
		return 0;
	snprintf(why, sizeof(why), "cannot be read: %s", strerror(errno));
	return refuse(fault, name, -EACCES, why);
}

/* A file with one line, which is the secret. */
static int read_line(const char *name, const char *path, struct strbuf *secret,
		     struct nats_fault *fault)
{
	int err = read_private(name, path, secret, fault);
	size_t length;

	if (err)
		return err;
	length = strcspn(secret->bytes, "\r\n");
	if (secret->bytes[length + strspn(secret->bytes + length, "\r\n")])
		return refuse(fault, name, -EACCES, "it has more than one line");
	secret->bytes[length] = 0;
	return check_text(name, secret->bytes, -EACCES, fault);
}

static int read_secret(const struct nats_access *access, struct strbuf *secret,
		       struct nats_fault *fault)
{
	const char *text = access->user ? access->password : access->token;
	const char *path = access->user ? access->password_file : access->token_file;

	if (path && !text)
		return read_line(access->user ? "password-file" : "token-file", path, secret,
				 fault);
	if (!text)
		return 0;
	fault->name = access->user ? "password" : "token";
	strbuf__bytes(secret, text, strlen(text) + 1);
	return secret->failed ? -ENOMEM : check_text(fault->name, text, -EINVAL, fault);
}

int nats_access__read(const struct nats_access *access, struct strbuf *secret,
		      struct nats_fault *fault)
{
	int err = check_partners(access, fault);

	err = err ?: check_text("user", access->user, -EINVAL, fault);
	err = err ?: check_private("credentials-file", access->credentials_file, fault);
	err = err ?: check_private("key-file", access->key_file, fault);
	err = err ?: check_public("ca-file", access->ca_file, fault);
	err = err ?: check_public("cert-file", access->cert_file, fault);
	err = err ?: read_secret(access, secret, fault);
	return err == -ENOMEM ? refuse(fault, fault->name, err, "no memory") : err;
}
