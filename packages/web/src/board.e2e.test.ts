/** The page on the real server with its embedded database, in a real browser. */
import { describeFlows } from "./testing/flows.js";
import { embeddedPageServer, stageOf } from "./testing/stage.js";
import { describeWidths } from "./testing/widths.js";

const stage = stageOf(embeddedPageServer());
describeFlows(stage);
describeWidths(stage, [390, 800, 1_024, 1_440]);
