import { describe } from "vitest";
import { databaseTortures } from "./parts.js";
import { testQuickForms } from "./testQuickForms.js";

describe("torture, in its quick form", () => testQuickForms(databaseTortures));
