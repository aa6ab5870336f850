import type { Clock, Instant, Log } from '@holdfast/kernel/context';
import { toEpochMs } from '@holdfast/kernel/context';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import type { UserId } from '@holdfast/kernel/ids';
import type { CustodyAsset } from '@holdfast/kernel/money';
import type { LedgerRpc } from '../../use-cases/network-ports.js';
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
  const placeOf = await store.placesOf(claims.map(({ address }) => address));
  const arrived = new Map<string, { readonly claim: Claim; readonly userId: UserId; readonly units: bigint }>();
  for (const claim of claims) {
    const place = placeOf(claim.address);
    if (place?.place !== 'wallet' || claim.isClaimable || claim.units < 0n) return false;
    const key = `${claim.address} ${claim.asset}`;
    arrived.set(key, { claim, userId: place.ownerId, units: (arrived.get(key)?.units ?? 0n) + claim.units });
  }
  const accounts = await rpc.accountBalances([...new Set(claims.map(({ address }) => address))], usdcIssuer);
  for (const { claim, userId, units } of arrived.values()) {
    const held = accounts.get(claim.address)?.balances[claim.asset] ?? 0n;
    if (held < (await store.holdingsOf(userId, claim.asset)) + units) return false;
  }
  return arrived.size > 0;
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
