import type { Instant } from '@holdfast/kernel/context';
import { tableOf, insertMany } from '@holdfast/postgres';

/** The state of a request with an Idempotency-Key. */
export type IdempotencyRow = {
  /** The id of the API key, or `master`, with the marketplace that it acts for unless that is the default one. */
  readonly owner: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly claimId: string | null;
  readonly claimedUntil: Instant | null;
  readonly response: Buffer | null;
  readonly createdAt: Instant;
};

/** The requests of one caller in its current window. */
export type RateWindowRow = { readonly key: string; readonly used: number; readonly endsAt: Instant };

export const idempotencyRecords = tableOf<IdempotencyRow>('idempotency_records')({
  owner: { column: 'owner', type: 'text', isPrimary: true },
  key: { column: 'key', type: 'uuid', isPrimary: true },
  fingerprint: { column: 'fingerprint', type: 'text' },
  claimId: { column: 'claim_id', type: 'uuid' },
  claimedUntil: { column: 'claimed_until', type: 'timestamptz' },
  response: { column: 'response', type: 'bytea' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
});

export const rateWindows = tableOf<RateWindowRow>('rate_windows')({
  key: { column: 'key', type: 'text', isPrimary: true },
  used: { column: 'used', type: 'integer' },
  endsAt: { column: 'ends_at', type: 'timestamptz' },
});

export const entities = [idempotencyRecords.entity, rateWindows.entity];

/** Inserts a key that is unused; of concurrent claims one inserts it, the others wait for its commit and insert nothing. */
export const claimKey = insertMany({
  ...idempotencyRecords,
  name: 'claim-key',
  properties: ['owner', 'key', 'fingerprint', 'claimId', 'claimedUntil', 'createdAt'],
  suffix: `
  on conflict do nothing
  returning claim_id as "claimId"`,
});
