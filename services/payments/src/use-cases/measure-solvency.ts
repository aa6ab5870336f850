import type { InFlightItem } from '@holdfast/contracts/http';
import { pause } from '@holdfast/kernel/async';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { formatUnits, money } from '@holdfast/kernel/money';
import { shortfall, unexplainedMoney } from '../domain/solvency-cases.js';
import {
  backingAssets,
  backingOf,
  solvencyOf,
  unexplainedBy,
  type BackingAsset,
  type BookTerm,
  type Solvency,
} from '../domain/solvency.js';
import type { ReportContext } from './compare-payments.js';
import { closeVanished, openDifference } from './difference-cases.js';
import type { Deps } from './ports.js';
import type { StatementItem } from './provider-ports.js';

/** What network and provider have shown beside the journal. */
export type ObservedOutside = {
  readonly networkUnits: ReadonlyMap<BackingAsset, bigint>;
  /** Undefined where it could not be read: then only what is not there is measured. */
  readonly provider: ObservedProvider | undefined;
};

export type ObservedProvider = { readonly units: bigint; readonly pendingPayouts: readonly StatementItem[] };

export type AssetSolvency = Solvency & { readonly asset: BackingAsset; readonly inFlight: readonly InFlightItem[] };

const readingsMax = 4;

/**
 * What the platform owes and has. What is in flight is in the journal on one side only, and the capital of a new installation is booked
 * after its first moments. So several readings are made, and the one counts that needs the least explanation. What stays unexplained, or
 * is missing, is a case.
 */
export async function measureSolvency(
  deps: Deps,
  observed: ObservedOutside,
  ctx: ReportContext,
): Promise<readonly AssetSolvency[]> {
  let best = await readSolvency(deps, observed, ctx);
  for (let reading = 2; reading <= readingsMax && best.some((one) => toExplain(one) > 0n); reading += 1) {
    await pause(deps.settings.recheckAfterMs, ctx.signal);
    const again = await readSolvency(deps, observed, ctx);
    best = best.map((one, index) => lessToExplain(one, again[index] ?? one));
  }
  for (const solvency of best) await reportSolvency(deps, solvency, ctx);
  return best;
}

function lessToExplain(one: AssetSolvency, other: AssetSolvency): AssetSolvency {
  return toExplain(other) <= toExplain(one) ? other : one;
}

/** Money that nothing explains, and money that is missing. */
function toExplain({ unexplainedUnits, solvencyUnits }: AssetSolvency): bigint {
  return abs(unexplainedUnits) - shortfallUnits(solvencyUnits);
}

/** Negative where the platform owes more than it has. */
function shortfallUnits(solvencyUnits: bigint): bigint {
  return solvencyUnits < 0n ? solvencyUnits : 0n;
}

async function readSolvency(deps: Deps, observed: ObservedOutside, ctx: ReportContext): Promise<readonly AssetSolvency[]> {
  // Before and after: what begins or ends in between is in one of them.
  const before = await readMoving(deps, ctx);
  const terms = await deps.books.terms(ctx.requestId);
  const after = await readMoving(deps, ctx);
  const accepted = await deps.cases.acceptedDifferences();
  return backingAssets.flatMap((asset) => {
    const provider = asset === 'USDC' ? observed.provider : nothingThere;
    if (provider === undefined) return [];
    return [
      solvencyWith(asset, terms, {
        moving: movingIn(asset, before, after),
        pending: provider.pendingPayouts,
        networkUnits: observed.networkUnits.get(asset) ?? 0n,
        providerUnits: provider.units,
        acceptedUnits: accepted.get(asset) ?? 0n,
      }),
    ];
  });
}

const nothingThere: ObservedProvider = { units: 0n, pendingPayouts: [] };

type Given = {
  readonly moving: Moving;
  readonly pending: readonly StatementItem[];
  readonly networkUnits: bigint;
  readonly providerUnits: bigint;
  readonly acceptedUnits: bigint;
};

function solvencyWith(asset: BackingAsset, terms: readonly BookTerm[], given: Given): AssetSolvency {
  const { moving, pending, ...observed } = given;
  const pendingUnits = pending.reduce((sum, { amount }) => sum + amount.units, 0n);
  const solvency = solvencyOf(asset, terms, {
    ...observed,
    waitingUnits: moving.waitingUnits,
    leavingUnits: pendingUnits + moving.leavingUnits,
  });
  const payouts = pending.map(({ providerId, amount }) => itemOf('payout', providerId, amount.units));
  return {
    ...solvency,
    asset,
    unexplainedUnits: unexplainedBy(solvency.unexplainedUnits, moving),
    inFlight: [...moving.items, ...payouts].slice(0, itemsMax),
  };
}

