/**
 * What a person does on the page of a client, and what they must see. Each scenario has a page and a conversation
 * of its own; it throws with the reason where the client does not do what it should.
 */

/**
 * @typedef {object} Stage
 * @property {import("playwright-core").Page} page
 * @property {string} chatId
 * @property {Awaited<ReturnType<typeof import("./server.js").startCallboard>>} callboard
 * @property {string} label a word that is in no other scenario
 */

/** @type {Readonly<Record<string, (stage: Stage) => Promise<void>>>} */
export const scenarios = {
  async text(stage) {
    await send(stage, "say hello");
    await sees(stage, ["user: say hello", "assistant: Rehearsal: hello"]);
  },

  async "server tool"(stage) {
    const script = 'call echo {"text":"again"}\nsay bye';
    await send(stage, script);
    await sees(stage, [`user: ${script}`, "echo done: again", "assistant: Rehearsal: bye"]);
  },

  async "approval, allowed"(stage) {
    const { label, callboard } = stage;
    await send(stage, `call ask_first {"command":"${label}"}\nsay done`);
    await click(stage, "Allow");
    await seesLast(stage, [`ask_first done: ran ${label}`, "assistant: Rehearsal: done"]);
    same(callboard.tools.counts.get(label), 1, "times that the tool ran");
    await hasRuns(stage, 1);
  },

  async "approval, denied"(stage) {
    const { label, callboard } = stage;
    await send(stage, `call ask_first {"command":"${label}"}\nsay over`);
    await click(stage, "Deny");
    await seesLast(stage, ["assistant: Rehearsal: over"]);
    same(callboard.tools.counts.get(label), undefined, "times that the tool ran");
    await hasRuns(stage, 1);
  },

  async "client tool"(stage) {
    const { callboard, chatId } = stage;
    await send(stage, 'call page_weather {"city":"Ghent"}\nsay warm');
    await seesLast(stage, ["assistant: Rehearsal: warm"]);
    const [call] = await callboard.callsOf(chatId);
    same(call?.status, "completed", "status of the call in the rows");
    if (!JSON.stringify(call).includes("21"))
      throw new Error("the result did not reach the server");
    await hasRuns(stage, 1);
  },

  async "stop, next message"(stage) {
    const { callboard, label } = stage;
    await send(stage, `call wait_for_test {"name":"${label}"}\nsay late`);
    await callboard.tools.waits(label);
    await click(stage, "Stop");
    await isReady(stage);
    await send(stage, "say next");
    await seesLast(stage, ["user: say next", "assistant: Rehearsal: next"]);
    if ((await shown(stage)).includes("assistant: Rehearsal: late")) throw new Error("it went on");
    await hasRuns(stage, 2);
  },

  async "reload in the middle"(stage) {
    const { page, callboard, label } = stage;
    const script = `say begun\ncall wait_for_test {"name":"${label}"}\nsay after`;
    await send(stage, script);
    await callboard.tools.waits(label);
    await page.reload();
    await sees(stage, [
      `user: ${script}`,
      "assistant: Rehearsal: begun",
      "wait_for_test running: ",
    ]);
    callboard.tools.release(label);
    await sees(stage, [
      `user: ${script}`,
      "assistant: Rehearsal: begun",
      `wait_for_test done: ${label} went on`,
      "assistant: Rehearsal: after",
    ]);
    await page.reload();
    await seesLast(stage, ["assistant: Rehearsal: after"]);
    await hasRuns(stage, 1);
  },

  async "reload at a question"(stage) {
    const { page, callboard, label } = stage;
    await send(stage, `call ask_first {"command":"${label}"}\nsay done`);
    await asks(stage);
    await page.reload();
    await click(stage, "Allow");
    await seesLast(stage, [`ask_first done: ran ${label}`, "assistant: Rehearsal: done"]);
    same(callboard.tools.counts.get(label), 1, "times that the tool ran");
    await hasRuns(stage, 1);
  },

  async regenerate(stage) {
    const { page } = stage;
    await send(stage, "say first");
    await seesLast(stage, ["assistant: Rehearsal: first"]);
    await send(stage, "say once");
    await seesLast(stage, ["assistant: Rehearsal: once"]);
    await click(stage, "Regenerate");
    await hasRuns(stage, 3);
    const expected = [
      "user: say first",
      "assistant: Rehearsal: first",
      "user: say once",
      "assistant: Rehearsal: once",
    ];
    await sees(stage, expected);
    await rowsSay(stage, expected);
    await page.reload();
    await sees(stage, expected);
  },

  async edit(stage) {
    const { page } = stage;
    await send(stage, "say first");
    await seesLast(stage, ["assistant: Rehearsal: first"]);
    await send(stage, "say wrong");
    await seesLast(stage, ["assistant: Rehearsal: wrong"]);
    await edit(stage, "say right");
    const expected = [
      "user: say first",
      "assistant: Rehearsal: first",
      "user: say right",
      "assistant: Rehearsal: right",
    ];
    await sees(stage, expected);
    await rowsSay(stage, expected);
    await page.reload();
    await sees(stage, expected);
  },

  async "provider error"(stage) {
    await send(stage, "say half\nfail");
    await seesError(stage, /asked to fail|could not be completed|provider/i);
    await isReady(stage);
    await send(stage, "say recovered");
    await seesLast(stage, ["user: say recovered", "assistant: Rehearsal: recovered"]);
  },
};

