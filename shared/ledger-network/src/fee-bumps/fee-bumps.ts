import { IntentPaused } from '@holdfast/intents';
import { toEpochMs, type Clock, type Log } from '@holdfast/kernel/context';
import { firstBid, nextBid, type BidLimits, type FeeBid } from './fee-bid.js';
import type { LedgerRpc, SignedTransaction, Submission } from '../rpc/index.js';
import type { Spent } from '../values/index.js';
import { feeUnitsMax, innerFeeOf, isContractCall, type InnerFee, type SignFeeBump } from './fee-bump.js';
import { createNetworkFees, type NetworkFees } from './network-fees.js';

/**
 * Submits stored transactions, each inside a fee bump that the treasury pays. Nothing about a fee bump is stored: however many there
 * are for a transaction, it can land only once, because it uses its sequence number. A process that starts again bids anew.
 */
export type FeeBumps = {
  /**
   * `latestLedger` is the latest one of a node that does not have the transaction; undefined before the first look. While the
   * emergency stop is on nothing is signed, and so nothing is submitted. Never throws.
   */
  readonly submit: (transaction: SignedTransaction, latestLedger?: number) => Promise<Submission>;
  /** Throws IntentPaused shortly after the treasury could not pay a fee, before anything is built that could not be submitted. */
  readonly assertPayable: () => void;
  /** The transaction has ended. Returns whether its fee was the reason, as far as this process knows. */
  readonly forget: (hash: string) => boolean;
  /** A job, because a transaction may end in another process. */
  readonly job: { readonly name: string; readonly everyMs: number; readonly run: () => Promise<void> };
};

export type FeeBumpsDeps = {
  readonly rpc: Pick<LedgerRpc, 'submit' | 'inclusionFees'>;
  readonly signFeeBump: SignFeeBump;
  /** The highest bid for each operation, in units of 10^-7 XLM. */
  readonly bidUnitsMax: bigint;
  /** Counts what the treasury pays. Throws IntentPaused where it would exceed its spending cap. See ADR 0075. */
  readonly beginSpending: (cause: string, spent: Spent) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  /** Counts a submission that the network has refused. */
  readonly onRefused: (resultCode: string) => void;
  /** Called with the number of open transactions that wait because of their fee. */
  readonly onMeasured: (stuck: number) => void;
};

type Bump = FeeBid & {
  readonly validUntilMs: number;
  /** The treasury could not pay the last one, or must not: its spending cap is reached. */
  readonly isUnpaid: boolean;
  /** What was counted for it, in units of 10^-7 XLM. */
  readonly countedUnits: bigint;
};

type State = FeeBumpsDeps & {
  readonly fees: NetworkFees;
  /** The latest fee bumps of open transactions, by the hash of the transaction. */
  readonly bumps: Map<string, Bump>;
  unpaidAtMs: number;
};

const measureEveryMs = 15_000;
const unpaidPauseMs = 10_000;

/** Submits every transaction within a fee bump, which the treasury pays. See ADR 0058. */
export function createFeeBumps(deps: FeeBumpsDeps): FeeBumps {
  const state: State = { ...deps, fees: createNetworkFees(deps), bumps: new Map(), unpaidAtMs: Number.NEGATIVE_INFINITY };
  return {
    submit: (transaction, latestLedger) =>
      submit(state, transaction, latestLedger).catch((error: unknown) => handleUnsigned(state, transaction, error)),
    assertPayable: () => {
      if (deps.clock.epochMs() - state.unpaidAtMs < unpaidPauseMs)
        throw new IntentPaused('the treasury cannot pay fees', unpaidPauseMs);
    },
    forget: (hash) => {
      const bump = state.bumps.get(hash);
      state.bumps.delete(hash);
      return bump !== undefined && isStuck(bump);
    },
    job: {
      name: 'measure-stuck-transactions',
      everyMs: measureEveryMs,
      run: () => {
        deps.onMeasured(countStuck(state));
        return Promise.resolve();
      },
    },
  };
}

