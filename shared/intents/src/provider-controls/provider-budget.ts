import { performance } from 'node:perf_hooks';
import type { ControlledProvider } from '@holdfast/contracts/http';
import { pause } from '@holdfast/kernel/async';
import type { Database, Tx } from '@holdfast/postgres';
import { IntentPaused } from '../intent.js';
import * as sql from './provider-budget-sql.js';

export type ProviderBudgetOptions = {
  readonly database: Pick<Database, 'inTransaction'>;
  /** The provider. Processes with the same name share the budget. */
  readonly name: string;
  /** Calls within one window; undefined means no limit. */
  readonly callsMax?: number;
  readonly windowMs: number;
  /** Only tests wait for less. */
  readonly limits?: Partial<BudgetLimits>;
};

export type BudgetLimits = {
  /** How long a call waits before its intent is paused. */
  readonly waitMsMax: number;
  /** The longest pause of an intent that waits for a call. */
  readonly pauseMsMax: number;
  /** A waiting call that was not requested again for this long no longer keeps its place: its process is dead. */
  readonly livesForMs: number;
};

const defaultLimits: BudgetLimits = { waitMsMax: 1_000, pauseMsMax: 5_000, livesForMs: 15_000 };

export type BudgetCall = {
  /** The same each time the same call is requested, so that it keeps its place. */
  readonly key: string;
  /** Lower numbers go first. */
  readonly priority: number;
  /** Marketplaces take turns. */
  readonly marketplaceId?: string | undefined;
  readonly orderId?: string | undefined;
  /**
   * The first call of an order names the calls of the whole order. It is made when there are tokens for all of them, besides those
   * that other admitted orders still need; the rest is committed to the order.
   */
  readonly callsOfOrder?: number;
  readonly waitMsMax?: number;
  readonly signal?: AbortSignal | undefined;
};

/**
 * The calls that a provider accepts from all processes: a token bucket that is refilled continuously, so that calls do not burst at
 * the start of each window. See ADR 0056.
 */
export type ProviderBudget = {
  /** Resolves when the call may be made. Throws IntentPaused if that takes too long; the call keeps its place for a while. */
  readonly take: (call: BudgetCall) => Promise<void>;
  /** The provider has refused a call because of its limit: the bucket is empty. */
  readonly empty: () => Promise<void>;
  /** Calls that could be made right now, as far as this process knows since its last call; undefined without a limit. */
  readonly left: () => number | undefined;
  /** As an operator sees it; null without a limit. */
  readonly describe: () => ControlledProvider['budget'];
};

type State = Omit<Required<ProviderBudgetOptions>, 'limits'> & {
  readonly limits: BudgetLimits;
  /** When the bucket was or will be empty, by the clock of this process. */
  emptyAtMs: number;
};

/** Requires the tables of this package in the schema of the service. */
export function createProviderBudget({ callsMax, limits, ...options }: ProviderBudgetOptions): ProviderBudget {
  if (callsMax === undefined) return unlimited;
  const emptyAtMs = Number.NEGATIVE_INFINITY;
  const state: State = { ...options, callsMax, limits: { ...defaultLimits, ...limits }, emptyAtMs };
  return {
    take: (call) => take(state, call),
    empty: async () => {
      await state.database.inTransaction((tx) => tx.query(sql.emptyBudget, [state.name]));
      state.emptyAtMs = performance.now();
    },
    left: () => leftOf(state),
    describe: () => ({ callsMax, windowMs: state.windowMs, callsLeft: leftOf(state) }),
  };
}

const unlimited: ProviderBudget = {
  take: () => Promise.resolve(),
  empty: () => Promise.resolve(),
  left: () => undefined,
  describe: () => null,
};

/** Another call may be faster; then the token is requested again. */
const waitMsMin = 20;

