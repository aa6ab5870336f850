import type { AssetKey } from '../domain/assets.js';
import { applyOperation } from '../domain/operations.js';
import type { Sponsorships } from '../domain/sponsoring.js';
import type { Accounts } from '../domain/transfer-operations.js';
import { ledgerHeadKey, type LandedContractCall, type LandedOperation, type LedgerHead } from '../store/records.js';
import type { StoreTransaction } from '../store/store.js';
import { applyContractCall, readCall, type ContractEffect, type ContractRules } from './apply-contract-call.js';
import { applyCallLifetimes, applyFootprintOperation, restoreEntries } from './apply-lifetimes.js';
import { applyTokenCall, readTokenCall } from './apply-token-call.js';
import { requireAuthorization, requireCaller } from './authorization.js';
import type { SubmittedFootprint, SubmittedOperation } from './submitted-transaction.js';

/** The ledger in which the transaction lands, and its place there. */
export type Closing = { readonly head: LedgerHead; readonly closedAt: string; readonly applicationOrder: number };

export type Applying = {
  readonly rules: ContractRules;
  readonly closing: Closing;
  readonly footprint: SubmittedFootprint;
  readonly sponsorships: Sponsorships;
};

type AppliedOperation = { readonly landed: LandedOperation; readonly effect?: ContractEffect };

/** Applies one operation of a transaction, or throws its failure. */
export function applyOne(
  storeTransaction: StoreTransaction,
  operation: SubmittedOperation,
  applying: Applying,
): AppliedOperation {
  const { footprint, closing } = applying;
  const { sequence } = closing.head;
  if (operation.kind === 'extend_footprint_ttl' || operation.kind === 'restore_footprint') {
    applyFootprintOperation(storeTransaction, operation, footprint, sequence);
    return { landed: operation };
  }
  if (operation.kind !== 'contract_call') {
    return { landed: applyOperation(accountsOf(storeTransaction, applying), operation, sequence) };
  }
  restoreEntries(storeTransaction, footprint.archived(), sequence);
  const asset = applying.rules.tokens.get(operation.contractId);
  return asset === undefined
    ? callEscrow(storeTransaction, operation, applying)
    : { landed: callToken(storeTransaction, operation, asset, sequence) };
}

type ContractOperation = Extract<SubmittedOperation, { kind: 'contract_call' }>;

function callEscrow(
  storeTransaction: StoreTransaction,
  operation: ContractOperation,
  { rules, closing: { head, closedAt } }: Applying,
): AppliedOperation {
  const call = readCall(storeTransaction, operation, rules);
  requireAuthorization(operation, call, storeTransaction.find('escrows', operation.contractId)?.token);
  const effect = applyContractCall(storeTransaction, call, rules, closedAt);
  applyCallLifetimes(storeTransaction, effect, head.sequence);
  const landed = {
    ...called(operation),
    balanceChanges: effect.transfers.map((transfer) => ({ ...transfer, type: 'transfer' as const })),
    createdContractId: effect.before === undefined ? effect.after.contractId : undefined,
    escrow: effect.after,
  };
  return { landed, effect };
}

function callToken(
  storeTransaction: StoreTransaction,
  operation: ContractOperation,
  asset: AssetKey,
  ledger: number,
): LandedOperation {
  const { contractId: token } = operation;
  const call = readTokenCall(operation, asset);
  requireCaller(operation, call.caller);
  applyTokenCall(storeTransaction, call, { token, ledger });
  return { ...called(operation), balanceChanges: [call.change] };
}

function accountsOf(storeTransaction: StoreTransaction, { sponsorships, closing }: Applying): Accounts {
  return {
    find: (id) => storeTransaction.find('accounts', id),
    put: (account) => storeTransaction.put('accounts', account.id, account),
    remove: (id) => storeTransaction.remove('accounts', id),
    putClaimable: (balance) => storeTransaction.put('claimableBalances', balance.id, balance),
    nextOfferId: () => {
      const head = storeTransaction.find('ledger', ledgerHeadKey) ?? closing.head;
      const lastOfferId = (head.lastOfferId ?? 0) + 1;
      storeTransaction.put('ledger', ledgerHeadKey, { ...head, lastOfferId });
      return BigInt(lastOfferId);
    },
    sponsorships,
  };
}

/** The operation as it is in a failed transaction. */
export function withoutEffect(operation: SubmittedOperation): LandedOperation {
  return operation.kind === 'contract_call' ? called(operation) : operation;
}

function called({ kind, source, contractId, functionName }: ContractOperation): LandedContractCall {
  return { kind, source, contractId, functionName, balanceChanges: [] };
}
