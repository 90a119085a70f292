/**
 * Reads the SDK's stage callbacks: the params of `onToolBlockUpdated`, bare or as
 * `{ callback, params }`. It checks what each stage must carry; the order of stages is the judge's.
 */
import { type Fields, fieldsOf, nameOf, textOf } from "../../values/fields.js";
import {
  type CallRef,
  type DialectFacts,
  nothing,
  type Observation,
  type Reader,
  type Reading,
  remarked,
} from "../observations.js";
import { type Remark, suspicion, violation } from "../rules.js";

export const stageFacts: DialectFacts = {
  startRequired: false,
  endRequired: false,
  inputIsClosed: false,
};

const stages = ["start", "streaming", "running", "end"] as const;
type StageName = (typeof stages)[number];

export function isStageLine(value: Fields): boolean {
  return stageOf(value) !== undefined || textOf(value.callback)?.startsWith("on") === true;
}

export function createStageReader(): Reader {
  /** The last result of each running call, to distinguish a result that grows from one in pieces. */
  const results = new Map<string, string>();

  const resultOf = (call: CallRef, params: Fields): readonly Observation[] => {
    const result = textOf(params.result);
    if (result === undefined) return [];
    const isWhole = result.startsWith(results.get(call.id) ?? "");
    results.set(call.id, result);
    return isWhole
      ? [{ type: "call.content.replaced", call, field: "result", size: result.length }]
      : [];
  };

  const observationsOf = (
    stage: StageName,
    call: CallRef,
    params: Fields,
  ): readonly Observation[] => {
    switch (stage) {
      case "start":
        return [{ type: "call.opened", call }];
      case "streaming":
        return [
          ...chunkOf(call, params),
          ...outputObservations(call, params),
          ...resultOf(call, params),
        ];
      case "running":
        return [{ type: "call.run.started", call }, ...resultOf(call, params)];
      case "end": {
        results.delete(call.id);
        return [closingOf(call, params)];
      }
      default:
        return stage satisfies never;
    }
  };

  return {
    read(payload) {
      if (payload.type === "done") return nothing;
      const params = paramsOf(payload.value);
      if (params === undefined) return nothing;
      const stage = stageOf(params);
      const id = nameOf(params.id);
      if (stage === undefined) return unknownStage(params, id);
      const observations = id === undefined ? [] : observationsOf(stage, { scope: "", id }, params);
      return { observations, remarks: remarksOf(stage, params, id) };
    },
    end: () => [],
  };
}

function paramsOf(value: Fields): Fields | undefined {
  if (value.callback === undefined) return value;
  return value.callback === "onToolBlockUpdated" ? (fieldsOf(value.params) ?? {}) : undefined;
}

function stageOf(params: Fields): StageName | undefined {
  return stages.find((stage) => stage === params.stage);
}

function unknownStage(params: Fields, id: string | undefined): Reading {
  if (params.stage === undefined) {
    const deprecated = "isRunning" in params ? [isRunning(id)] : [];
    return remarked(violation("missing-field", "the event has no stage", id), ...deprecated);
  }
  return remarked(suspicion("unknown-type", `unknown stage ${JSON.stringify(params.stage)}`, id));
}

const isRunning = (id: string | undefined): Remark =>
  violation("forbidden-field", "isRunning is replaced by stage", id);

function remarksOf(stage: StageName, params: Fields, id: string | undefined): readonly Remark[] {
  const remarks: Remark[] = [];
  if (id === undefined) remarks.push(violation("missing-field", "the event has no id"));
  if (nameOf(params.name) === undefined) {
    remarks.push(violation("missing-field", "the event has no name", id));
  }
  if (textOf(params.parameters) === undefined) {
    remarks.push(violation("missing-field", "the event has no parameters", id));
  }
  if ("isRunning" in params) remarks.push(isRunning(id));
  for (const field of forbiddenOn[stage]) {
    if (params[field] === undefined) continue;
    remarks.push(violation("forbidden-field", `${field} on stage ${stage}`, id));
  }
  return remarks;
}

/** An outcome belongs to the end; a result may also come in pieces. */
const forbiddenOn: Readonly<Record<StageName, readonly string[]>> = {
  start: ["result", "error", "success"],
  streaming: ["error", "success"],
  running: ["error", "success"],
  end: [],
};

function chunkOf(call: CallRef, params: Fields): readonly Observation[] {
  const length = textOf(params.parametersChunk)?.length;
  if (length === undefined) return [];
  const accumulated = textOf(params.parameters)?.length;
  const delta = { type: "call.input.delta", call, length } as const;
  return [accumulated === undefined ? delta : { ...delta, offset: accumulated - length }];
}

function outputObservations(call: CallRef, params: Fields): readonly Observation[] {
  if (params.parametersChunk !== undefined && params.result === undefined) return [];
  return [{ type: "call.run.progressed", call, output: params.result !== undefined }];
}

function closingOf(call: CallRef, params: Fields): Observation {
  const { success, result, error } = params;
  const hasError = error !== undefined && error !== null && error !== "";
  const closing = { type: "call.closed", call } as const;
  if (success === true && hasError) {
    const evidence = { message: "success is true, yet it carries an error", isCertain: true };
    return { ...closing, outcome: "ok", evidence };
  }
  if (success === true && result !== undefined) return { ...closing, outcome: "ok" };
  if (success === false && hasError) return { ...closing, outcome: "failed" };
  return { ...closing, outcome: "missing" };
}
