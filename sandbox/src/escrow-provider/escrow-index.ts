import type { Escrow } from '../domain/escrow.js';
import type { ContractEffect } from '../ledger-network/apply-contract-call.js';
import type { Records, TableName } from '../store/records.js';

/** Contracts by signer, oldest first. An in-memory index that is rebuilt from the store at each start. */
export type EscrowIndex = {
  readonly add: <Name extends TableName>(table: Name, value: Records[Name]) => void;
  readonly deployedBy: (signer: string) => readonly string[];
  /** Remembers the escrow as it was before its last change. */
  readonly changed: (effect: ContractEffect) => void;
  /** Undefined before the deployment. Without a change since the start of the process it is the escrow itself. */
  readonly beforeLastChange: (escrow: Escrow) => Escrow | undefined;
};

export function createEscrowIndex(): EscrowIndex {
  const bySigner = new Map<string, string[]>();
  const earlier = new Map<string, Escrow | undefined>();
  return {
    add: (table, value) => {
      if (table !== 'escrows' || !('contractId' in value)) return;
      const contracts = bySigner.get(value.signer);
      if (contracts === undefined) bySigner.set(value.signer, [value.contractId]);
      else contracts.push(value.contractId);
    },
    deployedBy: (signer) => bySigner.get(signer) ?? [],
    changed: ({ before, after }) => void earlier.set(after.contractId, before),
    beforeLastChange: (escrow) => (earlier.has(escrow.contractId) ? earlier.get(escrow.contractId) : escrow),
  };
}
