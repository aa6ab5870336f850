import { Asset, Operation, StrKey, type xdr } from '@stellar/stellar-sdk';
import type { ParsedEnvelope } from '../envelopes/index.js';

/**
 * What the treasury does with wallets: it makes their accounts, and collects what belongs to it. What it does with its own accounts: it
 * makes them, and moves money between them. What it does for contracts: it extends the life of their entries, and restores archived
 * ones.
 */
export type TreasuryPurpose = 'activate' | 'sweep' | 'treasury' | 'extend' | 'restore';

/** The account may not sign this envelope for this operation. Nothing was signed, and no key was opened. */
export class SignatureRefused extends Error {
  constructor(reason: string) {
    super(`The signature was refused: ${reason}.`);
    this.name = 'SignatureRefused';
  }
}

export type TreasurySignature = {
  readonly operation: TreasuryPurpose;
  /** The account that signs. */
  readonly address: string;
  readonly treasuryAddress: string;
  /** The channels of the treasury. */
  readonly channelAddresses: readonly string[];
  readonly platformAddress: string;
  readonly networkPassphrase: string;
  readonly usdcIssuer: string;
};

/** This service builds these transactions itself, so their fee cannot be high unless something is wrong. */
const feeUnitsMax = 100_000_000n;
/** The node says what the resources of these transactions cost. */
const lifetimeFeeUnitsMax = 50_000_000n;
const lifetimeOperations = { extend: 'extendFootprintTtl', restore: 'restoreFootprint' } as const;

/** Refuses everything but a transaction of the treasury, in which the signer does only what the operation needs. */
export function assertTreasuryPart(envelope: ParsedEnvelope, request: TreasurySignature): void {
  const { operation, address, treasuryAddress, networkPassphrase } = request;
  const { transaction, validUntil, sourceAccount } = envelope;
  if (envelope.networkPassphrase !== networkPassphrase) throw new SignatureRefused('it is for another network');
  if (BigInt(transaction.fee()) > feeUnitsMax) throw new SignatureRefused('the fee is too high');
  if (validUntil === undefined) throw new SignatureRefused('it has no upper time bound');
  if (sourceAccount !== treasuryAddress) throw new SignatureRefused('it was not built by the treasury');
  assertLifetimeChange(envelope, operation);
  if (address === treasuryAddress) return;
  const own = operationsOf(transaction, address);
  if (own.length === 0) throw new SignatureRefused('it has no operation of the signer');
  if (!isAllowed(own, request)) throw new SignatureRefused(`it does more than ${operation}`);
}

function isAllowed(own: readonly Operation[], request: TreasurySignature): boolean {
  const { operation, address, treasuryAddress, channelAddresses, platformAddress } = request;
  const isTrust = (each: Operation): boolean => isTrustline(each, request.usdcIssuer);
  switch (operation) {
    case 'activate':
      return isActivation(own, isTrust);
    case 'sweep':
      return own.every((each) => isPaymentTo(each, [treasuryAddress]));
    case 'treasury': {
      const isOwn = [platformAddress, ...channelAddresses].includes(address);
      return isOwn && own.every((each) => isTrust(each) || isPaymentTo(each, [treasuryAddress, ...channelAddresses]));
    }
    case 'extend':
    case 'restore':
      return false;
  }
}

/** A transaction that extends or restores entries does nothing else. */
function assertLifetimeChange({ transaction, operations }: ParsedEnvelope, purpose: TreasuryPurpose): void {
  if (purpose !== 'extend' && purpose !== 'restore') return;
  if (BigInt(transaction.fee()) > lifetimeFeeUnitsMax) throw new SignatureRefused('the fee is too high');
  if (operations.length !== 1 || operations[0] !== lifetimeOperations[purpose])
    throw new SignatureRefused(`it does something else than ${purpose}`);
}

/** The operations whose source is the account, including its muxed addresses. */
function operationsOf(transaction: xdr.Transaction, address: string): readonly Operation[] {
  const key = StrKey.decodeEd25519PublicKey(address);
  const isOwn = (source: xdr.MuxedAccount): boolean =>
    (source.switch().name === 'keyTypeEd25519' ? source.ed25519() : source.med25519().ed25519()).equals(key);
  return transaction.operations().flatMap((operation) => {
    const source = operation.sourceAccount() ?? undefined;
    return source !== undefined && isOwn(source) ? [Operation.fromXDRObject(operation)] : [];
  });
}

/** A sponsored trustline, and nothing else. */
function isActivation([trust, end, ...others]: readonly Operation[], isTrust: (each: Operation) => boolean): boolean {
  if (trust === undefined || end === undefined || others.length > 0) return false;
  return isTrust(trust) && end.type === 'endSponsoringFutureReserves';
}

/** A trustline for USDC without its own limit. */
function isTrustline(operation: Operation, usdcIssuer: string): boolean {
  if (operation.type !== 'changeTrust' || operation.limit !== limitMax || !(operation.line instanceof Asset)) return false;
  return operation.line.equals(new Asset('USDC', usdcIssuer));
}

const limitMax = '922337203685.4775807';

function isPaymentTo(operation: Operation, addresses: readonly string[]): boolean {
  return operation.type === 'payment' && addresses.includes(operation.destination);
}
