import type { xdr } from '@stellar/stellar-sdk';
import type { Invocation } from '../contract-calls/contract-call.js';
import type { ClassicOperation } from '../domain/operations.js';
import type { FootprintOperation, Memo } from '../store/records.js';
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

/** The entries of contracts that a transaction names. A call restores those that are marked as archived. */
export type SubmittedFootprint = {
  readonly readOnly: readonly ContractEntry[];
  readonly readWrite: readonly ContractEntry[];
  readonly archived: readonly ContractEntry[];
};

/** The envelope around a transaction whose fee another account pays. */
export type SubmittedFeeBump = {
  readonly hash: string;
  readonly hashBytes: Buffer;
  /** The account that pays the fee. */
  readonly source: string;
  readonly feeMaxUnits: bigint;
  readonly signatures: readonly Signature[];
};

/** A parsed transaction before its validity is checked. Inside a fee bump it is the inner transaction. */
export type SubmittedTransaction = {
  readonly hash: string;
  readonly hashBytes: Buffer;
  readonly source: string;
  readonly sequence: bigint;
  readonly feeMaxUnits: bigint;
  /** The fee of a contract call's resources, which is part of the maximum fee; absent without data about resources. */
  readonly resourceFeeUnits?: bigint | undefined;
  /** Absent without data about resources. */
  readonly footprint?: SubmittedFootprint | undefined;
  readonly minTime: number;
  /** Zero means no limit. */
  readonly maxTime: number;
  readonly memo: Memo;
  readonly operations: readonly SubmittedOperation[];
  readonly signatures: readonly Signature[];
  readonly feeBump?: SubmittedFeeBump | undefined;
  /** The whole envelope, with the fee bump if there is one. */
  readonly envelopeXdr: string;
};
