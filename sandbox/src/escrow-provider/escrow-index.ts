import { createHash } from 'node:crypto';
import type { Clock } from '@holdfast/kernel/context';
import type { Escrow } from '../domain/escrow.js';
import type { ContractEffect } from '../ledger-network/apply-contract-call.js';

/** What the provider's index knows of the network, which may be late. It is in memory: a restarted sandbox knows everything. */
export type EscrowIndex = {
  readonly changed: (effect: ContractEffect) => void;
  /** The escrow as the index knows it; undefined while the deployment is not known. */
  readonly known: (escrow: Escrow) => Escrow | undefined;
  /** Undefined before the deployment. Without a change since the start of the process it is the escrow itself. */
  readonly beforeLastChange: (escrow: Escrow) => Escrow | undefined;
  /** The index knows everything about the contract from now on. */
  readonly catchUp: (contractId: string) => void;
};

type IndexOptions = { readonly clock: Clock; readonly lagMs: number; readonly seed: string };
type Change = { readonly before: Escrow | undefined; readonly knownAtMs: number };

/** Each change becomes known after a time between 0 and the lag, and after the changes before it. */
export function createEscrowIndex({ clock, lagMs, seed }: IndexOptions): EscrowIndex {
  /** The last change of each contract, and those before it that are not known yet. */
  const changesOf = new Map<string, readonly Change[]>();
  let changes = 0;
  const unknownOf = (contractId: string): readonly Change[] => {
    const nowMs = clock.epochMs();
    return (changesOf.get(contractId) ?? []).filter(({ knownAtMs }) => knownAtMs > nowMs);
  };
  return {
    changed: ({ before, after: { contractId } }) => {
      changes += 1;
      const unknown = unknownOf(contractId);
      const knownAtMs = Math.max(unknown.at(-1)?.knownAtMs ?? 0, clock.epochMs() + lagOf(seed, changes, lagMs));
      changesOf.set(contractId, [...unknown, { before, knownAtMs }]);
    },
    known: (escrow) => {
      const [next] = unknownOf(escrow.contractId);
      return next === undefined ? escrow : next.before;
    },
    beforeLastChange: (escrow) => {
      const last = changesOf.get(escrow.contractId)?.at(-1);
      return last === undefined ? escrow : last.before;
    },
    catchUp: (contractId) => {
      const last = changesOf.get(contractId)?.at(-1);
      if (last !== undefined) changesOf.set(contractId, [{ ...last, knownAtMs: 0 }]);
    },
  };
}

const unsigned32 = 2 ** 32;

/** Equal seeds give equal lags for equal sequences of changes. */
function lagOf(seed: string, change: number, lagMs: number): number {
  if (lagMs === 0) return 0;
  const digest = createHash('sha256').update(JSON.stringify([seed, 'lag', change]));
  return Math.floor((digest.digest().readUInt32BE() / unsigned32) * (lagMs + 1));
}
