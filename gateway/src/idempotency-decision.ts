/** What is known about an Idempotency-Key of one caller. */
export type IdempotencyRecord = {
  readonly fingerprint: string;
  readonly createdAtMs: number;
  /** The answer, where there is one that may be given again. */
  readonly response: Buffer | undefined;
  /** Until when a request that runs is taken to be alive. */
  readonly claimedUntilMs: number | undefined;
};

/**
 * `begin`: the key counts as new. `resume`: an earlier try ended without an answer, so it is the same operation once more.
 * `replay`: the first answer again.
 */
export type IdempotencyDecision = 'begin' | 'resume' | 'replay' | 'reused' | 'in-progress';

/** Afterwards the same key is a new one. */
export const retentionMs = 24 * 60 * 60 * 1_000;

/** A request that has not said for this long that it still runs died with its process. */
export const claimMs = 60_000;

export function decideIdempotency(record: IdempotencyRecord, fingerprint: string, nowMs: number): IdempotencyDecision {
  if (nowMs >= record.createdAtMs + retentionMs) return 'begin';
  if (record.fingerprint !== fingerprint) return 'reused';
  if (record.response !== undefined) return 'replay';
  if (record.claimedUntilMs !== undefined && nowMs < record.claimedUntilMs) return 'in-progress';
  return 'resume';
}

const refusalsNotStored: ReadonlySet<number> = new Set([401, 403, 429]);

/** Whether an answer is given again to whoever repeats the request. Others free the key for the next try. */
export function isReplayable(status: number): boolean {
  if (status >= 200 && status < 300) return true;
  return status >= 400 && status < 500 && !refusalsNotStored.has(status);
}

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export function isIdempotencyKey(text: string): boolean {
  return uuidV4.test(text);
}
