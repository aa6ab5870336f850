import { createHash } from 'node:crypto';
import type { Clock } from '@holdfast/kernel/context';
import type { Escrow } from '../domain/escrow.js';
import type { ContractEffect } from '../ledger-network/apply-contract-call.js';

/** Delays when the provider's index gets to know what has changed on the network. It is in memory: a restart has caught up. */
export type IndexLag = {
  readonly changed: (effect: ContractEffect) => void;
  /** The escrow as the index knows it; undefined while the deployment is not known. */
  readonly known: (escrow: Escrow) => Escrow | undefined;
  /** The index knows everything about the contract from now on. */
  readonly catchUp: (contractId: string) => void;
};

export type IndexLagOptions = { readonly clock: Clock; readonly lagMs: number; readonly seed: string };

type Pending = { readonly before: Escrow | undefined; readonly knownAtMs: number };

/** Each change becomes known after a time between 0 and the lag, and after the changes before it. */
export function createIndexLag({ clock, lagMs, seed }: IndexLagOptions): IndexLag {
  const pendingOf = new Map<string, readonly Pending[]>();
  let changes = 0;
  return {
    changed: ({ before, after }) => {
      if (lagMs === 0) return;
      changes += 1;
      const pending = pendingOf.get(after.contractId) ?? [];
      const earliestMs = pending.at(-1)?.knownAtMs ?? 0;
      const knownAtMs = Math.max(earliestMs, clock.epochMs() + lagOf(seed, changes, lagMs));
      pendingOf.set(after.contractId, [...pending, { before, knownAtMs }]);
    },
    known: (escrow) => {
      const nowMs = clock.epochMs();
      const pending = (pendingOf.get(escrow.contractId) ?? []).filter(({ knownAtMs }) => knownAtMs > nowMs);
      const [next] = pending;
      if (next === undefined) pendingOf.delete(escrow.contractId);
      else pendingOf.set(escrow.contractId, pending);
      return next === undefined ? escrow : next.before;
    },
    catchUp: (contractId) => void pendingOf.delete(contractId),
  };
}

const unsigned32 = 2 ** 32;

/** Equal seeds give equal lags for equal sequences of changes. */
function lagOf(seed: string, change: number, lagMs: number): number {
  const random =
    createHash('sha256')
      .update(JSON.stringify([seed, 'lag', change]))
      .digest()
      .readUInt32BE() / unsigned32;
  return Math.floor(random * (lagMs + 1));
}
