// Reports: those that are kept, the one that is being made, and the page of a finished one.

import { byId, element } from "./dom.js";
import { ask } from "./api.js";
import { button, deleter, drawProgress, fillProgress, Part, pause, show } from "./design_parts.js";

const STATES = { running: "is being made", failed: "failed", cancelled: "was not finished" };

const GREETING = "channel-tunnel design"; // a report's page then offers to try its changes, and to play more deals, here

const FEW = 2; // changes that a name says

// What the rules of a report are called: by a version only if they are its; without a name, by what they change.
export function called({ name, base, of, saved, older, changes }) {
  if (older) return `an older version of ${name}`;
  if (saved || (!of && name !== "draft")) return name;
  const more = changes.length > FEW ? ` and ${changes.length - FEW} more` : "";
  return changes.length ? `${changes.slice(0, FEW).map((one) => one.replace(/\.$/, "")).join("; ")}${more}` : `${base}, unchanged`;
}

export class Shelf extends Part {
  // onTry(report, turned): its rules are to be the draft; onDone(report): whether somebody else shows what a finished report changes, so that it need not be opened.
  constructor(given) {
    super(given);
    byId("reader-close").addEventListener("click", () => this.close());
    byId("reader-newer").addEventListener("click", () => this.read(this.latest));
    const page = byId("reader-page");
    page.addEventListener("load", () => {
      page.contentWindow.postMessage(GREETING, "*");
      page.contentWindow.postMessage({ took: this.took }, "*");
    });
    addEventListener("message", ({ source, data }) => {
      if (source !== page.contentWindow || !data || !this.reading) return;
      if (data.more) return this.attempt(() => this.playMore(this.reading, data.more));
      if (!data.try) return;
      const { key, value } = data.try;
      this.attempt(() => this.onTry(this.reading, { key, value }));
    });
  }

  // --- reports ------------------------------------------------------------------------------------

  fillReports(reports) {
    byId("reports").replaceChildren(...reports.map((report) => this.report(report)));
    if (!reports.length) byId("reports").append(element("li", "note", "No report yet."));
    const running = reports.find((report) => report.state === "running");
    if (running && this.followed !== running.key) this.follow(running.key);
  }

  report(report) {
    const { key, base, deals, decisions, at, state } = report, name = called(report);
    const about = [report.of ? `no longer ${report.of}` : report.saved ? "" : "not saved", `${deals} deals`, decisions ? "after training" : "", `from ${base}`, at, STATES[state]].filter(Boolean).join(", ");
    const row = element("li", "", element("span", "what", name, element("small", "", about)));
    if (state === "done" || (report.written && state !== "running")) row.append(button("Read", `Read the report on ${name}`, () => this.read(report)));
    row.append(button("Open these rules", `Open the rules of the report on ${name}`, () => this.attempt(() => this.onTry(key, {}))));
    if (state !== "running") {
      if (state !== "done") row.append(button("Go on", `Go on with the report on ${name}`, () => this.attempt(() => this.goOn(key))));
      row.append(deleter(`the report on ${name}`, () => this.attempt(async () => {
        const { reports } = await ask(`design/reports/${key}/delete`, {});
        this.fillReports(reports);
      })));
    }
    return row;
  }

  async refresh() {
    this.fillReports((await ask("design")).reports);
  }

  async goOn(key) {
    await ask(`design/reports/${key}/on`, {});
    this.follow(key);
  }

  // The same report on so many deals, or after so much training, that it can probably tell.
  async playMore(reading, more) {
    const { key } = await ask(`design/reports/${reading}/again`, more);
    this.follow(key, () => byId("running").scrollIntoView({ block: "center" }));
  }

  // Watch a report until it ends; a finished one is opened. begun: called once its progress is shown.
  follow(key, begun = () => {}) {
    this.followed = key;
    this.attempt(async () => {
      await this.refresh();
      for (;;) {
        const report = await ask(`design/reports/${key}`);
        if (report.state !== "running") return this.ended(report);
        this.drawProgress(report);
        this.grown(report);
        begun();
        begun = () => {};
        await pause();
      }
    });
  }

  async ended(report) {
    this.followed = null;
    byId("running").hidden = true;
    byId("running").replaceChildren();
    await this.refresh();
    if (report.state === "done" && !this.onDone(report)) this.read(report);
    if (report.state === "failed") this.onError(new Error(`The report failed: ${report.error}`));
  }

  // A page that grows can be read; where a newer one is there, the reader offers it and keeps the place till then.
  grown(report) {
    byId("running").querySelector(".peek").hidden = !report.written || this.reading === report.key;
    if (this.reading === report.key) byId("reader-newer").hidden = report.written === this.shown;
    this.latest = report;
  }

  drawProgress(report) {
    const { key } = report;
    const box = byId("running");
    if (box.dataset.key !== key || !box.firstElementChild) {
      box.dataset.key = key;
      const cancel = button("Cancel", "Cancel the report", () => this.attempt(() => ask(`design/reports/${key}/cancel`, {})));
      cancel.id = "cancel-report";
      const peek = button("Read what is known", "Read what is known of the report so far", () => this.read(this.latest));
      peek.classList.add("peek");
      peek.hidden = true;
      fillProgress(box, "report", peek, cancel);
    }
    box.hidden = false;
    drawProgress(box, report, " of this part");
  }

  // --- reading ------------------------------------------------------------------------------------

  read(report) {
    const { key, deals, written, took } = report;
    this.took = { seconds: took, deals };
    const address = `api/design/reports/${key}/page`;
    byId("reader-title").textContent = `Report on ${called(report)}, ${deals} deals`;
    byId("reader-alone").href = address;
    byId("reader-page").src = address;
    this.reading = key;
    this.shown = written;
    byId("reader-newer").hidden = true;
    show("reader");
  }

  close() {
    if (!byId("reader").hidden) show("numbers");
    byId("reader-page").src = "about:blank";
    this.reading = null;
    byId("reader-newer").hidden = true;
  }
}
