import { LRUCache } from 'lru-cache';
import type { Caller, Clock } from '@holdfast/kernel/context';

/** Beyond this nobody may be believed without being asked about again. */
const ttlMs = 5_000;
const credentialsMax = 10_000;

type Entry = { readonly caller: Caller; readonly expiresAtMs: number };

/** Gives what was answered to it while nothing was told to be forgotten in between. */
export type StoreLookup = (caller: Caller) => void;

export type CredentialCache = {
  /** Who it is, while that may still be believed. */
  readonly find: (digest: string) => Caller | undefined;
  /** Whether it was good not long ago, so that its bearer is no stranger. */
  readonly isKnown: (digest: string) => boolean;
  /** Called before a question is asked; what comes of it is called with the answer. */
  readonly startLookup: (digest: string) => StoreLookup;
  /** What is no credential (any more). */
  readonly delete: (digest: string) => void;
  /** The key was revoked or changed: every credential of it must be asked about again. */
  readonly invalidate: (apiKeyId: string) => void;
};

/** Who credentials are, for a few seconds and for a bounded number of them. */
export function createCredentialCache({ epochMs }: Pick<Clock, 'epochMs'>): CredentialCache {
  const entries = new LRUCache<string, Entry>({ max: credentialsMax });
  /** Counts what was forgotten, so that an answer which is older than that is not remembered. */
  let invalidations = 0;
  return {
    find: (digest) => {
      const entry = entries.get(digest);
      return entry !== undefined && epochMs() < entry.expiresAtMs ? entry.caller : undefined;
    },
    isKnown: (digest) => entries.has(digest),
    startLookup: (digest) => {
      const invalidationsBefore = invalidations;
      return (caller) => {
        if (invalidations !== invalidationsBefore) return;
        entries.set(digest, { caller, expiresAtMs: expiryOf(caller, epochMs()) });
      };
    },
    delete: (digest) => void entries.delete(digest),
    invalidate: (apiKeyId) => {
      invalidations += 1;
      for (const [digest, { caller }] of [...entries.entries()]) if (caller.id === apiKeyId) entries.delete(digest);
    },
  };
}

function expiryOf({ expiresAt }: Caller, nowMs: number): number {
  const endsAtMs = expiresAt === undefined ? Infinity : Date.parse(expiresAt);
  return Math.min(nowMs + ttlMs, endsAtMs);
}
