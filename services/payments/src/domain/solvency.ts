import type { Currency } from '@holdfast/kernel/money';

export const backingAssets = ['USDC', 'XLM'] as const;
/** What backs the books. Dollars are escrowed and paid as USDC, one to one. */
export type BackingAsset = (typeof backingAssets)[number];

export function backingOf(currency: Currency): BackingAsset {
  return currency === 'XLM' ? 'XLM' : 'USDC';
}

/** A total of the journal. Accounts outside are on its other side: what came in makes them negative. */
export type BookTerm = { readonly term: string; readonly currency: Currency; readonly units: bigint };

/** What network and provider show beside the journal, in one asset. */
export type Observed = {
  /** Network minus journal, at the accounts that were compared. */
  readonly networkUnits: bigint;
  /** Provider minus journal: payments, and what the balance has beyond them. */
  readonly providerUnits: bigint;
  /** What a person has written off of earlier differences. */
  readonly acceptedUnits: bigint;
  /** Deposits that are too small to be credited alone. */
  readonly waitingUnits: bigint;
  /** What leaves at the moment: it is owed until the journal has it. Left out of both sides. */
  readonly leavingUnits: bigint;
};

export type Solvency = {
  readonly liabilitiesUnits: bigint;
  readonly assetsUnits: bigint;
  readonly solvencyUnits: bigint;
  readonly ownMoneyUnits: bigint;
  readonly unexplainedUnits: bigint;
};

/**
 * All totals of the journal are of one snapshot, so that nothing which is between two of its accounts is a difference. See ADR
 * 0080.
 */
export function solvencyOf(asset: BackingAsset, terms: readonly BookTerm[], observed: Observed): Solvency {
  const of = (...names: readonly string[]): bigint =>
    terms
      .filter(({ term, currency }) => backingOf(currency) === asset && names.includes(term))
      .reduce((sum, { units }) => sum + units, 0n);
  const chainCosts = of('chain:provider_fees', 'chain:network_fees');
  // The tokens of all places sum to zero, so those that the platform holds are what is missing outside.
  const onNetwork = -(of('chain:world', 'chain:capital') + chainCosts);
  const atProvider = -of('external:payins', 'external:payouts', 'external:provider_account');
  const liabilities = of('available', 'reserved', 'escrow', 'platform:suspense');
  const assets = onNetwork + atProvider + observed.networkUnits + observed.providerUnits;
  const capital = of('platform:capital') - of('chain:capital');
  // Costs are negative in the journal. What was credited by hand, or written off, was the platform's own decision.
  const decided = of('external:manual', 'external:adjustments') + observed.acceptedUnits;
  const ownMoney = capital + of('platform:fees', 'platform:provider_costs') - chainCosts + decided;
  return {
    liabilitiesUnits: liabilities - observed.leavingUnits,
    assetsUnits: assets - observed.leavingUnits,
    solvencyUnits: assets - liabilities,
    ownMoneyUnits: ownMoney,
    unexplainedUnits: assets - liabilities - ownMoney - observed.waitingUnits,
  };
}

/** What may be booked on one side only at the moment. */
export type Moving = { readonly arrivingUnits: bigint; readonly leavingUnits: bigint };

/** The difference that nothing in flight can explain: money that arrives raises assets first, money that leaves lowers them first. */
export function unexplainedBy(units: bigint, { arrivingUnits, leavingUnits }: Moving): bigint {
  return units <= arrivingUnits && units >= -leavingUnits ? 0n : units;
}
