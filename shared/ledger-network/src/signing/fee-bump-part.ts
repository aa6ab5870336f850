import type { ParsedEnvelope } from '../envelopes/index.js';
import { bidUnitsMin, innerFeeOf } from '../fee-bumps/index.js';
import { SignatureRefused } from './treasury-part.js';

export type FeeBumpSignature = {
  /** The hash of the stored transaction. */
  readonly hash: string;
  /** For each operation, and once for the fee bump itself. */
  readonly bidUnits: bigint;
  readonly bidUnitsMax: bigint;
  readonly networkPassphrase: string;
};

/** None of our transactions has a higher fee itself: see the limits of `assertTreasuryPart` and of the contract functions. */
const innerFeeUnitsMax = 100_000_000n;

/**
 * Refuses a fee bump of anything but the stored transaction, a bid that the network refuses, and a bid above the limit, unless the
 * transaction itself bids more.
 */
export function assertFeeBump(inner: ParsedEnvelope, { hash, bidUnits, bidUnitsMax, networkPassphrase }: FeeBumpSignature): void {
  if (inner.networkPassphrase !== networkPassphrase) throw new SignatureRefused('it is for another network');
  if (inner.hash !== hash) throw new SignatureRefused('it is not the stored transaction');
  if (inner.validUntil === undefined) throw new SignatureRefused('it has no upper time bound');
  if (BigInt(inner.transaction.fee()) > innerFeeUnitsMax) throw new SignatureRefused('the fee is too high');
  if (inner.bytes.readUInt32BE(inner.signaturesAt) === 0) throw new SignatureRefused('it is not signed');
  const { bidUnits: innerUnits } = innerFeeOf(inner);
  if (bidUnits < innerUnits || bidUnits < bidUnitsMin) throw new SignatureRefused('the bid is too low');
  if (bidUnits > bidUnitsMax && bidUnits > innerUnits) throw new SignatureRefused('the bid is too high');
}
