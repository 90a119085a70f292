import { describe } from "vitest";
import { memoryTortures } from "./parts.js";
import { testQuickForms } from "./testQuickForms.js";

describe("torture, in its quick form", () => testQuickForms(memoryTortures));
