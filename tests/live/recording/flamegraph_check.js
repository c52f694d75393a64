// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * flamegraph_check.js: uses a flame graph as a person does, and writes the findings into the
 * document: its element "findings" has a line "passed" or "FAILED" per check.  test_flamegraph.c
 * inserts it at the end of the picture.  window.errors: scripts' errors so far.
 */
"use strict";
{
	const svg = document.documentElement;
	const byId = (id) => document.getElementById(id);
	const findings = [];

	const check = (what, holds, detail) =>
		findings.push(`${holds ? "passed" : "FAILED"}: ${what}${holds ? "" : ": " + detail}`);
	const groups = Array.from(byId("frames").children);
	const rectOf = (group) => group.querySelector("rect").getBoundingClientRect();
	const nameOf = (group) => group.querySelector("title").textContent.split("\n")[0];
	const isShown = (group) => getComputedStyle(group).display !== "none";
	const shownCount = () => groups.filter(isShown).length;

	// The element at the middle of a box gets the event, as from a mouse.
	const point = (group, type) => {
		const box = rectOf(group);
		const x = box.x + box.width / 2, y = box.y + box.height / 2;
		const element = document.elementFromPoint(x, y - 0.5);

		if (!element)
			return null;
		element.dispatchEvent(new MouseEvent(type, { bubbles: true, clientX: x, clientY: y }));
		return element;
	};
	const press = (key, options) => (document.activeElement || svg).dispatchEvent(
		new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...options }));
	const type = (text) => {
		byId("search").value = text;
		byId("search").dispatchEvent(new Event("input", { bubbles: true }));
	};
	const narrower = () => groups.filter((group) =>
		isShown(group) && rectOf(group).width > 40 && rectOf(group).width < innerWidth / 2);

	const useIt = () => {
		const all = groups[0], width = svg.getBoundingClientRect().width - 20;

		check("there are boxes", groups.length > 3, groups.length);
		check("the picture is as wide as the window", Math.abs(rectOf(all).width - width) < 1,
			`${rectOf(all).width}, not ${width}`);
		check("the outermost box is named", all.querySelector("text").textContent === "all",
			all.querySelector("text").textContent);
		for (const group of groups) {
			const text = group.querySelector("text");

			if (text.textContent && text.getBoundingClientRect().width > rectOf(group).width)
				check("texts fit into their boxes", false, text.textContent);
		}

		const top = byId("heading").getBoundingClientRect().y;
		check("the header is at the top of the window", top >= 0 && top < 40, top);
		check("the outermost box can be seen", rectOf(all).bottom <= innerHeight,
			`${rectOf(all).bottom} of ${innerHeight}`);

		// A click zooms.
		const target = narrower().reduce((best, group) =>
			best && best.dataset.w >= group.dataset.w ? best : group, null);
		const before = shownCount();
		check("a box can be clicked", target && point(target, "click") !== null, "no box");
		check("a click zooms", Math.abs(rectOf(target).width - width) < 1, rectOf(target).width);
		check("other boxes are hidden", shownCount() < before && isShown(all), shownCount());
		check("outer boxes are marked", all.classList.contains("outer"), all.className.baseVal);
		check("the address has the zoom", /^#box=[1-9]/.test(location.hash), location.hash);
		check("the zoom can be undone", !byId("reset").hidden, "no button");
		byId("reset").click();
		check("the button undoes it", shownCount() === before && byId("reset").hidden, shownCount());

		// The line at the bottom, and tooltips.
		point(target, "mouseover");
		check("the box is described", byId("status").textContent.startsWith(nameOf(target)),
			byId("status").textContent);
		check("boxes have tooltips", groups.every((group) =>
			/^[^]+\n.+\n[^\n]+, [0-9.]+ %$/.test(group.querySelector("title").textContent)),
			"no count");

		// The search.
		press("f", { ctrlKey: true });
		check("Ctrl-F goes to the search", document.activeElement === byId("search"),
			document.activeElement.id);
		type("^" + nameOf(target).replace(/[^a-z0-9_]/gi, "\\$&") + "$");
		const share = Number(byId("matched").textContent.replace(/[^0-9.]/g, ""));
		const least = 100 * target.dataset.w / all.dataset.w;
		check("the share of matches is shown", share >= least - 0.01 && share <= 100,
			byId("matched").textContent);
		check("the address has the search", location.hash.includes("search="), location.hash);
		check("matches are coloured",
			getComputedStyle(target.querySelector("rect")).fill === "rgb(255, 119, 255)",
			getComputedStyle(target.querySelector("rect")).fill);
		type("(");
		check("a wrong pattern is reported", /not a regular/.test(byId("matched").textContent),
			byId("matched").textContent);
		type("^all$");
		check("all is 100 %", byId("matched").textContent === "matched 100.00 %",
			byId("matched").textContent);
		press("Escape");
		check("Escape ends the search", byId("search").value === "" &&
			!document.querySelector(".match"), byId("search").value);

		// The keyboard.
		all.focus();
		press("ArrowUp");
		const above = document.activeElement;
		check("an arrow goes up", above !== all && rectOf(above).y < rectOf(all).y, above.id);
		press("ArrowDown");
		check("an arrow goes down", document.activeElement === all, document.activeElement.id);
		target.focus();
		press("Enter");
		check("Enter zooms", Math.abs(rectOf(target).width - width) < 1, rectOf(target).width);
		press("Escape");
		check("Escape undoes it", shownCount() === before, shownCount());
	};

	try {
		useIt();
	} catch (error) {
		check("the check runs", false, error.stack);
	}
	check("no script failed", !window.errors.length, window.errors.join("; "));
	const written = document.createElementNS("http://www.w3.org/2000/svg", "desc");
	written.id = "findings";
	written.textContent = "\n" + findings.join("\n") + "\n";
	svg.append(written);
}
