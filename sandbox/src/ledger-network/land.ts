import type { Account } from '../domain/account.js';
import type { EntryChange } from '../domain/entry-changes.js';
import { OperationFailure } from '../domain/operation-failure.js';
import type { Sponsorships } from '../domain/sponsoring.js';
import {
  ledgerHeadKey,
  type LandedFailure,
  type LandedFeeBump,
  type LandedOperation,
  type LandedTransaction,
} from '../store/records.js';
import type { StoreTransaction, Store } from '../store/store.js';
import type { ContractEffect, ContractRules } from './apply-contract-call.js';
import { applyOne, withoutEffect, type Applying, type Closing } from './apply-submitted-operation.js';
import type { ContractEntry } from './entry-reference.js';
import { recordChanges } from './record-changes.js';
import type { SubmittedFootprint, SubmittedTransaction } from './submitted-transaction.js';

export type Landing = {
  readonly store: Store;
  readonly rules: ContractRules;
  /** Called before the commit, so that its own changes are part of the same store transaction. */
  readonly onContractChange: (storeTransaction: StoreTransaction, effect: ContractEffect, landed: LandedTransaction) => void;
};

/** Applies a valid transaction and commits it. When an operation fails, only the fee and the sequence number are used. */
export function land(landing: Landing, transaction: SubmittedTransaction, feeUnits: bigint, closing: Closing): LandedTransaction {
  const charged = (): StoreTransaction => {
    const storeTransaction = landing.store.begin();
    charge(storeTransaction, transaction, feeUnits);
    storeTransaction.put('ledger', ledgerHeadKey, closing.head);
    return storeTransaction;
  };
  const storeTransaction = charged();
  const result = applyAll(storeTransaction, transaction, { rules: landing.rules, closing });
  const landed = landedTransaction(transaction, feeUnits, closing, result.result);
  const committed = landed.failure === undefined ? storeTransaction : charged();
  if (landed.failure === undefined) for (const effect of result.effects) landing.onContractChange(committed, effect, landed);
  committed.put('transactions', landed.hash, landed);
  if (landed.feeBump !== undefined) committed.put('feeBumps', landed.feeBump.hash, { transactionHash: landed.hash });
  committed.commit();
  return landed;
}

/** The fee source of a fee bump pays; the transaction's own source gives the sequence number. */
function charge(storeTransaction: StoreTransaction, transaction: SubmittedTransaction, feeUnits: bigint): void {
  const { source, sequence, feeBump } = transaction;
  const change = (id: string, changed: (account: Account) => Account): void => {
    const account = storeTransaction.find('accounts', id);
    if (account === undefined) throw new Error('the source accounts of a valid transaction must exist');
    storeTransaction.put('accounts', id, changed(account));
  };
  change(source, (account) => ({ ...account, sequence }));
  change(feeBump?.source ?? source, (account) => ({ ...account, nativeUnits: account.nativeUnits - feeUnits }));
}

type LandedResult = Pick<LandedTransaction, 'operations' | 'changes' | 'failure'>;

type Applied = {
  readonly result: LandedResult;
  readonly effects: readonly ContractEffect[];
};

function applyAll(
  storeTransaction: StoreTransaction,
  transaction: SubmittedTransaction,
  applying: Pick<Applying, 'rules' | 'closing'>,
): Applied {
  const { operations: submitted, footprint = noFootprint } = transaction;
  const operations: LandedOperation[] = [];
  const changes: (readonly EntryChange[])[] = [];
  const effects: ContractEffect[] = [];
  const sponsorships: Sponsorships = new Map();
  const failed = (failure: LandedFailure): Applied => {
    const unapplied = submitted.map(withoutEffect);
    return { result: { operations: unapplied, failure }, effects: [] };
  };
  for (const operation of submitted) {
    try {
      const recording = recordChanges(storeTransaction);
      const { landed, effect } = applyOne(recording.transaction, operation, { ...applying, footprint, sponsorships });
      if (effect !== undefined) effects.push(effect);
      operations.push(landed);
      changes.push(recording.changes());
    } catch (error) {
      if (!(error instanceof OperationFailure)) throw error;
      const operationCodes = [...operations.map(() => 'op_success' as const), error.code];
      return failed({ operationCodes, reason: error.message });
    }
  }
  const hasOpenSponsoring = sponsorships.size > 0;
  return hasOpenSponsoring ? failed(badSponsorship) : { result: { operations, changes }, effects };
}

const badSponsorship = { code: 'tx_bad_sponsorship', operationCodes: [], reason: 'A sponsoring has no end' } as const;

const noEntries = (): readonly ContractEntry[] => [];
const noFootprint: SubmittedFootprint = { readOnly: noEntries, readWrite: noEntries, archived: noEntries };

/** The transaction as the ledger in which it lands stores it. */
export function landedTransaction(
  transaction: SubmittedTransaction,
  feeUnits: bigint,
  { head, closedAt, applicationOrder }: Closing,
  { operations, changes, failure }: LandedResult,
): LandedTransaction {
  const { hash, source, sequence, feeMaxUnits, resourceFeeUnits, envelopeXdr, memo, validAfter, validBefore } = transaction;
  return {
    hash,
    ledger: head.sequence,
    applicationOrder,
    closedAt,
    source,
    sequence,
    feeChargedUnits: feeUnits,
    feeMaxUnits,
    resourceFeeUnits,
    envelopeXdr,
    signatures: encodedSignatures(transaction),
    feeBump: landedFeeBump(transaction),
    memo,
    validAfter,
    validBefore,
    operations,
    changes,
    failure,
  };
}

function landedFeeBump({ feeBump }: SubmittedTransaction): LandedFeeBump | undefined {
  if (feeBump === undefined) return undefined;
  const { hash, source, feeMaxUnits } = feeBump;
  return { hash, source, feeMaxUnits, signatures: encodedSignatures(feeBump) };
}

function encodedSignatures({ signatures }: Pick<SubmittedTransaction, 'signatures'>): readonly string[] {
  return signatures.map(({ signature }) => signature.toString('base64'));
}
