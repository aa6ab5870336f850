/** Tokens that a transaction moves on the ledger network. */
export type LedgerTransfer = {
  /** The contract of the token. */
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
};

/**
 * How the transfers of a landed transaction differ from what it must move; undefined if they do not. Several transfers between the
 * same two addresses count as their sum.
 */
export function transferMismatch(expected: readonly LedgerTransfer[], found: readonly LedgerTransfer[]): string | undefined {
  const moves = { expected: sums(expected), found: sums(found) };
  for (const way of new Set([...moves.expected.keys(), ...moves.found.keys()])) {
    const [due, moved] = [moves.expected.get(way) ?? 0n, moves.found.get(way) ?? 0n];
    if (due !== moved) return `${moved} units were moved ${way} instead of ${due}`;
  }
  return undefined;
}

function sums(transfers: readonly LedgerTransfer[]): ReadonlyMap<string, bigint> {
  const byWay = new Map<string, bigint>();
  for (const { token, from, to, units } of transfers) {
    const way = `of ${token} from ${from} to ${to}`;
    byWay.set(way, (byWay.get(way) ?? 0n) + units);
  }
  return byWay;
}
