import type { Clock } from '@holdfast/shared/context';
import type { Tx } from '@holdfast/shared/postgres';
import type { Contract } from '../domain/contract.js';
import { closeAll, type ClosedIntent } from '../lanes/index.js';
import { endAll, insertOpen, type EndedTransaction } from '../transactions/transaction-store.js';
import type { NewTransaction, UnitOfWork } from '../use-cases/ports.js';
import { changed, updateAll } from './contract-store.js';

/** What one commit writes, row by row as the use cases say it. */
type PendingWrites = {
  readonly endedTransactions: EndedTransaction[];
  readonly openTransactions: NewTransaction[];
  readonly contracts: Contract[];
  readonly closedIntents: ClosedIntent[];
};

/** Collects what several intents write in one transaction; `flush` writes it table by table. */
export function createUnitOfWork(
  tx: Tx,
  clock: Pick<Clock, 'now'>,
): { readonly unit: UnitOfWork; readonly flush: () => Promise<void> } {
  const pending: PendingWrites = { endedTransactions: [], openTransactions: [], contracts: [], closedIntents: [] };
  const unit: UnitOfWork = {
    tx,
    endTransaction: (hash, state) => void pending.endedTransactions.push({ hash, state }),
    openTransaction: (transaction) => void pending.openTransactions.push(transaction),
    changeContract: (contract, change) => {
      const next = changed(contract, change);
      pending.contracts.push(next);
      return next;
    },
    closeIntent: ({ id }, outcome) => void pending.closedIntents.push({ id, outcome }),
  };
  return { unit, flush: () => write(tx, pending, clock) };
}

/** What ended comes before what begins: a source account has one open transaction at a time. */
async function write(tx: Tx, pending: PendingWrites, clock: Pick<Clock, 'now'>): Promise<void> {
  await Promise.all([
    endAll(tx, pending.endedTransactions),
    insertOpen(tx, pending.openTransactions),
    updateAll(tx, pending.contracts),
    closeAll(tx, pending.closedIntents, clock),
  ]);
}
