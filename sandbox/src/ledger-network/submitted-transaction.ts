import type { xdr } from '@stellar/stellar-sdk';
import type { Invocation } from '../contract-calls/contract-call.js';
import type { ClassicOperation } from '../domain/operations.js';
import type { FootprintOperation, LandedFeeBump, LandedTransaction } from '../store/records.js';
import type { ContractEntry } from './entry-reference.js';
import type { Signature } from './keys.js';

export type SubmittedOperation =
  | ClassicOperation
  | FootprintOperation
  | ({
      readonly kind: 'contract_call';
      readonly source: string;
      readonly authorizations: readonly xdr.SorobanAuthorizationEntry[];
    } & Invocation);

/**
 * The entries of contracts that a transaction names. A call restores those that are marked as archived, and needs no others. So they
 * are functions that read the keys.
 */
export type SubmittedFootprint = {
  readonly readOnly: () => readonly ContractEntry[];
  readonly readWrite: () => readonly ContractEntry[];
  readonly archived: () => readonly ContractEntry[];
};

/** What signs an envelope, and what it signs. */
type Signed = { readonly hashBytes: Buffer; readonly signatures: readonly Signature[] };

/** The envelope around a transaction whose fee another account pays. */
export type SubmittedFeeBump = Omit<LandedFeeBump, 'signatures'> & Signed;

type Kept =
  'hash' | 'source' | 'sequence' | 'feeMaxUnits' | 'resourceFeeUnits' | 'envelopeXdr' | 'memo' | 'validAfter' | 'validBefore';

/** A parsed transaction before its validity is checked. Inside a fee bump it is the inner transaction. */
export type SubmittedTransaction = Pick<LandedTransaction, Kept> &
  Signed & {
    /** Absent without data about resources. */
    readonly footprint?: SubmittedFootprint | undefined;
    readonly operations: readonly SubmittedOperation[];
    readonly feeBump?: SubmittedFeeBump | undefined;
  };
