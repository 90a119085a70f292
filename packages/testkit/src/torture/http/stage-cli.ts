/** A server whose runs are made up, in a process of its own. Ends with its input. */
import { startScriptedServer } from "@callboard/server/stage";

const stage = await startScriptedServer(JSON.parse(process.argv[2] ?? "{}"));
console.log(JSON.stringify({ url: stage.url, token: stage.token }));
process.stdin.resume();
process.stdin.once("end", () => {
  void stage.close().finally(() => process.exit(0));
});
