/** The entries of a contract on the ledger. Each one is archived after its last ledger, unless its life is extended. */
export const entryNames = ['instance', 'escrow', 'balance'] as const;
export type EntryName = (typeof entryNames)[number];

export type Lifetime = { readonly modifiedLedger: number; readonly liveUntilLedger: number };

/** An entry that does not exist has no lifetime: a multi-release contract stores its escrow in the instance. */
export type Lifetimes = Readonly<Partial<Record<EntryName, Lifetime>>>;

/** The network's settings, in ledgers. */
const entryLifeMin = 2_073_600;
export const entryLifeMax = 3_110_400;

/** The life is extended when it is shorter than the threshold. */
type Extension = { readonly threshold: number; readonly extendTo: number };

const ledgersPerDay = 17_280;
/** What the escrow contracts request at each write. The network's maximum is lower. */
const byEscrow: Extension = { threshold: ledgersPerDay, extendTo: 31_536_000 };
/** What the token's contract requests at each transfer. */
const byToken: Extension = { threshold: 29 * ledgersPerDay, extendTo: 30 * ledgersPerDay };

export function isLive({ liveUntilLedger }: Lifetime, ledger: number): boolean {
  return liveUntilLedger >= ledger;
}

/** The lifetime of a new or restored entry. */
export function newLifetime(ledger: number): Lifetime {
  return { modifiedLedger: ledger, liveUntilLedger: ledger + entryLifeMin - 1 };
}

/** Extends a live entry to the given number of ledgers from now; never shortens its life. */
export function extended(lifetime: Lifetime, ledger: number, extendTo: number): Lifetime {
  const liveUntilLedger = ledger + Math.min(extendTo, entryLifeMax - 1);
  return liveUntilLedger > lifetime.liveUntilLedger ? { ...lifetime, liveUntilLedger } : lifetime;
}

type Written = { readonly isSingleRelease: boolean; readonly hasMovedTokens: boolean };

/** The lifetimes after a call. Every call writes the escrow, and nothing but an operation extends a single-release instance. */
export function afterCall(lifetimes: Lifetimes, { isSingleRelease, hasMovedTokens }: Written, ledger: number): Lifetimes {
  const { instance = newLifetime(ledger), escrow, balance } = lifetimes;
  return {
    ...lifetimes,
    ...(isSingleRelease
      ? { instance, escrow: written(escrow, byEscrow, ledger) }
      : { instance: written(instance, byEscrow, ledger) }),
    ...(hasMovedTokens ? { balance: written(balance, byToken, ledger) } : {}),
  };
}

/** The lifetimes after a transfer into the contract that does not call it. */
export function afterTransfer(lifetimes: Lifetimes, ledger: number): Lifetimes {
  return { ...lifetimes, balance: written(lifetimes.balance, byToken, ledger) };
}

function written(lifetime: Lifetime | undefined, { threshold, extendTo }: Extension, ledger: number): Lifetime {
  const modified = { ...(lifetime ?? newLifetime(ledger)), modifiedLedger: ledger };
  return modified.liveUntilLedger - ledger < threshold ? extended(modified, ledger, extendTo) : modified;
}
