/** The page on the real server with a real PostgreSQL behind it, in a real browser. */
import { describeFlows } from "./testing/flows.js";
import { pageServer, stageOf } from "./testing/stage.js";

describeFlows(stageOf(pageServer()), "stored");
