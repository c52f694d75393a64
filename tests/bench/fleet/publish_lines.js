// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
//
// usage: node publish_lines.js MODULES URL SUBJECT < LINES
//
// Publishes each line of standard input as a message of a stream, by the package "nats" of MODULES (node_modules).  Many
// messages are under way at once, and none is lost: the rest of the input waits meanwhile.
"use strict";

const path = require("path");
const [modules, servers, subject] = process.argv.slice(2);
const { connect } = require(path.resolve(modules, "nats"));
const UNDER_WAY = 4096;

async function publish() {
	const connection = await connect({ servers });
	const stream = connection.jetstream();
	let underWay = 0, rest = Buffer.alloc(0), wake = () => {};

	const failed = (error) => {
		console.error(error.message);
		process.exit(1);
	};
	const stored = () => {
		underWay--;
		wake();
	};
	process.on("SIGINT", () => {}); // until the end of the input
	for await (const bytes of process.stdin) {
		const all = Buffer.concat([rest, bytes]);
		let at = 0;

		for (let end; (end = all.indexOf(10, at)) >= 0; at = end + 1) {
			while (underWay >= UNDER_WAY)
				await new Promise((resolve) => { wake = resolve; });
			underWay++;
			stream.publish(subject, all.subarray(at, end)).then(stored, failed);
		}
		rest = all.subarray(at);
	}
	while (underWay)
		await new Promise((resolve) => { wake = resolve; });
	await connection.close();
}

publish().catch((error) => {
	console.error(error.message);
	process.exit(1);
});
