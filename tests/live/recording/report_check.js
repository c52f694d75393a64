// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * report_check.js: uses a page of peat report as a person does, for browse.js.  test_report.c runs
 * it.  STATS: the output of peat replay --stats -j for the same recording.
 */
"use strict";
const { readFileSync } = require("node:fs");

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

async function checkNumbers({ check, evaluate }) {
	const stats = process.env.STATS && JSON.parse(readFileSync(process.env.STATS));
	const counts = await evaluate(`(() => {
		const counts = {};

		for (const type of Data.events.type)
			counts[Data.tables.types[type].name] = (counts[Data.tables.types[type].name] ?? 0) + 1;
		return counts;
	})()`);
	const shown = await evaluate(`Panels.open("events"),
		Object.fromEntries(Array.from(document.querySelectorAll("#counts tr")).slice(1).map((row) =>
			[row.cells[0].textContent, Number(row.cells[1].textContent.replaceAll(",", ""))]))`);
	const sum = Object.values(counts).reduce((a, b) => a + b, 0);

	check("the panel shows all events", same(shown, { ...counts, "all types": sum }),
		`${JSON.stringify(shown)}, not ${JSON.stringify(counts)}`);
	if (!stats)
		return;
	const recorded = Object.fromEntries(Object.entries(stats.samples)
		.filter(([, samples]) => samples)
		.map(([name, samples]) => [name.replace(/^peat:/, ""), samples]));
	const sorted = (it) => Object.entries(it).sort();
	check("the counts are those of replay --stats", same(sorted(counts), sorted(recorded)),
		`${JSON.stringify(counts)}, not ${JSON.stringify(recorded)}`);
	check("the page has these statistics", same(await evaluate("Data.tables.stats"), stats));
}

async function checkFields({ check, evaluate }) {
	const missing = await evaluate(`(async () => {
		const { tables } = Data;
		const wrong = [];

		for (const [i, type] of tables.types.entries()) {
			let rows = 0;
			for (const field of type.fields.keys()) {
				rows = 0;
				await Data.eachValue(i, field, () => rows++);
			}
			if (type.fields.length && rows !== type.events)
				wrong.push(type.name + ": " + rows + " of " + type.events);
			const [event] = Data.eventsByRow(i);
			const fields = await Data.fieldsOf(event);
			if (fields.length !== type.fields.length)
				wrong.push(type.name + " has " + fields.length + " fields");
			if (type.duration >= 0 && Data.events.isSlice[event] &&
				Math.abs(Number(fields[type.duration].value) -
					(Data.events.time[event] - Data.events.start[event])) > 1)
				wrong.push(type.name + ": another duration");
		}
		return wrong.join("; ");
	})()`);

	check("each event has its fields", missing === "", missing);
}

const span = (evaluate) => evaluate("[View.state.from, View.state.to]");
const width = ([from, to]) => to - from;

async function checkMouse({ check, evaluate, wheel, drag, move, press }) {
	const { TOP, gutter } = await evaluate("Timeline.geometry");
	const { x, y, w } = await evaluate(`(({ x, y, width }) => ({ x, y, w: width }))(
		document.getElementById("timeline").getBoundingClientRect())`);
	const middle = x + (gutter + w) / 2, axis = y + TOP - 8, plot = y + TOP + 10;
	const all = await span(evaluate);

	await wheel(middle, plot, -400);
	const zoomed = await span(evaluate);
	check("the wheel zooms in", width(zoomed) < width(all), `${all} to ${zoomed}`);
	await drag(middle, plot, middle - 100, plot);
	const panned = await span(evaluate);
	check("dragging pans", panned[0] > zoomed[0] &&
		Math.abs(width(panned) - width(zoomed)) < 2, `${zoomed} to ${panned}`);
	await drag(middle - 150, axis, middle + 150, axis);
	const selection = await evaluate("View.state.selection");
	check("dragging on the axis selects", selection && width([selection.from, selection.to]) > 0 &&
		selection.from >= panned[0] && selection.to <= panned[1], JSON.stringify(selection));
	const inSpan = await evaluate(`(() => {
		const { from, to } = View.state.selection;

		return [Array.from(Data.events.time).filter((time) => time >= from && time < to).length,
			Number(document.querySelector("#counts tr:last-child").cells[1].textContent
				.replaceAll(",", ""))];
	})()`);
	check("the panel counts the selection", inSpan[0] === inSpan[1], inSpan.join(", not "));
	await press("f");
	const shown = await span(evaluate);
	check("F zooms to the selection", Math.abs(shown[0] - selection.from) < 1000, shown);
	await press("Escape");
	check("Escape removes the selection", await evaluate("View.state.selection === null"));
	await press("0");
	check("0 shows everything", same(await span(evaluate), all), await span(evaluate));
	await move(x + 5, y + TOP + 5);
}

async function checkKeys({ check, evaluate, press }) {
	const all = await span(evaluate);

	await press("w");
	const zoomed = await span(evaluate);
	check("W zooms in", width(zoomed) < width(all), zoomed);
	await press("ArrowRight");
	const panned = await span(evaluate);
	check("the arrows pan", panned[0] > zoomed[0], `${zoomed} to ${panned}`);
	for (const [key, panel] of [["1", "events"], ["2", "flames"], ["3", "durations"], ["4", "keys"],
		["5", "machine"]]) {
		await press(key);
		check(`key ${key} opens ${panel}`, await evaluate(`Panels.shown === "${panel}" &&
			getComputedStyle(document.getElementById("panel-${panel}")).display !== "none"`));
	}
	await press("?");
	check("? opens the help", await evaluate("document.getElementById('help').open"));
	await press("Escape");
	check("Escape closes it", await evaluate("!document.getElementById('help').open"));
	await press("0");
}

