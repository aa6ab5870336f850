import type { Records, TableName } from '../store/records.js';

/** Contracts by signer, oldest first. An in-memory index that is rebuilt from the store at each start. */
export type EscrowIndex = {
  readonly add: <Name extends TableName>(table: Name, value: Records[Name]) => void;
  readonly deployedBy: (signer: string) => readonly string[];
};

export function createEscrowIndex(): EscrowIndex {
  const bySigner = new Map<string, string[]>();
  return {
    add: (table, value) => {
      if (table !== 'escrows' || !('contractId' in value)) return;
      const contracts = bySigner.get(value.signer);
      if (contracts === undefined) bySigner.set(value.signer, [value.contractId]);
      else contracts.push(value.contractId);
    },
    deployedBy: (signer) => bySigner.get(signer) ?? [],
  };
}
