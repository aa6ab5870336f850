import { toEpochMs, type Clock, type Instant, type Log } from '@holdfast/kernel/context';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import type { UserId } from '@holdfast/kernel/ids';
import type { CustodyAsset } from '@holdfast/kernel/money';
import type { BalanceChange, LedgerRpc } from '../../use-cases/network-ports.js';
import type { LedgerHistory } from '../network/ledger-history.js';
import { claimsOf, type Claim } from './claims.js';
import type { ClaimedTransaction } from './findings.js';
import type { Deposit, Outflow, PlaceOf } from './legs.js';
import { verdictOn, type Verdict } from './verdict.js';

export type OpenClaim = ClaimedTransaction & { readonly seenAt: Instant };

export type ClaimStore = {
  /** Transactions that are due, and all that name the user's wallet; oldest ledger first. Sets when they are due again. */
  readonly takeDue: (userId?: UserId) => Promise<readonly OpenClaim[]>;
  /** Publishes the transaction and returns its unknown outflows. Undefined if another process has published it. */
  readonly publish: (transaction: ClaimedTransaction) => Promise<readonly Outflow[] | undefined>;
  /** Opens a case for each deposit of the transaction, which is not tried again. Returns whether this call did so. */
  readonly giveUp: (transaction: ClaimedTransaction) => Promise<boolean>;
  readonly placesOf: (addresses: readonly string[]) => Promise<PlaceOf>;
  /** What the published transactions have left in a wallet. */
  readonly holdingsOf: (userId: UserId, asset: CustodyAsset) => Promise<bigint>;
};

export type ProverDeps = {
  readonly rpc: Pick<LedgerRpc, 'balanceChangesOf' | 'accountBalances'>;
  /** A second history, by another operator. */
  readonly secondHistory?: Pick<LedgerHistory, 'ofTransaction'> | undefined;
  readonly store: ClaimStore;
  readonly usdcIssuer: string;
  /** A case is opened about what nothing has proved for so long. */
  readonly giveUpAfterMs: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: {
    readonly onVerdict: (verdict: Verdict) => void;
    readonly onOutflow: (place: Outflow['place']) => void;
  };
};

/**
 * Proves what the history says about transactions of others, and publishes what is proved. Throws SERVICE_UNAVAILABLE or
 * PROVIDER_TIMEOUT while the network's RPC is unreachable: until then the transactions wait.
 */
export type Prove = (userId?: UserId) => Promise<readonly Deposit[]>;

export function createProver(deps: ProverDeps): Prove {
  return async (userId) => {
    const published: Deposit[] = [];
    // One after the other: a later one may be judged by what an earlier one has left in a wallet.
    for (const claimed of await deps.store.takeDue(userId)) published.push(...(await prove(deps, claimed)));
    return published;
  };
}

async function prove(deps: ProverDeps, claimed: OpenClaim): Promise<readonly Deposit[]> {
  const { store, log } = deps;
  const { hash, ledger } = claimed;
  const verdict = await verdictOf(deps, claimed).catch((error: unknown): Verdict => {
    if (error instanceof AppError) throw error;
    log.error({ transactionHash: hash, err: error }, 'what the network says about a transaction cannot be read');
    return 'contradicted';
  });
  deps.metrics.onVerdict(verdict);
  if (verdict === 'proven') {
    const outflows = await store.publish(claimed);
    if (outflows === undefined) return [];
    report(deps, claimed, outflows);
    return claimed.deposits;
  }
  if (verdict !== 'pending') log.warn({ transactionHash: hash, ledger, verdict }, 'a transaction of the history is not proved');
  const isLate = deps.clock.epochMs() - toEpochMs(claimed.seenAt) >= deps.giveUpAfterMs;
  if (isLate && (await store.giveUp(claimed)))
    log.error({ transactionHash: hash, ledger, verdict }, 'a case was opened about a transaction that nothing proves');
  return [];
}

function report({ log, metrics }: ProverDeps, { hash, deposits }: ClaimedTransaction, outflows: readonly Outflow[]): void {
  for (const { userId, operationId, asset } of deposits) log.info({ userId, operationId, asset }, 'deposit published');
  for (const { place, userId, asset, units, to } of outflows) {
    const outflow = { transactionHash: hash, place, userId, asset, units: units.toString(), to };
    log.error(outflow, 'tokens left an account of the platform in a transaction that it has not made');
    metrics.onOutflow(place);
  }
}

async function verdictOf(deps: ProverDeps, claimed: ClaimedTransaction): Promise<Verdict> {
  const verdict = verdictOn(claimed, await deps.rpc.balanceChangesOf(claimed.hash, deps.usdcIssuer));
  if (verdict !== 'forgotten') return verdict;
  return (await isCovered(deps, claimed)) || (await isShownBySecond(deps, claimed)) ? 'proven' : verdict;
}

/** Whether every change is an arrival in a wallet that still holds it, beside all that was published about the wallet. */
async function isCovered({ rpc, store, usdcIssuer }: ProverDeps, { claims }: ClaimedTransaction): Promise<boolean> {
  const addresses = [...new Set(claims.map(({ address }) => address))];
  const arrivals = arrivalsIn(claims, await store.placesOf(addresses));
  if (arrivals === undefined || arrivals.length === 0) return false;
  const accounts = await rpc.accountBalances(addresses, usdcIssuer);
  for (const { address, asset, userId, units } of arrivals) {
    const held = accounts.get(address)?.balances[asset] ?? 0n;
    if (held < (await store.holdingsOf(userId, asset)) + units) return false;
  }
  return true;
}

type Arrival = BalanceChange & { readonly userId: UserId };

/** What arrived in each wallet. Undefined where a claim is about something else. */
function arrivalsIn(claims: readonly Claim[], placeOf: PlaceOf): readonly Arrival[] | undefined {
  const arrivals = new Map<string, Arrival>();
  for (const { address, asset, units, isClaimable } of claims) {
    const place = placeOf(address);
    if (place?.place !== 'wallet' || isClaimable || units < 0n) return undefined;
    const key = `${address} ${asset}`;
    arrivals.set(key, { address, asset, userId: place.ownerId, units: (arrivals.get(key)?.units ?? 0n) + units });
  }
  return [...arrivals.values()];
}

async function isShownBySecond({ secondHistory, store }: ProverDeps, { hash, claims }: ClaimedTransaction): Promise<boolean> {
  if (secondHistory === undefined) return false;
  const operations = await secondHistory.ofTransaction(hash).catch(noneIfUnreachable);
  const placeOf = await store.placesOf(claims.map(({ address }) => address));
  return operations.length > 0 && textOf(claimsOf(operations, placeOf)) === textOf(claims);
}

function noneIfUnreachable(error: unknown): readonly never[] {
  if (isAppError(error, 'SERVICE_UNAVAILABLE') || isAppError(error, 'PROVIDER_TIMEOUT')) return [];
  throw error;
}

function textOf(claims: readonly Claim[]): string {
  return claims
    .map(({ operation, address, asset, units, isClaimable }) => [operation, address, asset, units, isClaimable].join(' '))
    .toSorted()
    .join('\n');
}
