import { toEpochMs } from '@holdfast/kernel/context';
import type { CallOptions, OpenTransaction, TransactionResult } from '../use-cases/ports.js';
import type { LedgerNetwork } from '../wallets/ports.js';
import type { Submitter } from './submitters.js';

export type SubmissionDeps = {
  readonly submitter: Submitter;
  readonly network: Pick<LedgerNetwork, 'transaction' | 'latestLedger' | 'account'>;
};

/** While the provider does not respond, the network is polled: the transaction may have landed already. */
const pollNetworkAfterMs = 1_000;
const pollNetworkEveryMs = 500;

/** Submits a stored transaction for the first time. The result is `unknown` until provider or network report one. */
export async function submitFirst(
  deps: SubmissionDeps,
  transaction: OpenTransaction,
  options: CallOptions,
): Promise<TransactionResult> {
  const submitted = deps.submitter.submit(transaction.envelope, options);
  const watch = watchNetwork(deps, transaction);
  try {
    const result = await Promise.race([submitted, watch.seen]);
    if (result.status === 'landed') return landedBy(transaction, result);
    if (result.status === 'on network') return result.result;
  } finally {
    watch.stop();
  }
  return lookUp(deps, transaction);
}

type Submitted = Extract<Awaited<ReturnType<Submitter['submit']>>, { readonly status: 'landed' }>;

function landedBy(transaction: OpenTransaction, { contractId }: Submitted): TransactionResult {
  return { status: 'landed', transaction, source: { by: 'provider', contractId } };
}

type SeenOnNetwork = { readonly status: 'on network'; readonly result: TransactionResult };

/** `seen` resolves only when the network has the transaction. */
function watchNetwork(
  deps: SubmissionDeps,
  transaction: OpenTransaction,
): { readonly seen: Promise<SeenOnNetwork>; readonly stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const seen = new Promise<SeenOnNetwork>((resolve) => {
    const pollAfter = (ms: number): void => {
      timer = setTimeout(() => {
        onNetwork(deps, transaction).then(resolveOrPollAgain, () => resolveOrPollAgain(undefined));
      }, ms).unref();
    };
    const resolveOrPollAgain = (result: TransactionResult | undefined): void => {
      if (result !== undefined) resolve({ status: 'on network', result });
      else if (!isOver) pollAfter(pollNetworkEveryMs);
    };
    pollAfter(pollNetworkAfterMs);
  });
  return {
    seen,
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** Looks the transaction up by hash and submits the same envelope again if it is not on the network. */
export async function submitAgain(
  deps: SubmissionDeps,
  transaction: OpenTransaction,
  options: CallOptions,
): Promise<TransactionResult> {
  const known = await onNetwork(deps, transaction).catch(() => undefined);
  if (known !== undefined) return known;
  const submission = await deps.submitter.submit(transaction.envelope, options);
  return submission.status === 'landed' ? landedBy(transaction, submission) : lookUp(deps, transaction);
}

/** Without a clear response of the provider only the network decides. */
async function lookUp(deps: SubmissionDeps, transaction: OpenTransaction): Promise<TransactionResult> {
  try {
    const known = await onNetwork(deps, transaction);
    if (known !== undefined) return known;
    const hasExpired = await isExpired(deps, transaction);
    // Looked up once more, because the transaction may have landed during the expiry check.
    const landed = await onNetwork(deps, transaction);
    if (landed !== undefined) return landed;
    if (hasExpired) return { status: 'expired', transaction, reason: 'the transaction did not reach the network in time' };
  } catch {
    // The network is unreachable: the result stays unknown and the intent is retried.
  }
  return { status: 'unknown', transaction };
}

async function onNetwork({ network }: SubmissionDeps, transaction: OpenTransaction): Promise<TransactionResult | undefined> {
  const found = await network.transaction(transaction.hash);
  if (found === undefined) return undefined;
  if (found.isSuccessful) return { status: 'landed', transaction, source: { by: 'network' } };
  return { status: 'failed', transaction, reason: 'the transaction failed on the ledger network' };
}

/** A closed ledger is past the time bounds, or the account has used the sequence number. */
async function isExpired(
  { network }: SubmissionDeps,
  { validUntil, sourceAccount, sequence }: OpenTransaction,
): Promise<boolean> {
  const [ledger, account] = await Promise.all([network.latestLedger(), network.account(sourceAccount)]);
  return toEpochMs(ledger.closedAt) > toEpochMs(validUntil) || (account !== undefined && account.sequence >= sequence);
}
