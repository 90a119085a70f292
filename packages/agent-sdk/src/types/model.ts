/**
 * A language model as the adapter accepts it: the AI SDK's interface, spec v3, or spec v4, which differs only in tagged
 * file data and two more kinds of part. A v4 model is recognised by its shape alone.
 */
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FilePart,
  LanguageModelV3FinishReason,
  LanguageModelV3Message,
  LanguageModelV3ResponseMetadata,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";

export type TaggedData = { type: "data"; data: string | Uint8Array } | { type: "url"; url: URL };

type TaggedFile = {
  type: "file" | "reasoning-file";
  mediaType: string;
  data: TaggedData;
  providerMetadata?: SharedV3ProviderMetadata;
};

type CustomContent = {
  type: "custom";
  kind: string;
  providerMetadata?: SharedV3ProviderMetadata;
};

/** The parts of a model's stream, of either spec. */
export type ModelPart = LanguageModelV3StreamPart | TaggedFile | CustomContent;

/** The content of a model's whole answer, of either spec. */
export type ModelContent = LanguageModelV3Content | TaggedFile | CustomContent;

export interface GeneratedAnswer {
  readonly content: readonly ModelContent[];
  readonly finishReason: LanguageModelV3FinishReason;
  readonly usage: LanguageModelV3Usage;
  readonly response?: LanguageModelV3ResponseMetadata;
}

export type FilePartV4 = Omit<LanguageModelV3FilePart, "data"> & { data: TaggedData };

type ContentOutput = Extract<LanguageModelV3ToolResultOutput, { type: "content" }>;
export type ResultPieceV4 =
  | Extract<ContentOutput["value"][number], { type: "text" | "custom" }>
  | FilePartV4;
export type ResultOutputV4 =
  | Exclude<LanguageModelV3ToolResultOutput, { type: "content" }>
  | { type: "content"; value: ResultPieceV4[] };
export type ResultPartV4 = Omit<LanguageModelV3ToolResultPart, "output"> & {
  output: ResultOutputV4;
};

type PartOf<Role extends LanguageModelV3Message["role"]> = Exclude<
  Extract<LanguageModelV3Message, { role: Role }>["content"],
  string
>[number];
type V4<Part> =
  | Exclude<Part, { type: "file" | "tool-result" }>
  | (Part extends { type: "file" } ? FilePartV4 : never)
  | (Part extends { type: "tool-result" } ? ResultPartV4 : never);

export type MessageV4 =
  | Extract<LanguageModelV3Message, { role: "system" }>
  | { role: "user"; content: V4<PartOf<"user">>[] }
  | { role: "assistant"; content: V4<PartOf<"assistant">>[] }
  | { role: "tool"; content: V4<PartOf<"tool">>[] };

export type CallOptionsV4 = Omit<LanguageModelV3CallOptions, "prompt"> & { prompt: MessageV4[] };

export interface LanguageModelV4 {
  readonly specificationVersion: "v4";
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: CallOptionsV4): PromiseLike<GeneratedAnswer>;
  doStream(options: CallOptionsV4): PromiseLike<{ stream: ReadableStream<ModelPart> }>;
}

/** A language model of the AI SDK, in either version of its interface. */
export type LanguageModel = LanguageModelV3 | LanguageModelV4;

/** The reasoning effort of a model. Its provider decides which values it accepts. */
export const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
/** How much a model reasons before it answers. */
export type Effort = (typeof efforts)[number];

export interface ReasoningSettings {
  readonly effort?: Effort;
  /** Tokens that a model may think with. A provider that has levels gets the highest one that they cover. */
  readonly thinkingBudget?: number;
}

/** The settings of requests to a model. They take precedence over options of the model string. */
export interface ModelSettings extends ReasoningSettings {
  /** The most tokens that one answer may have. */
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  /** Fields that only one provider understands, by its name. */
  readonly providerOptions?: SharedV3ProviderOptions;
  /** Sent with every request to the provider. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Silence after which an answer is given up. Default the limit `modelTimeoutMs`. */
  readonly timeoutMs?: number;
}

/** The origin of a model's answers. The address is known for our own adapters and for most AI SDK models. */
export interface ModelOrigin {
  readonly provider: string;
  readonly baseUrl?: string;
}
