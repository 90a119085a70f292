import { findChromium, startPageServer } from "@callboard/testkit/page";
import { chromium } from "playwright-core";
const server = await startPageServer({ pageFolder: new URL("./dist", import.meta.url).pathname });
const browser = await chromium.launch(await findChromium());
const only = process.argv[2]?.split(",");
try {
  const open = async (width, theme, path="/") => {
    const c = await browser.newContext({ viewport: { width, height: width<500?844:860 }, colorScheme: theme, reducedMotion: "reduce" });
    await c.request.get(server.entry); c.setDefaultTimeout(120000);
    const p = await c.newPage(); await p.goto(server.url+path); return p;
  };
  const say = async (p, t) => { await p.getByRole("textbox", {name:"Message", exact:true}).fill(t); await p.keyboard.press("Enter"); };
  const first = await open(1440, "light");
  await first.getByText("No calls yet").waitFor(); await first.screenshot({path:"/tmp/shots/empty-1440-light.png"});
  await say(first, "tour");
  const over = first.locator('[data-run][data-status="closed"]'); const asked = first.locator("[data-approval] button").first();
  for (;;) { await over.or(asked).first().waitFor(); if (await over.count()) break; const q=await first.locator("[data-approval]").first().getAttribute("data-approval"); await asked.click(); await first.locator(`[data-approval="${q}"]`).waitFor({state:"detached"}); }
  const tour = new URL(first.url()).pathname;
  await say(first, 'say ## Findings\n\n'); 
  await first.getByRole("button",{name:"New conversation"}).click();
  await say(first, 'call shell {"command":"npm run deploy -- --region eu-west-1 --force && rm -rf dist/cache && echo done"}');
  await first.locator("[data-approval]").waitFor();
  await first.waitForURL(/\/c\//);
  const ask = new URL(first.url()).pathname;
  await first.getByRole("button",{name:"Edit the arguments…"}).click();
  await first.getByLabel("command (required)").waitFor();
  await first.screenshot({path:"/tmp/shots/edit-1440-light.png"});
  for (const [width, theme] of [[390,"light"],[800,"dark"],[1024,"light"],[1440,"dark"],[390,"dark"],[360,"light"],[2560,"light"]]) {
    if (only && !only.includes(String(width))) continue;
    const tag = `${width}-${theme}`;
    const p = await open(width, theme, tour);
    await p.locator('[data-run][data-status="closed"]').first().waitFor(); await p.waitForTimeout(500);
    await p.screenshot({path:`/tmp/shots/tour-${tag}.png`});
    if (width<768) { await p.getByRole("button",{name:"Board",exact:true}).click(); await p.screenshot({path:`/tmp/shots/tourboard-${tag}.png`}); }
    await p.locator("[data-row]").nth(3).click(); await p.waitForTimeout(300); await p.screenshot({path:`/tmp/shots/details-${tag}.png`});
    await p.goto(server.url+ask); await p.locator("[data-approval]").waitFor(); await p.waitForTimeout(300);
    await p.screenshot({path:`/tmp/shots/ask-${tag}.png`});
    await p.getByRole("button",{name:"Edit the arguments…"}).click(); await p.getByLabel("command (required)").fill("echo two");
    await p.screenshot({path:`/tmp/shots/form-${tag}.png`});
    await p.goto(server.url+"/all"); await p.getByText("By tool").waitFor(); await p.waitForTimeout(300);
    await p.screenshot({path:`/tmp/shots/all-${tag}.png`, fullPage:false});
    await p.context().close();
  }
} finally { await browser.close(); await server.close(); }
