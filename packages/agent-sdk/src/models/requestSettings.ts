/** What every request to a model has in addition to its prompt and tools: the model's own options. */
import { withoutUndefined } from "@callboard/run-log/values";
import type { Limits } from "../types/limits.js";
import { cacheOptionsOf } from "./promptCache.js";
import { mergedOptions, reasoningOptionsOf } from "./reasoningOptions.js";
import type { ResolvedModel } from "./resolveModel.js";

/**
 * With a session's id, the provider is asked to cache the common prefix of the session's requests. With a trace context,
 * the request is a part of its trace.
 */
export function requestSettings(
  { model, settings }: ResolvedModel,
  limits: Pick<Limits, "modelRetries" | "modelTimeoutMs">,
  sessionId?: string,
  traceparent?: string,
) {
  const { maxOutputTokens, temperature } = settings;
  const headers =
    traceparent === undefined ? settings.headers : { traceparent, ...settings.headers };
  const cache = sessionId === undefined ? {} : cacheOptionsOf(model, sessionId);
  const providerOptions = mergedOptions(
    mergedOptions(cache, reasoningOptionsOf(model, settings)),
    settings.providerOptions ?? {},
  );
  return {
    retries: limits.modelRetries,
    timeoutMs: settings.timeoutMs ?? limits.modelTimeoutMs,
    ...withoutUndefined({ maxOutputTokens, temperature, headers }),
    ...(Object.keys(providerOptions).length === 0 ? {} : { providerOptions }),
  };
}
