import { hash, randomUUID } from 'node:crypto';
import type { Caller, Clock, Log } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
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
  /** With the decision `replay`. */
  readonly response: Buffer | undefined;
};

/** Where records are kept. SERVICE_UNAVAILABLE where that cannot be asked: without it nobody could tell a repeat. */
export type IdempotencyRecords = {
  /** Takes the key for this request where the decision is `begin` or `resume`. */
  readonly claim: (claim: Claim) => Promise<Claimed>;
  /** Takes it although a reply is there, which nobody can read any more. */
  readonly reclaim: (claim: Claim) => Promise<Claimed>;
  /** Keeps the reply, or frees the key where there is none. Does nothing for a claim that somebody else has taken over. */
  readonly complete: (
    completed: RecordKey & { readonly claimId: string; readonly response: Buffer | undefined },
  ) => Promise<void>;
  readonly renew: (claimIds: readonly string[], nowMs: number) => Promise<void>;
};

export type Idempotency = {
  /** The first reply again, or what `perform` replies. Claims are kept alive for as long as that takes. */
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

/** The value of the header in the form it is compared in, or VALIDATION_ERROR. */
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
      // The effect has happened and its service knows the operation: a repeat gets the same result, only later.
      log.warn({ error, owner: claim.owner }, 'a response could not be stored for repeated requests');
    }
  };

  const perform = async (
    claim: Claim,
    createdAtMs: number,
    work: (operationId: string) => Promise<StoredResponse>,
  ): Promise<StoredResponse> => {
    running.set(claim.claimId, claim);
    let response: StoredResponse | undefined;
    try {
      response = await work(operationIdOf(claim, createdAtMs));
      return response;
    } finally {
      await complete(claim, response);
    }
  };

  return {
    runOnce: async (request, work) => {
      const claim = claimOf(request, clock.epochMs());
      const { decision, createdAtMs, response: sealed } = await records.claim(claim);
      if (decision === 'reused') throw new AppError('IDEMPOTENCY_KEY_REUSED');
      if (decision === 'in-progress') throw new AppError('IDEMPOTENCY_KEY_IN_PROGRESS');
      if (decision !== 'replay') return { response: await perform(claim, createdAtMs, work), isReplay: false };
      const response = sealed === undefined ? undefined : sealer.open(sealed, nameOf(claim));
      if (response !== undefined) return { response, isReplay: true };
      const again = await records.reclaim(claim);
      if (again.decision !== 'resume') throw new AppError('IDEMPOTENCY_KEY_IN_PROGRESS');
      return { response: await perform(claim, again.createdAtMs, work), isReplay: false };
    },
    renewClaims: async () => {
      if (running.size > 0) await records.renew([...running.keys()], clock.epochMs());
    },
  };
}

function claimOf({ caller, key, method, path, body }: IdempotentRequest, nowMs: number): Claim {
  const content = Buffer.concat([Buffer.from(`${method} ${path}\n${caller.marketplaceId}\n`), body]);
  return { owner: caller.id, key, claimId: randomUUID(), fingerprint: hash('sha256', content, 'base64url'), nowMs };
}

function nameOf({ owner, key }: RecordKey): string {
  return `${owner} ${key}`;
}

const operationIdLength = 43;

/**
 * Services recognise an operation for ever, while a key counts as new after a day: the beginning of its day tells apart what
 * it stood for.
 */
function operationIdOf(claim: RecordKey, createdAtMs: number): string {
  return hash('sha256', `${nameOf(claim)} ${createdAtMs}`, 'base64url').slice(0, operationIdLength);
}