/**
 * @param {Stage} stage
 * @param {string} text
 */
async function send({ page }, text) {
  await page.locator("textarea").fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

async function edit({ page }, text) {
  await page.locator("textarea").fill(text);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
}

async function click({ page }, name) {
  await page.getByRole("button", { name, exact: true }).click();
}

async function asks({ page }) {
  await page.getByRole("dialog").waitFor();
}

async function isReady({ page }) {
  await page.locator('main[data-status="ready"]').waitFor();
}

/** The page in lines: what was said, and the tools with their state and output. */
async function shown({ page }) {
  return await page.locator("main li").evaluateAll((items) =>
    items.flatMap((item) =>
      [...item.querySelectorAll("p, pre")].flatMap(({ dataset, textContent }) => {
        const text = (textContent ?? "").trim();
        if (dataset.tool !== undefined) return [`${dataset.tool} ${dataset.state}: ${text}`];
        return text === "" ? [] : [`${item.dataset.role}: ${text}`];
      }),
    ),
  );
}

/** Waits until the page shows exactly this, whatever the order of a message's texts and tools. */
async function sees(stage, expected) {
  const wanted = JSON.stringify(expected.toSorted());
  await until(stage, async () => {
    const lines = await shown(stage);
    return JSON.stringify(lines.toSorted()) === wanted ? undefined : lines;
  });
  await isReadyUnlessRunning(stage, expected);
}

async function isReadyUnlessRunning(stage, expected) {
  if (!expected.some((line) => line.includes(" running: "))) await isReady(stage);
}

/** Waits until the page shows these lines, whatever else it shows, and has come to rest. */
async function seesLast(stage, expected) {
  await until(stage, async () => {
    const lines = await shown(stage);
    return expected.every((line) => lines.includes(line)) ? undefined : lines;
  });
  await isReady(stage);
}

async function seesError(stage, pattern) {
  await until(stage, async () => {
    const errors = await stage.page.getByRole("alert").allTextContents();
    return errors.some((text) => pattern.test(text)) ? undefined : errors;
  });
}

const patienceMs = 60_000;
const lookAgainMs = 40;

/** @param {() => Promise<unknown>} look gives undefined once it is as it should be, or what is there instead */
async function until({ page }, look) {
  const end = Date.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found === undefined) return;
    if (Date.now() > end) {
      const errors = await page.getByRole("alert").allTextContents();
      throw new Error(`the page shows ${JSON.stringify(found)} ${errors.join(" ")}`.trim());
    }
    await page.waitForTimeout(lookAgainMs);
  }
}

async function hasRuns({ callboard, chatId, page }, count) {
  await until({ page }, async () => {
    const runs = await callboard.runsOf(chatId);
    return runs.length === count ? undefined : `${runs.length} runs instead of ${count}`;
  });
}

/** The rows of the conversation say what the page says. */
async function rowsSay({ callboard, chatId, page }, expected) {
  await until({ page }, async () => {
    const rows = await callboard.rowsOf(chatId);
    const lines = rows.flatMap(({ role, content }) =>
      content.flatMap(({ type, text }) => (type === "text" ? [`${role}: ${text}`] : [])),
    );
    return JSON.stringify(lines) === JSON.stringify(expected) ? undefined : { rows: lines };
  });
}

function same(actual, expected, what) {
  if (actual !== expected) throw new Error(`${what}: ${actual} instead of ${expected}`);
}
