/** The state of one caller's Idempotency-Key. */
export type IdempotencyRecord = {
  readonly fingerprint: string;
  readonly createdAtMs: number;
  /** The stored response, if the request has finished with a replayable one. */
  readonly response: Buffer | undefined;
  /** Set while a request runs. After this time its process counts as dead. */
  readonly claimedUntilMs: number | undefined;
};

/**
 * `begin`: the key is new. `resume`: an earlier attempt ended without a stored response; the request runs again under the same
 * operation id. `replay`: respond with the stored response. `reused` and `in-progress`: refuse with 409.
 */
export type IdempotencyDecision = 'begin' | 'resume' | 'replay' | 'reused' | 'in-progress';

/** After this time a key counts as new. */
export const retentionMs = 24 * 60 * 60 * 1_000;

/** How long a claim lasts. Running requests renew theirs; a claim that expires belonged to a process that died. */
export const claimMs = 60_000;

export function decideIdempotency(record: IdempotencyRecord, fingerprint: string, nowMs: number): IdempotencyDecision {
  if (nowMs >= record.createdAtMs + retentionMs) return 'begin';
  if (record.fingerprint !== fingerprint) return 'reused';
  if (record.response !== undefined) return 'replay';
  if (record.claimedUntilMs !== undefined && nowMs < record.claimedUntilMs) return 'in-progress';
  return 'resume';
}

const refusalsNotStored: ReadonlySet<number> = new Set([401, 403, 429]);

/** Whether a response is stored for repeated requests. Any other response frees the key for the next attempt. */
export function isReplayable(status: number): boolean {
  if (status >= 200 && status < 300) return true;
  return status >= 400 && status < 500 && !refusalsNotStored.has(status);
}

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export function isIdempotencyKey(text: string): boolean {
  return uuidV4.test(text);
}
