/** A server whose runs are made up, in a process of its own. Ends with its input. */
import { startScriptedServer } from "@callboard/server/scripted";

const scripted = await startScriptedServer(JSON.parse(process.argv[2] ?? "{}"));
console.log(JSON.stringify({ url: scripted.url, token: scripted.token }));
process.stdin.resume();
process.stdin.once("end", () => {
  void scripted.close().finally(() => process.exit(0));
});
