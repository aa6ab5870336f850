import { hash, randomUUID } from 'node:crypto';
import type { Caller, Clock, Log } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { isIdempotencyKey, isReplayable, type IdempotencyDecision } from './idempotency-decision.js';
import type { StoredResponse, ResponseSealer } from './sealed-response.js';

/** A request with an Idempotency-Key. */
export type IdempotentRequest = {
  readonly caller: Caller;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
};

export type RecordKey = { readonly owner: string; readonly key: string };
export type Claim = RecordKey & { readonly claimId: string; readonly fingerprint: string; readonly nowMs: number };
export type Claimed = {
  readonly decision: IdempotencyDecision;
  readonly createdAtMs: number;
  /** The stored response; set only with the decision `replay`. */
  readonly response: Buffer | undefined;
};

/** The store of the records. SERVICE_UNAVAILABLE while it is unreachable, because a repeated request could not be recognised. */
export type IdempotencyRecords = {
  /** Claims the key for this request if the decision is `begin` or `resume`. */
  readonly claim: (claim: Claim) => Promise<Claimed>;
  /** Claims the key although it has a stored response, because that response can no longer be decrypted. */
  readonly reclaim: (claim: Claim) => Promise<Claimed>;
  /** Stores the response, or frees the key without one. Does nothing if another request has taken the claim over. */
  readonly complete: (
    completed: RecordKey & { readonly claimId: string; readonly response: Buffer | undefined },
  ) => Promise<void>;
  readonly renew: (claimIds: readonly string[], nowMs: number) => Promise<void>;
};

export type Idempotency = {
  /** The stored response, or the response of `perform`. `renewClaims` keeps the claim alive while `perform` runs. */
  readonly runOnce: (
    request: IdempotentRequest,
    perform: (operationId: string) => Promise<StoredResponse>,
  ) => Promise<{ readonly response: StoredResponse; readonly isReplay: boolean }>;
  readonly renewClaims: () => Promise<void>;
};

type Options = {
  readonly records: IdempotencyRecords;
  readonly sealer: ResponseSealer;
  readonly clock: Pick<Clock, 'epochMs'>;
  readonly log: Log;
};

/** The header's value in lower case. VALIDATION_ERROR unless it is a UUID of version 4. */
export function idempotencyKeyOf(header: string): string {
  if (isIdempotencyKey(header)) return header.toLowerCase();
  throw new AppError('VALIDATION_ERROR', { validationErrors: ['Idempotency-Key must be one UUID of version 4'] });
}

export function createIdempotency({ records, sealer, clock, log }: Options): Idempotency {
  const running = new Map<string, RecordKey>();

  const complete = async (claim: Claim, response: StoredResponse | undefined): Promise<void> => {
    running.delete(claim.claimId);
    const sealed = response !== undefined && isReplayable(response.status) ? sealer.seal(response, nameOf(claim)) : undefined;
    try {
      await records.complete({ ...claim, response: sealed });
    } catch (error) {
      // The service has stored the operation's result, so a repeated request still gets the same result from the service.
      log.warn({ error, owner: claim.owner }, 'a response could not be stored for repeated requests');
    }
  };

  const performClaimed = async (
    claim: Claim,
    createdAtMs: number,
    perform: (operationId: string) => Promise<StoredResponse>,
  ): Promise<StoredResponse> => {
    running.set(claim.claimId, claim);
    let response: StoredResponse | undefined;
    try {
      response = await perform(operationIdOf(claim, createdAtMs));
      return response;
    } finally {
      await complete(claim, response);
    }
  };

  return {
    runOnce: async (request, perform) => {
      const claim = claimOf(request, clock.epochMs());
      const { decision, createdAtMs, response: sealed } = await records.claim(claim);
      if (decision === 'reused') throw new AppError('IDEMPOTENCY_KEY_REUSED');
      if (decision === 'in-progress') throw new AppError('IDEMPOTENCY_KEY_IN_PROGRESS');
      if (decision !== 'replay') return { response: await performClaimed(claim, createdAtMs, perform), isReplay: false };
      const response = sealed === undefined ? undefined : sealer.open(sealed, nameOf(claim));
      if (response !== undefined) return { response, isReplay: true };
      const reclaimed = await records.reclaim(claim);
      if (reclaimed.decision !== 'resume') throw new AppError('IDEMPOTENCY_KEY_IN_PROGRESS');
      return { response: await performClaimed(claim, reclaimed.createdAtMs, perform), isReplay: false };
    },
    renewClaims: async () => {
      if (running.size > 0) await records.renew([...running.keys()], clock.epochMs());
    },
  };
}

function claimOf({ caller, key, method, path, body }: IdempotentRequest, nowMs: number): Claim {
  const content = Buffer.concat([Buffer.from(`${method} ${path}\n${caller.marketplaceId}\n`), body]);
  return { owner: ownerOf(caller), key, claimId: randomUUID(), fingerprint: hash('sha256', content, 'base64url'), nowMs };
}

/** An API key belongs to one marketplace. The master key acts for several, each with records of its own. */
function ownerOf({ type, id, marketplaceId }: Caller): string {
  return type === 'master' && marketplaceId !== defaultMarketplaceId ? `${id} ${marketplaceId}` : id;
}

function nameOf({ owner, key }: RecordKey): string {
  return `${owner} ${key}`;
}

const operationIdLength = 43;

/**
 * Services remember operation ids without a time limit, while a key counts as new after 24 hours. The time of the first request
 * therefore is part of the id. See ADR 0012.
 */
function operationIdOf(claim: RecordKey, createdAtMs: number): string {
  return hash('sha256', `${nameOf(claim)} ${createdAtMs}`, 'base64url').slice(0, operationIdLength);
}
