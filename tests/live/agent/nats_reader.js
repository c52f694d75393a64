// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
//
// usage: node nats_reader.js MODULES URL STREAM FILE
//
// Reads all messages of a stream by the package "nats" of MODULES (node_modules): prints SUBJECT, Nats-Msg-Id and bytes of
// each, and leaves them in FILE, one after the other.
"use strict";

const fs = require("fs"), path = require("path");
const [modules, servers, stream, file] = process.argv.slice(2);
const { connect } = require(path.resolve(modules, "nats"));

// A stream whose leader was killed does not answer until there is another one.
async function ask(request) {
	for (let tries = 0; ; tries++) {
		try {
			return await request();
		} catch (error) {
			if (tries === 20)
				throw error;
			await new Promise((resolve) => setTimeout(resolve, 1000));
		}
	}
}

async function read() {
	const connection = await ask(() => connect({ servers }));
	const manager = await ask(() => connection.jetstreamManager());
	const { state } = await ask(() => manager.streams.info(stream));
	const out = fs.openSync(file, "w");

	for (let seq = state.first_seq; state.messages && seq <= state.last_seq; seq++) {
		const message = await ask(() => manager.streams.getMessage(stream, { seq }));

		console.log(message.subject, message.header.get("Nats-Msg-Id"), message.data.length);
		fs.writeSync(out, message.data);
	}
	await connection.close();
}

read().catch((error) => {
	console.error(error.message);
	process.exit(1);
});
