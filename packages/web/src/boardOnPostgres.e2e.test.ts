/** The page on the real server with a real PostgreSQL behind it, in a real browser. */
import { describeFlows } from "./testing/flows.js";
import { pageServer, stageOf } from "./testing/stage.js";
import { describeWidths } from "./testing/widths.js";

const stage = stageOf(pageServer());
describeFlows(stage, "stored");
describeWidths(stage, [390, 800, 1_024, 1_440]);