// An event's place in the window, if it is in view.
const placeOf = (evaluate) => evaluate(`(() => {
	const box = document.getElementById("timeline").getBoundingClientRect();
	const { TOP, gutter, width, height } = Timeline.geometry;

	for (let y = TOP + 2; y < height; y += 4)
		for (let x = gutter + 1; x < width; x += 2) {
			const found = Timeline.eventsAt(x, y);
			if (found)
				return { x: box.x + x, y: box.y + y, event: found.event,
					name: Data.tables.types[Data.events.type[found.event]].name };
		}
	return null;
})()`);

async function checkTooltip({ check, evaluate, move, click, press }) {
	const place = await placeOf(evaluate);
	const tooltip = () => evaluate(`(() => {
		const box = document.getElementById("tooltip");

		return box.hidden ? "" : box.textContent;
	})()`);

	check("an event is drawn", place);
	await move(place.x, place.y);
	check("its tooltip has its type", (await tooltip()).includes(place.name), await tooltip());
	const names = await evaluate(`Data.tables.types[Data.events.type[${place.event}]].fields
		.map((field) => field.name)`);
	const text = await tooltip();
	check("and all its fields", names.every((name) => text.includes(name)), text);
	await click(place.x, place.y);
	await move(5, 5);
	check("a click keeps it", (await tooltip()).includes(place.name));
	await press("Escape");
	check("Escape closes it", await tooltip() === "");
}

async function checkSearch({ check, evaluate, press, type, settle }) {
	const [name] = await evaluate("Data.tables.types.map((type) => type.name)");
	const expected = await evaluate("Data.tables.types[0].events");
	const pattern = "^" + name.replace(/[^a-z0-9_]/gi, ".") + "$";

	await press("/");
	check("/ goes to the search", await evaluate("document.activeElement.id === 'search'"));
	await type(pattern);
	await evaluate("Page.search()");
	const found = await evaluate("View.state.matchCount");
	check("the search finds a type", found >= expected, `${found}, not ${expected}`);
	const before = await span(evaluate);
	await press("Enter");
	await settle();
	check("Enter goes to a match", !same(await span(evaluate), before));
	check("the search is in the address", (await evaluate("location.hash")).includes("search="),
		await evaluate("location.hash"));
	await evaluate("document.getElementById('search').value = '('; Page.search()");
	check("a wrong pattern is reported",
		await evaluate("document.getElementById('found').classList.contains('bad')"));
	await press("Escape");
	check("Escape ends the search", await evaluate("View.state.matches === null"));
	await press("0");
}

async function checkFlames({ check, evaluate, click, press, settle }) {
	await press("2");
	await settle();
	const [total, stacks] = await evaluate(`[Flames.root.total,
		Data.events.node.reduce((sum, node) => sum + (node ? 1 : 0), 0)]`);
	check("the flame graph counts all stacks", total === stacks, `${total}, not ${stacks}`);
	if (!stacks)
		return;
	const box = await evaluate(`(() => {
		const frame = document.getElementById("flames").getBoundingClientRect();
		const { x, y, w } = Flames.placed.filter((it) => it.box.depth === 1)
			.sort((a, b) => b.w - a.w)[0];

		return { x: frame.x + x + w / 2, y: frame.y + y + 8, w };
	})()`);
	await click(box.x, box.y);
	const wide = await evaluate("Flames.placed.find((it) => it.box.depth === 1).w");
	check("a click zooms in", wide >= box.w, `${box.w} to ${wide}`);
	await evaluate("document.getElementById('flames').focus()");
	await press("Escape");
	check("Escape shows all", await evaluate("Flames.placed[0].box === Flames.root"));
	for (const option of ["reversed", "inverted"])
		check(`${option}: the same sum`, await evaluate(`Flames.options.${option} = true,
			Flames.refresh(), Flames.root.total`) === total);
	await evaluate("Flames.options.reversed = Flames.options.inverted = false, Flames.refresh()");
}

async function checkGroups({ check, evaluate }) {
	for (const group of ["thread", "cpu", "type", "process"]) {
		const [shown, all] = await evaluate(`View.state.group = "${group}", View.tell("group"),
			[Timeline.tracks.reduce((sum, track) => sum + track.count, 0), Data.events.count]`);

		check(`tracks by ${group} have all events`, shown === all, `${shown}, not ${all}`);
	}
	for (const [order, isBefore] of [["time", "a.first <= b.first"], ["count", "a.count >= b.count"]])
		check(`tracks by ${order} are in this order`, await evaluate(`(() => {
			const select = document.getElementById("order");

			select.value = "${order}";
			select.dispatchEvent(new Event("change"));
			return Timeline.tracks.slice(1).every((b, i) => (a => ${isBefore})(Timeline.tracks[i]));
		})()`));
}

async function checkScheme({ check, evaluate, setScheme }) {
	const ground = () => evaluate(`Timeline.draw(), Array.from(document.getElementById("timeline")
		.getContext("2d").getImageData(3, 300, 1, 1).data)`);

	await setScheme("dark");
	const dark = await ground();
	await setScheme("light");
	const light = await ground();
	check("dark mode is dark", dark[0] < 64 && light[0] > 192, `${dark}, ${light}`);
}

module.exports = async (person) => {
	const { check, evaluate } = person;

	await evaluate("Page.ready");
	check("it has loaded", await evaluate("document.getElementById('loading').hidden"));
	if (!await evaluate("Data.events.count")) {
		check("it says so", (await evaluate("document.body.innerText")).includes("0 events"));
		return;
	}
	await checkNumbers(person);
	await checkFields(person);
	await checkMouse(person);
	await checkKeys(person);
	await checkTooltip(person);
	await checkSearch(person);
	await checkFlames(person);
	await checkGroups(person);
	await checkScheme(person);
};