const itemsMax = 100;

function itemOf(kind: InFlightItem['kind'], id: string | null, units: bigint): InFlightItem {
  return { kind, id, amount: formatUnits(units) };
}

type Item = {
  readonly kind: InFlightItem['kind'];
  readonly id: string | null;
  readonly asset: BackingAsset;
  readonly units: bigint;
};

/** What moves in one asset at the moment. */
type Moving = {
  readonly arrivingUnits: bigint;
  readonly leavingUnits: bigint;
  readonly waitingUnits: bigint;
  readonly items: readonly InFlightItem[];
};

type Reading = { readonly arriving: readonly Item[]; readonly leaving: readonly Item[]; readonly waiting: readonly Item[] };

async function readMoving({ books, withdrawals, cases }: Deps, { requestId }: ReportContext): Promise<Reading> {
  const [deposits, leaving, left, unbooked] = await Promise.all([
    books.publishedDeposits(requestId),
    withdrawals.findLeaving(),
    withdrawals.findJustLeft(),
    cases.unbookedDeposits(),
  ]);
  const toItem =
    (kind: Item['kind']) =>
    (each: { readonly id: string; readonly amount: ReturnType<typeof money> }): Item => ({
      kind,
      id: each.id,
      asset: backingOf(each.amount.currency),
      units: each.amount.units,
    });
  const deposited = (unitsOf: (total: (typeof deposits)[number]) => bigint): readonly Item[] =>
    backingAssets.map((asset) => {
      const ofAsset = deposits.filter(({ currency }) => backingOf(currency) === asset);
      return { kind: 'deposit', id: null, asset, units: ofAsset.reduce((sum, total) => sum + unitsOf(total), 0n) };
    });
  return {
    arriving: [
      ...deposited(({ inFlightUnits }) => inFlightUnits),
      ...unbooked.map(toItem('case')),
      ...left.map(toItem('withdrawal')),
    ],
    leaving: leaving.map(toItem('withdrawal')),
    waiting: deposited(({ waitingUnits }) => waitingUnits),
  };
}

function movingIn(asset: BackingAsset, before: Reading, after: Reading): Moving {
  const of = (items: readonly Item[]): readonly Item[] => items.filter((item) => item.asset === asset && item.units !== 0n);
  const sum = (items: readonly Item[]): bigint => of(items).reduce((total, { units }) => total + units, 0n);
  const leaving = eitherOf(of(before.leaving), of(after.leaving));
  const arriving = eitherOf(of(before.arriving), of(after.arriving));
  // A deposit may have become large enough in between.
  const grown = abs(sum(before.waiting) - sum(after.waiting));
  return {
    arrivingUnits: sum(arriving) + grown,
    leavingUnits: sum(leaving) + grown,
    waitingUnits: sum(after.waiting),
    items: eitherOf([...arriving, ...of(after.waiting)], leaving).map(({ kind, id, units }) => itemOf(kind, id, units)),
  };
}

/** What one or the other reading has. Deposits are one item; the larger one counts. */
function eitherOf(before: readonly Item[], after: readonly Item[]): readonly Item[] {
  const found = new Map<string, Item>();
  for (const item of [...before, ...after]) {
    const key = `${item.kind} ${item.id ?? ''}`;
    const known = found.get(key);
    if (known === undefined || known.units < item.units) found.set(key, item);
  }
  return [...found.values()];
}

function abs(units: bigint): bigint {
  return units < 0n ? -units : units;
}

async function reportSolvency(deps: Deps, solvency: AssetSolvency, ctx: ReportContext): Promise<void> {
  const { asset, unexplainedUnits, solvencyUnits } = solvency;
  const accepted = (await deps.cases.acceptedDifferences()).get(asset) ?? 0n;
  const cases = [
    unexplainedMoney(money(unexplainedUnits, asset), formatUnits(accepted)),
    shortfall(money(shortfallUnits(solvencyUnits), asset)),
  ];
  for (const found of cases) {
    await closeVanished(deps, found.sourceId, ctx);
    if (found.amount.units === 0n) continue;
    const opened = { ...found, marketplaceId: defaultMarketplaceId, userId: null };
    await deps.inTransaction((tx) => openDifference(tx, opened, ctx));
  }
}
