// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * measure_page.js: the time until a page of peat report shows its events, and the frames per second while it pans, for
 * browse.js.  run-page runs it.
 */
"use strict";
const FRAMES = 180;

// Pans by a hundredth of the span in view per frame; times of FRAMES frames.
const pan = (part) => `(async () => {
	const { first, last } = View.state, times = [];
	const frame = () => new Promise((done) => requestAnimationFrame(done));

	View.setSpan(first, first + (last - first) * ${part});
	for (let i = 0; i < 5; i++)
		await frame();
	for (let i = 0; i < ${FRAMES}; i++) {
		View.pan((View.state.to - View.state.from) / 100);
		await frame();
		times.push(performance.now());
	}
	return times;
})()`;

module.exports = async ({ evaluate, width, height }) => {
	const opened = await evaluate(`Page.ready.then(() =>
		new Promise((done) => requestAnimationFrame(() => done(performance.now()))))`);
	const [events, megabytes] = await evaluate(`[Data.events.count,
		performance.getEntriesByType("navigation")[0].decodedBodySize / 1e6]`);

	console.log(`${width} x ${height}: ${events} events, ${megabytes.toFixed(1)} MB, ` +
		`shown after ${(opened / 1000).toFixed(2)} s`);
	for (const part of [0.5, 0.05, 0.005]) {
		const times = await evaluate(pan(part));
		const waits = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
		const all = times.at(-1) - times[0];

		console.log(`  panning over ${100 * part} %: ${(1000 * waits.length / all).toFixed(0)} frames/s, ` +
			`slowest frame ${waits.at(-1).toFixed(0)} ms, median ${waits[waits.length >> 1].toFixed(1)} ms`);
	}
};
