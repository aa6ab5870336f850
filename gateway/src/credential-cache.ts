import { LRUCache } from 'lru-cache';
import type { Caller, Clock } from '@holdfast/kernel/context';

/** A revoked key works at most this long if its notification is lost. */
const ttlMs = 5_000;
const credentialsMax = 10_000;

type Entry = { readonly caller: Caller; readonly expiresAtMs: number };

/** Stores the result of a lookup, unless an invalidation has arrived since the lookup started. */
export type StoreLookup = (caller: Caller) => void;

export type CredentialCache = {
  /** The caller, until the entry expires. */
  readonly find: (digest: string) => Caller | undefined;
  /** Whether there is an entry, expired or not: the credential was valid a short while ago. */
  readonly isKnown: (digest: string) => boolean;
  /** Called before a lookup; the returned function is called with its result. */
  readonly startLookup: (digest: string) => StoreLookup;
  /** Removes a credential that identity does not know (any more). */
  readonly delete: (digest: string) => void;
  /** Removes all credentials of a key that was revoked or changed. */
  readonly invalidate: (apiKeyId: string) => void;
};

/** Caches verified callers by the digest of their credential. Unknown credentials are not cached. */
export function createCredentialCache({ epochMs }: Pick<Clock, 'epochMs'>): CredentialCache {
  const entries = new LRUCache<string, Entry>({ max: credentialsMax });
  /** Number of invalidations so far. A lookup that started before the latest one may be outdated and is not stored. */
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
