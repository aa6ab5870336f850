import type { Clock } from '@holdfast/kernel/context';
import type { Tx } from '@holdfast/postgres';
import type { Contract } from '../domain/contract.js';
import { closeAll, type ClosedIntent } from '@holdfast/intents';
import { writeEnded } from './transaction-store.js';
import type { UnitOfWork } from '../use-cases/ports.js';
import { changed, updateAll } from './contract-store.js';
import type { TransactionWrite } from '@holdfast/ledger-network/submission';

export type UnitOfWorkDeps = { readonly clock: Pick<Clock, 'now'> };

/** The rows that one commit writes. */
type PendingWrites = {
  readonly transactions: TransactionWrite[];
  readonly contracts: Contract[];
  readonly closedIntents: ClosedIntent[];
};

/** Collects the writes of several intents in one transaction; `flush` writes them table by table. */
export function createUnitOfWork(
  tx: Tx,
  deps: UnitOfWorkDeps,
): { readonly unit: UnitOfWork; readonly flush: () => Promise<void> } {
  const pending: PendingWrites = { transactions: [], contracts: [], closedIntents: [] };
  const unit: UnitOfWork = {
    tx,
    endTransactions: (intent, ended, accounts) => void pending.transactions.push({ intent, ended, accounts }),
    changeContract: (contract, change) => {
      const next = changed(contract, change);
      pending.contracts.push(next);
      return next;
    },
    closeIntent: ({ id }, replies) => void pending.closedIntents.push({ id, replies }),
  };
  return { unit, flush: () => write(tx, pending, deps) };
}

async function write(tx: Tx, pending: PendingWrites, { clock }: UnitOfWorkDeps): Promise<void> {
  await Promise.all([
    writeEnded(tx, pending.transactions),
    updateAll(tx, pending.contracts),
    closeAll(tx, pending.closedIntents, clock),
  ]);
}
