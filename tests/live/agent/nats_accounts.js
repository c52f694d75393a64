// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
//
// usage: node nats_accounts.js MODULES DIR SECONDS
//
// Makes the credentials of a server of NATS in DIR, by the package "nkeys.js" of MODULES (node_modules): auth.conf, a part
// of the server's configuration with an account; revoked.conf, the same, where the user of revoked.creds is revoked;
// right.creds; short.creds, which expire after SECONDS; wrong.creds of an account that the server does not have.
"use strict";

const crypto = require("crypto"), fs = require("fs"), path = require("path");
const [modules, dir, seconds] = process.argv.slice(2);
const nkeys = require(path.resolve(modules, "nkeys.js"));
const now = Math.floor(Date.now() / 1000);
const unlimited = { subs: -1, data: -1, payload: -1 };

function encode(value) {
	return Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
}

function sign(issuer, subject, name, nats, exp) {
	const claims = { jti: crypto.randomUUID(), iat: now, iss: issuer.getPublicKey(), name,
		sub: subject.getPublicKey(), nats: { ...nats, version: 2 }, exp };
	const text = encode({ typ: "JWT", alg: "ed25519-nkey" }) + "." + encode(claims);

	return text + "." + Buffer.from(issuer.sign(Buffer.from(text))).toString("base64url");
}

function accountToken(account, name, revocations) {
	const limits = { ...unlimited, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1,
		mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

	return sign(operator, account, name, { limits, revocations, type: "account" });
}

function writeUser(account, name, exp) {
	const user = nkeys.createUser();
	const token = sign(account, user, name, { pub: {}, sub: {}, ...unlimited, type: "user" }, exp);

	fs.writeFileSync(path.join(dir, name + ".creds"),
		"-----BEGIN NATS USER JWT-----\n" + token + "\n------END NATS USER JWT------\n\n" +
		"-----BEGIN USER NKEY SEED-----\n" + Buffer.from(user.getSeed()).toString() +
		"\n------END USER NKEY SEED------\n", { mode: 0o600 });
	return user.getPublicKey();
}

function writeServer(name, revocations) {
	const accounts = { [account.getPublicKey()]: accountToken(account, "PEAT", revocations),
		[system.getPublicKey()]: sign(operator, system, "SYS", { limits: { ...unlimited, conn: -1 }, type: "account" }) };

	fs.writeFileSync(path.join(dir, name), "operator: \"" + sign(operator, operator, "O", { type: "operator" }) + "\"\n" +
		"system_account: " + system.getPublicKey() + "\nresolver: MEMORY\nresolver_preload: {\n" +
		Object.entries(accounts).map(([key, token]) => "\t" + key + ": \"" + token + "\"\n").join("") + "}\n");
}

const operator = nkeys.createOperator(), account = nkeys.createAccount(), system = nkeys.createAccount();

writeUser(account, "right");
writeUser(account, "short", now + Number(seconds));
writeUser(nkeys.createAccount(), "wrong");
const revoked = writeUser(account, "revoked");
writeServer("auth.conf", {});
writeServer("revoked.conf", { [revoked]: now + 1000 });
