import { pause, settlesWithin } from '@holdfast/kernel/async';
import { transferMismatch } from '../values/index.js';
import type { Evidence, LedgerRpc, LookUp, Submission } from '../rpc/index.js';
import type { FeeBumps } from '../fee-bumps/index.js';
import type { SubmittedTransaction, TransactionResult } from './transactions.js';

export type SubmissionDeps = {
  readonly rpc: Pick<LedgerRpc, 'evidenceOf' | 'evidenceOfOvertaken' | 'closedLedger'>;
  readonly feeBumps: Pick<FeeBumps, 'submit' | 'forget'>;
  /** A transaction has moved something else than it must. */
  readonly onMismatch: (transaction: SubmittedTransaction, reason: string) => void;
  readonly onLanded?: (transaction: SubmittedTransaction) => void;
  /** Only tests wait for less. */
  readonly limits?: SubmissionLimits | undefined;
};

export type SubmissionLimits = {
  /** Delay between lookups once the transaction waits for a further ledger. */
  readonly ledgerPauseMs: number;
  /** While the transaction is not found it is submitted again, because a node may have lost it; sooner if no node has accepted it. */
  readonly submitAgainAfterMs: Readonly<Record<Submission['status'], number>>;
  /** The lookups do not wait longer for the response to a submission, because the transaction may have landed already. */
  readonly responseWaitMs: number;
};

const defaultLimits: SubmissionLimits = {
  ledgerPauseMs: 1_000,
  submitAgainAfterMs: { sent: 2_500, 'try-later': 1_000, refused: 1_000 },
  responseWaitMs: 1_000,
};

type Wait = { readonly pauseMs: number; readonly forLedger: boolean };

/** At first for a network that closes a ledger at once. Later the transaction is looked up only when a further ledger has closed. */
const waitsOf = ({ ledgerPauseMs }: SubmissionLimits): readonly Wait[] => [
  ...[0, 20, 50, 100, 200].map((pauseMs) => ({ pauseMs, forLedger: false })),
  ...Array<Wait>(8).fill({ pauseMs: ledgerPauseMs, forLedger: true }),
];
/** How old the number of the latest ledger may be. Transactions that wait at the same time share a reading of it. */
const ledgerAgeMsMax = 500;
/** Lookups that fail one after the other, then the network is unreachable. */
const failuresMax = 3;

/**
 * Submits a stored transaction for the first time. Only the network decides how it ended; until then the result is `unknown`.
 * See ADR 0054.
 */
export async function submitFirst(
  deps: SubmissionDeps,
  transaction: SubmittedTransaction,
  signal?: AbortSignal,
): Promise<TransactionResult> {
  return untilEnded({ deps, transaction, submission: await submit(deps, transaction), lookUp: 'look-up' }, signal);
}

/** Looks the transaction up, and submits the same transaction again if it is not on the network. */
export async function submitAgain(
  deps: SubmissionDeps,
  transaction: SubmittedTransaction,
  signal?: AbortSignal,
): Promise<TransactionResult> {
  const known = await deps.rpc.evidenceOf(transaction).catch(() => undefined);
  const result = known === undefined ? undefined : resultOf(deps, transaction, known);
  if (result !== undefined) return result;
  const latestLedger = known?.status === 'pending' ? known.latestLedger : undefined;
  const submission = await submit(deps, transaction, latestLedger);
  return untilEnded({ deps, transaction, submission, latestLedger, lookUp: 'look-up-again' }, signal);
}

async function submit(
  { feeBumps, limits = defaultLimits }: SubmissionDeps,
  transaction: SubmittedTransaction,
  latestLedger?: number,
): Promise<Submission> {
  const submitted = feeBumps.submit(transaction, latestLedger);
  return (await settlesWithin(submitted, limits.responseWaitMs)) ? submitted : { status: 'try-later', reason: 'no response yet' };
}

type Waiting = {
  readonly deps: SubmissionDeps;
  readonly transaction: SubmittedTransaction;
  /** The latest one. */
  submission: Submission;
  /** The latest ledger of a node that does not have the transaction. */
  latestLedger?: number | undefined;
  /** The next one. */
  lookUp: LookUp;
};

/** Looks up how the transaction ended, and submits it again in between. */
async function untilEnded(waiting: Waiting, signal: AbortSignal | undefined): Promise<TransactionResult> {
  const { deps, transaction } = waiting;
  const { limits = defaultLimits } = deps;
  let sinceSubmittedMs = 0;
  let failures = 0;
  for (const { pauseMs, forLedger } of waitsOf(limits)) {
    if (!(await hasPaused(pauseMs, signal))) break;
    sinceSubmittedMs += pauseMs;
    const isDue = sinceSubmittedMs >= limits.submitAgainAfterMs[waiting.submission.status];
    if (isDue) {
      waiting.submission = await submit(deps, transaction, waiting.latestLedger);
      sinceSubmittedMs = 0;
    }
    const looked = await lookUp(waiting, forLedger && !isDue).catch(() => 'unreachable' as const);
    failures = looked === 'unreachable' ? failures + 1 : 0;
    if (typeof looked === 'object') return looked;
    if (failures >= failuresMax) break;
  }
  return { status: 'unknown', transaction };
}

/** False once the signal is aborted. */
async function hasPaused(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (ms > 0) await pause(ms, signal).catch(() => undefined);
  return signal?.aborted !== true;
}

/** Undefined while the transaction may still land. */
async function lookUp(waiting: Waiting, onlyInFurtherLedger: boolean): Promise<TransactionResult | undefined> {
  const { deps, transaction, latestLedger } = waiting;
  const hasNoFurther = async (known: number): Promise<boolean> => (await deps.rpc.closedLedger(ledgerAgeMsMax)) <= known;
  if (onlyInFurtherLedger && latestLedger !== undefined && (await hasNoFurther(latestLedger))) return undefined;
  const evidence = await look(waiting).finally(() => (waiting.lookUp = 'look-up-again'));
  if (evidence.status === 'pending') waiting.latestLedger = evidence.latestLedger;
  return resultOf(deps, transaction, evidence);
}

function look({ deps: { rpc }, transaction, submission, lookUp: as }: Waiting): Promise<Evidence> {
  const mayBeOvertaken = submission.status === 'refused' && submission.resultCode === 'txBadSeq';
  return mayBeOvertaken ? rpc.evidenceOfOvertaken(transaction) : rpc.evidenceOf(transaction, as);
}

/** Undefined while the transaction may still land. */
function resultOf(deps: SubmissionDeps, transaction: SubmittedTransaction, evidence: Evidence): TransactionResult | undefined {
  if (evidence.status === 'pending') return undefined;
  const isFeeTheReason = deps.feeBumps.forget(transaction.hash);
  switch (evidence.status) {
    case 'landed':
      return landed(deps, transaction, evidence);
    case 'failed':
      return { ...evidence, transaction };
    case 'never':
      return { status: 'expired', transaction, reason: 'the transaction did not reach the network in time', isFeeTheReason };
  }
}

function landed(
  { onMismatch, onLanded }: SubmissionDeps,
  transaction: SubmittedTransaction,
  { ledger, transfers }: Extract<Evidence, { readonly status: 'landed' }>,
): TransactionResult {
  onLanded?.(transaction);
  const reason = transaction.transfers === null ? undefined : transferMismatch(transaction.transfers, transfers);
  if (reason === undefined) return { status: 'landed', transaction, ledger };
  onMismatch(transaction, reason);
  return { status: 'mismatched', transaction, ledger, reason };
}