async function submit(state: State, transaction: SignedTransaction, latestLedger: number | undefined): Promise<Submission> {
  const { hash } = transaction;
  const inner = transaction.decoded();
  const innerFee = innerFeeOf(inner);
  const limits = { innerUnits: innerFee.bidUnits, unitsMax: state.bidUnitsMax };
  const bid = await bidOf(state, hash, { limits, latestLedger, isCall: isContractCall(inner) });
  const countedUnits = state.bumps.get(hash)?.countedUnits ?? 0n;
  const bump = { ...bid, validUntilMs: toEpochMs(transaction.validUntil), isUnpaid: false, countedUnits };
  reportStuck(state, transaction, bump);
  state.bumps.set(hash, bump);
  await countFee(state, hash, bump, innerFee);
  const signed = await state.signFeeBump(inner, { hash, bidUnits: bid.units });
  const submission = await state.rpc.submit(signed);
  if (submission.status === 'refused') handleRefused(state, transaction, submission.resultCode);
  return submission;
}

/** A transaction lands once, so of several fee bumps only the highest fee counts. */
async function countFee(state: State, hash: string, bump: Bump, innerFee: InnerFee): Promise<void> {
  const units = feeUnitsMax(innerFee, bump.units);
  if (units <= bump.countedUnits) return;
  try {
    await state.beginSpending(`fee ${hash} ${units}`, { asset: 'XLM', units: units - bump.countedUnits });
  } catch (error) {
    state.bumps.set(hash, { ...bump, isUnpaid: true });
    if (error instanceof IntentPaused) state.unpaidAtMs = state.clock.epochMs();
    throw error;
  }
  state.bumps.set(hash, { ...bump, countedUnits: units });
}

/** Nothing was submitted: everything is stopped, or the signer has refused the fee bump. */
function handleUnsigned({ log }: State, { hash, step }: SignedTransaction, error: unknown): Submission {
  if (error instanceof IntentPaused) return { status: 'try-later', reason: error.reason };
  log.error({ hash, step, error }, 'the fee bump of a transaction could not be signed');
  return { status: 'try-later', reason: 'the fee bump could not be signed' };
}

type Bidding = { readonly limits: BidLimits; readonly latestLedger: number | undefined; readonly isCall: boolean };

async function bidOf({ fees, bumps }: State, hash: string, { limits, latestLedger, isCall }: Bidding): Promise<FeeBid> {
  const last = bumps.get(hash);
  // What the treasury could not pay is not raised.
  if (last === undefined || last.isUnpaid) {
    const { ofCalls, ofOthers } = await fees.now();
    return firstBid(isCall ? ofCalls : ofOthers, limits);
  }
  return latestLedger === undefined ? last : nextBid(last, latestLedger, limits);
}

function reportStuck({ bumps, log }: State, { hash, step }: SignedTransaction, bump: Bump): void {
  if (!bump.isStuck || bumps.get(hash)?.isStuck === true) return;
  log.warn({ hash, step, bidUnits: bump.units.toString() }, 'no ledger contains the transaction at the highest bid; it waits');
}

/** A refusal proves nothing, so the transaction stays open. */
function handleRefused(state: State, { hash, step }: SignedTransaction, resultCode: string): void {
  state.onRefused(resultCode);
  const bump = state.bumps.get(hash);
  if (bump === undefined || resultCode !== 'txInsufficientBalance') return;
  state.unpaidAtMs = state.clock.epochMs();
  state.bumps.set(hash, { ...bump, isUnpaid: true });
  state.log.error(
    { hash, step, bidUnits: bump.units.toString() },
    'the treasury has too little XLM for the fee of a transaction; it waits',
  );
}

function isStuck({ isStuck: isAtLimit, isUnpaid }: Bump): boolean {
  return isAtLimit || isUnpaid;
}

function countStuck({ bumps, clock }: State): number {
  const now = clock.epochMs();
  for (const [hash, { validUntilMs }] of bumps) if (validUntilMs + keptAfterEndMs < now) bumps.delete(hash);
  return [...bumps.values()].filter((bump) => isStuck(bump) && bump.validUntilMs >= now).length;
}

/** The end of a transaction is noticed a while after its time bound. */
const keptAfterEndMs = 600_000;
