import { hash, randomFillSync } from 'node:crypto';
import { toEpochMs, type Instant } from '../instants/index.js';
import { decodeCrockfordNumber, encodeCrockford } from './crockford.js';

export const idPrefixes = [
  'usr',
  'ord',
  'esc',
  'dsp',
  'cmt',
  'evt',
  'topup',
  'wd',
  'rcc',
  'rcr',
  'aud',
  'key',
  'mkt',
  'wal',
  'res',
  'tr',
  'whe',
  'whk',
  'whd',
  'prj',
  'txn',
  'run',
] as const;
export type IdPrefix = (typeof idPrefixes)[number];
export type Id<P extends IdPrefix> = `${P}_${string}`;

export type UserId = Id<'usr'>;
export type OrderId = Id<'ord'>;
export type EscrowId = Id<'esc'>;
export type DisputeId = Id<'dsp'>;
export type ProjectId = Id<'prj'>;
export type WalletId = Id<'wal'>;
export type MarketplaceId = Id<'mkt'>;
export type ApiKeyId = Id<'key'>;
export type MessageId = Id<'evt'>;
export type TopupId = Id<'topup'>;
export type WithdrawalId = Id<'wd'>;
export type CaseId = Id<'rcc'>;
export type ReportId = Id<'rcr'>;
export type TransferId = Id<'tr'>;
export type ReservationId = Id<'res'>;
export type SagaRunId = Id<'run'>;
export type WebhookEndpointId = Id<'whk'>;
export type WebhookDeliveryId = Id<'whd'>;

/** The marketplace that every installation has. */
export const defaultMarketplaceId: MarketplaceId = 'mkt_default';

const idPattern = /^[a-z]+_[A-Za-z0-9]{1,64}$/;

/** Whether a text has the form of an id with this prefix. */
export function isId<P extends IdPrefix>(text: string, prefix: P): text is Id<P> {
  return text.startsWith(`${prefix}_`) && idPattern.test(text);
}

/** Whether a text has the form of an id with any prefix. */
export function isOpaqueId(text: string): boolean {
  return idPattern.test(text);
}

export type NewId = <P extends IdPrefix>(prefix: P) => Id<P>;

/**
 * Creates time-ordered ids (monotonic ULIDs). Within a process they increase strictly, also within one millisecond and when the
 * clock goes back, so that sorting by id sorts by creation.
 */
export function idFactory(epochMs: () => number): NewId {
  const bytes = Buffer.alloc(16);
  let lastMs = -1;
  return (prefix) => {
    const ms = epochMs();
    if (ms > lastMs) {
      lastMs = ms;
      bytes.writeUIntBE(ms, 0, 6);
      randomFillSync(bytes, 6, 10);
      bytes[6] = (bytes[6] ?? 0) & 0x7f; // Leaves room for increments within the millisecond.
    } else {
      increment(bytes);
    }
    return `${prefix}_${encodeCrockford(bytes)}`;
  };
}

/**
 * A repeatable ULID: its time is `at`, its other 80 bits are a hash of the parts. Equal arguments give the same id, so that a
 * repeated step publishes the same message. `at` must come from stored data, because the clock of a second attempt shows another
 * time.
 */
export function idFromParts<P extends IdPrefix>(prefix: P, at: Instant, parts: readonly string[]): Id<P> {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(toEpochMs(at), 0, 6);
  hash('sha256', JSON.stringify(parts), 'buffer').copy(bytes, 6, 0, 10);
  return `${prefix}_${encodeCrockford(bytes)}`;
}

const ulidCharacters = 26;
const timeCharacters = 10;

/** When an id was created, or what `at` was for `idFromParts`: a ULID begins with its time. 0 for an id of another form. */
export function createdAtMsOf(id: Id<IdPrefix>): number {
  const start = id.indexOf('_') + 1;
  if (id.length - start !== ulidCharacters) return 0;
  return decodeCrockfordNumber(id.slice(start, start + timeCharacters)) ?? 0;
}

function increment(bytes: Buffer): void {
  for (let index = 15; index >= 6; index -= 1) {
    const next = ((bytes[index] ?? 0) + 1) & 0xff;
    bytes[index] = next;
    if (next !== 0) return;
  }
}
