import { LeaseLost, type IntentStore, type IntentWorker } from '@holdfast/intents';
import type { ContractIntents } from '../use-cases/ports.js';
import { closeWithContract, lockWithIntent } from './contract-sql.js';
import { toContract, toRow } from './contract-store.js';
import type { ContractRow } from './schema.js';

/** Intents that are locked and closed together with the contract they act on. */
export function contractIntents(intents: IntentStore, { wake }: Pick<IntentWorker, 'wake'>): ContractIntents {
  return {
    ...intents,
    wake,
    lockWithContract: async (tx, { id, leaseToken }) => {
      const [row] = await tx.query<ContractRow>(lockWithIntent, [id, leaseToken]);
      if (row === undefined) throw new LeaseLost(id);
      return toContract(row);
    },
    closeWithContract: (tx, intent, closed, [before, after]) =>
      intents.close(tx, intent, { ...closed, with: closeWithContract(toRow(before), toRow(after)) }),
  };
}
