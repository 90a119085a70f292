import { describe } from "vitest";
import { programTortures } from "./parts.js";
import { testQuickForms } from "./testQuickForms.js";

describe("torture, in its quick form", () => testQuickForms(programTortures));