async function take(state: State, call: BudgetCall): Promise<void> {
  const { pauseMsMax } = state.limits;
  const untilMs = performance.now() + (call.waitMsMax ?? state.limits.waitMsMax);
  for (;;) {
    call.signal?.throwIfAborted();
    const { missing, waitedMs } = await tryTake(state, call);
    if (missing === 0) return;
    const waitMs = Math.min(Math.max(missing * refillMs(state), waitMsMin), pauseMsMax);
    if (performance.now() + waitMs > untilMs)
      throw new IntentPaused(`the call budget of ${state.name} is used up`, waitMs, { waitedMs });
    await pause(waitMs, call.signal);
  }
}

function refillMs({ windowMs, callsMax }: State): number {
  return windowMs / callsMax;
}

type Attempt = { readonly missing: number; readonly waitedMs: number };

/**
 * Takes a token, or returns how many are missing. One transaction with the lock of the budget, in which each statement reads what
 * the calls before have written.
 */
async function tryTake(state: State, call: BudgetCall): Promise<Attempt> {
  const { name, windowMs, callsMax } = state;
  const { tokens, ...attempt } = await state.database.inTransaction(async (tx) => {
    const [budget] = await tx.query<{ readonly tokens: number }>(sql.lockBudget, [name, windowMs / 1_000, callsMax]);
    if (budget === undefined) throw new Error('the budget of the provider has no row');
    await tx.query(sql.deleteStale, [name, state.limits.livesForMs / 1_000]);
    const needed = await neededTokens(tx, state, call);
    const attempted = await lackingTokens(tx, state, call, { needed, tokens: budget.tokens });
    if (attempted.missing > 0) return { ...attempted, tokens: budget.tokens };
    await make(tx, state, call, needed);
    return { ...attempted, tokens: budget.tokens - 1 };
  });
  state.emptyAtMs = performance.now() - tokens * refillMs(state);
  return attempt;
}

/** `isWhole`: these are not for this call alone, so that the commitments of others must be left. */
type Needed = { readonly tokens: number; readonly isWhole: boolean };

const oneCall: Needed = { tokens: 1, isWhole: false };

/** At most half of the bucket, so that the largest order can be admitted while others are under way. */
async function neededTokens(tx: Tx, { name, callsMax }: State, call: BudgetCall): Promise<Needed> {
  if (call.callsOfOrder === undefined) return oneCall;
  const half = Math.max(1, Math.floor(callsMax / 2));
  const [admitted] = await tx.query(sql.hasCommitment, [name, call.orderId]);
  return admitted === undefined ? { tokens: Math.min(call.callsOfOrder, half), isWhole: true } : oneCall;
}

type Place = { readonly ahead: number; readonly committed: number; readonly waitedSeconds: number };

/** The clocks of two statements are read at different moments, and a token that is almost there counts. */
const tolerance = 0.001;

async function lackingTokens(
  tx: Tx,
  { name }: State,
  { key, priority, marketplaceId = '' }: BudgetCall,
  { needed, tokens }: { readonly needed: Needed; readonly tokens: number },
): Promise<Attempt> {
  await tx.query(sql.queueCall, [name, key, priority, marketplaceId, needed.tokens]);
  const [place] = await tx.query<Place>(sql.findPlace, [name, key]);
  if (place === undefined) throw new Error('the waiting call has no place');
  const lacking = place.ahead + (needed.isWhole ? place.committed : 0) + needed.tokens - tokens;
  return { missing: lacking <= tolerance ? 0 : lacking, waitedMs: place.waitedSeconds * 1_000 };
}

async function make(
  tx: Tx,
  state: State,
  { key, marketplaceId = '', orderId }: BudgetCall,
  { tokens, isWhole }: Needed,
): Promise<void> {
  const { name, windowMs } = state;
  const windowSeconds = windowMs / 1_000;
  await tx.query(sql.makeCall, [name, key, marketplaceId, refillMs(state) / 1_000]);
  if (orderId === undefined) return;
  if (isWhole) await tx.query(sql.addCommitment, [name, orderId, tokens - 1, windowSeconds]);
  else await tx.query(sql.useCommitment, [name, orderId, windowSeconds]);
}

function leftOf({ emptyAtMs, callsMax, windowMs }: State): number {
  const calls = Math.floor(((performance.now() - emptyAtMs) * callsMax) / windowMs);
  return Math.max(0, Math.min(callsMax, calls));
}
