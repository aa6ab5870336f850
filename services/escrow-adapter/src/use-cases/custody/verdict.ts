import type { BalanceChange, FoundChanges, OperationChanges } from '@holdfast/ledger-network/rpc';
import type { Claim } from './ports.js';

export type Claims = { readonly ledger: number; readonly claims: readonly Claim[] };

/**
 * What the network's own accounting says about a transaction of the history. `pending`: the node does not have its ledger yet. `forgotten`: the node does not
 * have it any more. `contradicted`: the node has the ledger, and something else in it.
 */
export const verdicts = ['proven', 'pending', 'forgotten', 'contradicted'] as const;
export type Verdict = (typeof verdicts)[number];

export function verdictOn({ ledger, claims }: Claims, found: FoundChanges): Verdict {
  switch (found.status) {
    case 'landed':
      return found.ledger === ledger && claims.every((claim) => isIn(found.operations, claim)) ? 'proven' : 'contradicted';
    case 'failed':
      return 'contradicted';
    case 'missing':
      if (ledger > found.latestLedger) return 'pending';
      return ledger < found.oldestLedger ? 'forgotten' : 'contradicted';
  }
}

function isIn(operations: readonly OperationChanges[], claim: Claim): boolean {
  const changes = operations[claim.operation];
  const among: readonly BalanceChange[] = (claim.isClaimable ? changes?.claimable : changes?.balances) ?? [];
  return among.some(({ address, asset, units }) => address === claim.address && asset === claim.asset && units === claim.units);
}
