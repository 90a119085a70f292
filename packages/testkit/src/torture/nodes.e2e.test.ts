import { describe } from "vitest";
import { nodeTortures } from "./parts.js";
import { testQuickForms } from "./testQuickForms.js";

describe("torture, in its quick form", () => testQuickForms(nodeTortures));
