import { claimMs, decideIdempotency, type IdempotencyRecord } from '../idempotency-decision.js';
import type { Claim, Claimed, IdempotencyRecords, RecordKey } from '../idempotency.js';

type ClaimedRecord = IdempotencyRecord & { readonly claimId: string | undefined };

/** Idempotency records in memory. */
export function memoryRecords(): IdempotencyRecords {
  const records = new Map<string, ClaimedRecord>();
  const nameOf = ({ owner, key }: RecordKey): string => `${owner} ${key}`;

  const claim = (given: Claim, ignoresResponse: boolean): Claimed => {
    const { fingerprint, claimId, nowMs } = given;
    const found = records.get(nameOf(given));
    const known = found !== undefined && ignoresResponse ? { ...found, response: undefined } : found;
    const decision = known === undefined ? 'begin' : decideIdempotency(known, fingerprint, nowMs);
    const createdAtMs = known === undefined || decision === 'begin' ? nowMs : known.createdAtMs;
    if (decision === 'begin' || decision === 'resume') {
      records.set(nameOf(given), { fingerprint, createdAtMs, claimId, response: undefined, claimedUntilMs: nowMs + claimMs });
    }
    return { decision, createdAtMs, response: known?.response };
  };

  return {
    claim: async (given) => claim(given, false),
    reclaim: async (given) => claim(given, true),
    complete: async (completed) => {
      const known = records.get(nameOf(completed));
      if (known?.claimId !== completed.claimId) return;
      records.set(nameOf(completed), { ...known, response: completed.response, claimId: undefined, claimedUntilMs: undefined });
    },
    renew: async (claimIds, nowMs) => {
      for (const [name, known] of records) {
        if (known.claimId === undefined || !claimIds.includes(known.claimId)) continue;
        records.set(name, { ...known, claimedUntilMs: nowMs + claimMs });
      }
    },
  };
}
