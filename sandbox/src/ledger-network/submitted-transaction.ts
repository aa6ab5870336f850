import type { ContractCall } from '../contract-calls/contract-call.js';
import type { ClassicOperation } from '../domain/operations.js';
import type { Memo } from '../store/records.js';
import type { Signature } from './keys.js';

export type SubmittedOperation =
  | ClassicOperation
  | {
      readonly kind: 'contract_call';
      readonly source: string;
      readonly contractId: string;
      readonly functionName: string;
      /** Undefined when no contract has such a function. */
      readonly call: ContractCall | undefined;
    };

/** A parsed transaction before its validity is checked. */
export type SubmittedTransaction = {
  readonly hash: string;
  readonly hashBytes: Buffer;
  readonly source: string;
  readonly sequence: bigint;
  readonly feeMaxUnits: bigint;
  readonly minTime: number;
  /** Zero means no limit. */
  readonly maxTime: number;
  readonly memo: Memo;
  readonly operations: readonly SubmittedOperation[];
  readonly signatures: readonly Signature[];
  readonly envelopeXdr: string;
};
