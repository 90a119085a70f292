/** For tests of programs that use the SDK: a clock that is set by hand and a model that follows a script. */
export { createRehearsalModel } from "../models/rehearsal.js";
export { createFakeClock, type FakeClock } from "../system/fakeClock.js";
