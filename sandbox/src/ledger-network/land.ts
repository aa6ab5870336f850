import { applyOperation, type Accounts } from '../domain/operations.js';
import { OperationFailure, contractRefusal } from '../domain/operation-failure.js';
import { ledgerHeadKey, type LandedOperation, type LandedTransaction, type LedgerHead } from '../store/records.js';
import type { StoreTransaction, Store } from '../store/store.js';
import { applyContractCall, type ContractEffect, type ContractRules } from './apply-contract-call.js';
import type { SubmittedOperation, SubmittedTransaction } from './submitted-transaction.js';

/** The ledger that the transaction closes. */
export type Closing = { readonly head: LedgerHead; readonly closedAt: string };

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
  const result = applyAll(storeTransaction, landing.rules, transaction.operations, closing);
  const landed = landedTransaction(transaction, feeUnits, closing, result.result);
  const committed = landed.failure === undefined ? storeTransaction : charged();
  if (landed.failure === undefined) for (const effect of result.effects) landing.onContractChange(committed, effect, landed);
  committed.put('transactions', landed.hash, landed);
  committed.commit();
  return landed;
}

function charge(storeTransaction: StoreTransaction, { source, sequence }: SubmittedTransaction, feeUnits: bigint): void {
  const account = storeTransaction.find('accounts', source);
  if (account === undefined) throw new Error('the source account of a valid transaction must exist');
  storeTransaction.put('accounts', source, { ...account, sequence, nativeUnits: account.nativeUnits - feeUnits });
}

type LandedResult = Pick<LandedTransaction, 'operations' | 'failure'>;

type Applied = {
  readonly result: LandedResult;
  readonly effects: readonly ContractEffect[];
};

function applyAll(
  storeTransaction: StoreTransaction,
  rules: ContractRules,
  submitted: readonly SubmittedOperation[],
  closing: Closing,
): Applied {
  const operations: LandedOperation[] = [];
  const effects: ContractEffect[] = [];
  for (const operation of submitted) {
    try {
      const effect = applyOne(storeTransaction, rules, operation, closing);
      if (effect !== undefined) effects.push(effect);
      operations.push(landedOperation(operation, effect));
    } catch (error) {
      if (!(error instanceof OperationFailure)) throw error;
      const operationCodes = [...operations.map(() => 'op_success'), error.code];
      const failed = submitted.map((each) => landedOperation(each, undefined));
      return { result: { operations: failed, failure: { operationCodes, reason: error.message } }, effects: [] };
    }
  }
  return { result: { operations }, effects };
}

function applyOne(
  storeTransaction: StoreTransaction,
  rules: ContractRules,
  operation: SubmittedOperation,
  { head, closedAt }: Closing,
): ContractEffect | undefined {
  if (operation.kind !== 'contract_call') {
    applyOperation(accountsOf(storeTransaction), operation, head.sequence);
    return undefined;
  }
  if (operation.call === undefined) throw contractRefusal('The contract has no such function');
  if (operation.call.call.caller !== operation.source) throw contractRefusal('The caller has not signed');
  return applyContractCall(storeTransaction, operation.call, rules, closedAt);
}

function accountsOf(storeTransaction: StoreTransaction): Accounts {
  return {
    find: (id) => storeTransaction.find('accounts', id),
    put: (account) => storeTransaction.put('accounts', account.id, account),
  };
}

function landedOperation(operation: SubmittedOperation, effect: ContractEffect | undefined): LandedOperation {
  if (operation.kind !== 'contract_call') return operation;
  const { kind, source, contractId, functionName } = operation;
  const isDeployment = effect !== undefined && effect.before === undefined;
  return {
    kind,
    source,
    contractId,
    functionName,
    transfers: effect?.transfers ?? [],
    createdContractId: isDeployment ? effect.after.contractId : undefined,
  };
}

function landedTransaction(
  transaction: SubmittedTransaction,
  feeUnits: bigint,
  { head, closedAt }: Closing,
  { operations, failure }: LandedResult,
): LandedTransaction {
  return {
    hash: transaction.hash,
    ledger: head.sequence,
    closedAt,
    source: transaction.source,
    sequence: transaction.sequence,
    feeChargedUnits: feeUnits,
    feeMaxUnits: transaction.feeMaxUnits,
    envelopeXdr: transaction.envelopeXdr,
    signatures: transaction.signatures.map(({ signature }) => signature.toString('base64')),
    memo: transaction.memo,
    validAfter: transaction.minTime,
    validBefore: transaction.maxTime,
    operations,
    failure,
  };
}
