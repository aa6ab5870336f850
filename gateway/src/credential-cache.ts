import type { Caller, Clock } from '@holdfast/shared/context';

/** Beyond this nobody may be believed without being asked about again. */
const believedForMs = 5_000;
const credentialsMax = 10_000;

type Entry = { readonly caller: Caller; readonly believedUntilMs: number };

/** Gives what was answered to it while nothing was told to be forgotten in between. */
export type Remember = (caller: Caller) => void;

export type CredentialCache = {
  /** Who it is, while that may still be believed. */
  readonly find: (digest: string) => Caller | undefined;
  /** Whether it was good not long ago, so that its bearer is no stranger. */
  readonly isKnown: (digest: string) => boolean;
  /** Called before a question is asked; what comes of it is called with the answer. */
  readonly asking: (digest: string) => Remember;
  /** What is no credential (any more). */
  readonly drop: (digest: string) => void;
  /** The key was revoked or changed: every credential of it must be asked about again. */
  readonly forget: (apiKeyId: string) => void;
};

/** Who credentials are, for a few seconds and for a bounded number of them; the oldest make room. */
export function createCredentialCache({ epochMs }: Pick<Clock, 'epochMs'>): CredentialCache {
  const entries = new Map<string, Entry>();
  const digestsOf = new Map<string, Set<string>>();
  /** Counts what was forgotten, so that an answer which is older than that is not remembered. */
  let forgotten = 0;

  const drop = (digest: string): void => {
    const entry = entries.get(digest);
    if (entry === undefined) return;
    entries.delete(digest);
    const digests = digestsOf.get(entry.caller.id);
    digests?.delete(digest);
    if (digests?.size === 0) digestsOf.delete(entry.caller.id);
  };

  const put = (digest: string, caller: Caller): void => {
    drop(digest);
    const [oldest] = entries.keys();
    if (entries.size >= credentialsMax && oldest !== undefined) drop(oldest);
    entries.set(digest, { caller, believedUntilMs: believedUntil(caller, epochMs()) });
    const digests = digestsOf.get(caller.id) ?? new Set();
    digestsOf.set(caller.id, digests.add(digest));
  };

  return {
    find: (digest) => {
      const entry = entries.get(digest);
      return entry !== undefined && epochMs() < entry.believedUntilMs ? entry.caller : undefined;
    },
    isKnown: (digest) => entries.has(digest),
    asking: (digest) => {
      const forgottenBefore = forgotten;
      return (caller) => {
        if (forgotten === forgottenBefore) put(digest, caller);
      };
    },
    drop,
    forget: (apiKeyId) => {
      forgotten += 1;
      for (const digest of [...(digestsOf.get(apiKeyId) ?? [])]) drop(digest);
    },
  };
}

function believedUntil({ expiresAt }: Caller, nowMs: number): number {
  const endsAtMs = expiresAt === undefined ? Infinity : Date.parse(expiresAt);
  return Math.min(nowMs + believedForMs, endsAtMs);
}
