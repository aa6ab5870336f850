import { toEpochMs } from '@holdfast/kernel/context';
import type { CallOptions, EscrowProvider, OpenTransaction, TransactionResult } from '../use-cases/ports.js';
import type { LedgerNetwork } from '../wallets/ports.js';

export type SubmissionDeps = {
  readonly provider: Pick<EscrowProvider, 'submit'>;
  readonly network: Pick<LedgerNetwork, 'transaction' | 'latestLedger' | 'account'>;
};

/** A provider that keeps us waiting may have done its work long ago: the network is asked meanwhile. */
const pollNetworkAfterMs = 1_000;
const pollNetworkEveryMs = 500;

/** Submits a stored transaction for the first time, and finds out what became of it as far as anybody can say now. */
export async function submitFirst(
  deps: SubmissionDeps,
  transaction: OpenTransaction,
  options: CallOptions,
): Promise<TransactionResult> {
  const submitted = deps.provider.submit(transaction.envelope, options);
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

type Submitted = Extract<Awaited<ReturnType<EscrowProvider['submit']>>, { readonly status: 'landed' }>;

function landedBy(transaction: OpenTransaction, { contractId }: Submitted): TransactionResult {
  return { status: 'landed', transaction, source: { by: 'provider', contractId } };
}

type SeenOnNetwork = { readonly status: 'on network'; readonly result: TransactionResult };

/** Never answers unless the network has it. */
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

/** Asks the network by hash, submits the same envelope again where it is not there, and says when it never can be. */
export async function submitAgain(
  deps: SubmissionDeps,
  transaction: OpenTransaction,
  options: CallOptions,
): Promise<TransactionResult> {
  const known = await onNetwork(deps, transaction).catch(() => undefined);
  if (known !== undefined) return known;
  const submission = await deps.provider.submit(transaction.envelope, options);
  return submission.status === 'landed' ? landedBy(transaction, submission) : lookUp(deps, transaction);
}

/** The provider's word is not to be had or not clear, so only what the network itself says counts. */
async function lookUp(deps: SubmissionDeps, transaction: OpenTransaction): Promise<TransactionResult> {
  try {
    const known = await onNetwork(deps, transaction);
    if (known !== undefined) return known;
    const hasExpired = await isExpired(deps, transaction);
    // Asked last: it may have landed while its end was looked for.
    const landed = await onNetwork(deps, transaction);
    if (landed !== undefined) return landed;
    if (hasExpired) return { status: 'never', transaction, reason: 'the transaction did not reach the network in time' };
  } catch {
    // A network that cannot be asked says nothing; the intent is looked at again.
  }
  return { status: 'unknown', transaction };
}

async function onNetwork({ network }: SubmissionDeps, transaction: OpenTransaction): Promise<TransactionResult | undefined> {
  const found = await network.transaction(transaction.hash);
  if (found === undefined) return undefined;
  if (found.isSuccessful) return { status: 'landed', transaction, source: { by: 'network' } };
  return { status: 'failed', transaction, reason: 'the transaction failed on the ledger network' };
}

/** Its time bounds have passed in a closed ledger, or its place in the account's sequence is taken. */
async function isExpired(
  { network }: SubmissionDeps,
  { validUntil, sourceAccount, sequence }: OpenTransaction,
): Promise<boolean> {
  const [ledger, account] = await Promise.all([network.latestLedger(), network.account(sourceAccount)]);
  return toEpochMs(ledger.closedAt) > toEpochMs(validUntil) || (account !== undefined && account.sequence >= sequence);
}
