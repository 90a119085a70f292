/**
 * Signed tokens: HS256 with a shared secret, or asymmetric keys from a JWKS address. The algorithm is chosen here, never
 * by the token; `sub` is the user's UUID. A bad token is refused and never treated as anonymous.
 */
import { withoutUndefined } from "@callboard/run-log/values";
import { isUuid } from "@callboard/store";
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import { HttpProblem } from "../http/problem.js";
import { namedUuid } from "../ids.js";
import type { Authenticator } from "./caller.js";
import { bearerOf } from "./localToken.js";

export interface JwtOptions {
  /** For HS256. At least 32 bytes. */
  readonly secret?: string;
  /** Where public keys are published. */
  readonly jwksUrl?: string;
  readonly issuer?: string;
  readonly audience?: string;
  /** Whether a request with `X-Fingerprint-ID` and without a token is a guest. Default false. */
  readonly guests?: boolean;
}

/** How published keys are fetched. Only tests change it. */
export interface KeyFetching {
  /** How long an answer may take. Default 5 s. */
  readonly timeoutMs?: number;
  /** For how long after a fetch an unknown key is not looked for again. Default 30 s. */
  readonly cooldownMs?: number;
}

const asymmetric = ["RS256", "PS256", "ES256", "ES384", "EdDSA"];
const minSecretBytes = 32;

export function createJwtAuthenticator(
  options: JwtOptions,
  fetching: KeyFetching = {},
): Authenticator {
  const verified = verifierOf(options, fetching);
  return {
    async callerOf(headers) {
      const token = bearerOf(headers);
      if (token === undefined) {
        if (headers.has("authorization")) throw refusedToken("it is not a bearer token");
        const fingerprint = options.guests === true ? headers.get("x-fingerprint-id") : null;
        if (!fingerprint) return undefined;
        return { userId: namedUuid("guest", fingerprint.slice(0, 256)), proof: "fingerprint" };
      }
      const { sub, exp = 0 } = await verified(token);
      // The type is text; a token may contain anything.
      const claimed: unknown = sub;
      const userId = typeof claimed === "string" ? claimed.toLowerCase() : "";
      if (!isUuid(userId)) throw refusedToken("its sub is not the UUID of a user");
      return { userId, proof: "jwt", expiresAt: exp * 1_000 };
    },
  };
}

function verifierOf(
  options: JwtOptions,
  { timeoutMs = 5_000, cooldownMs = 30_000 }: KeyFetching,
): (token: string) => Promise<JWTPayload> {
  const { secret, jwksUrl, issuer, audience } = options;
  const claims = {
    requiredClaims: ["sub", "exp"],
    clockTolerance: 5,
    ...withoutUndefined({ issuer, audience }),
  };
  if (secret !== undefined) {
    const key = new TextEncoder().encode(secret);
    if (key.length < minSecretBytes) {
      throw new RangeError(`The secret for JWT must have at least ${minSecretBytes} bytes.`);
    }
    return (token) => orRefused(jwtVerify(token, key, { ...claims, algorithms: ["HS256"] }));
  }
  if (jwksUrl === undefined) throw new TypeError("JWT needs a secret or the address of a JWKS.");
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: timeoutMs,
    cooldownDuration: cooldownMs,
  });
  return (token) => orRefused(jwtVerify(token, keys, { ...claims, algorithms: asymmetric }));
}

async function orRefused(verification: Promise<{ payload: JWTPayload }>): Promise<JWTPayload> {
  try {
    return (await verification).payload;
  } catch (error) {
    if (isOfToken(error)) throw refusedToken(joseReasonOf(error));
    const detail = "Fetching the keys that verify tokens failed. Try again later.";
    throw new HttpProblem(503, "keys-unavailable", detail, { headers: { "retry-after": "5" } });
  }
}

const faultsOfTokens = [
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
];

/** Whether the token is wrong: unavailable keys are not the caller's fault. */
function isOfToken(error: unknown): error is errors.JOSEError {
  return faultsOfTokens.some((fault) => error instanceof fault);
}

function joseReasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return "it has expired";
  if (error instanceof errors.JWTClaimValidationFailed) return `its ${error.claim} is not accepted`;
  return "its signature or form is wrong";
}

function refusedToken(why: string): HttpProblem {
  return new HttpProblem(401, "wrong-token", `The token is refused: ${why}. Get a new one.`, {
    headers: { "www-authenticate": 'Bearer error="invalid_token"' },
  });
}
