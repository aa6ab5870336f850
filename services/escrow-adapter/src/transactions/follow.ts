import { toEpochMs } from '@holdfast/shared/context';
import type { CallOptions, EscrowProvider, OpenTransaction, TransactionResult } from '../use-cases/ports.js';
import type { LedgerNetwork } from '../wallets/ports.js';

export type FollowDeps = {
  readonly provider: Pick<EscrowProvider, 'submit'>;
  readonly network: Pick<LedgerNetwork, 'transaction' | 'latestLedger' | 'account'>;
};

/** A provider that keeps us waiting may have done its work long ago: the network is asked meanwhile. */
const askNetworkAfterMs = 1_000;
const askNetworkEveryMs = 500;

/** Submits a stored transaction for the first time, and finds out what became of it as far as anybody can say now. */
export async function submitFirst(
  deps: FollowDeps,
  transaction: OpenTransaction,
  options: CallOptions,
): Promise<TransactionResult> {
  const submitted = deps.provider.submit(transaction.envelope, options);
  const watched = watchNetwork(deps, transaction);
  try {
    const said = await Promise.race([submitted, watched.seen]);
    if (said.outcome === 'landed') return landedBy(transaction, said);
    if (said.outcome === 'on network') return said.result;
  } finally {
    watched.stop();
  }
  return lookInto(deps, transaction);
}

type Submitted = Extract<Awaited<ReturnType<EscrowProvider['submit']>>, { readonly outcome: 'landed' }>;

function landedBy(transaction: OpenTransaction, { contractId }: Submitted): TransactionResult {
  return { outcome: 'landed', transaction, said: { by: 'provider', contractId } };
}

type SeenOnNetwork = { readonly outcome: 'on network'; readonly result: TransactionResult };

/** Never answers unless the network has it. */
function watchNetwork(
  deps: FollowDeps,
  transaction: OpenTransaction,
): { readonly seen: Promise<SeenOnNetwork>; readonly stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const seen = new Promise<SeenOnNetwork>((resolve) => {
    const lookAfter = (ms: number): void => {
      timer = setTimeout(() => {
        onNetwork(deps, transaction).then(noteOrLookAgain, () => noteOrLookAgain(undefined));
      }, ms).unref();
    };
    const noteOrLookAgain = (result: TransactionResult | undefined): void => {
      if (result !== undefined) resolve({ outcome: 'on network', result });
      else if (!isOver) lookAfter(askNetworkEveryMs);
    };
    lookAfter(askNetworkAfterMs);
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
  deps: FollowDeps,
  transaction: OpenTransaction,
  options: CallOptions,
): Promise<TransactionResult> {
  const known = await onNetwork(deps, transaction).catch(() => undefined);
  if (known !== undefined) return known;
  const said = await deps.provider.submit(transaction.envelope, options);
  return said.outcome === 'landed' ? landedBy(transaction, said) : lookInto(deps, transaction);
}

/** The provider's word is not to be had or not clear, so only what the network itself says counts. */
async function lookInto(deps: FollowDeps, transaction: OpenTransaction): Promise<TransactionResult> {
  try {
    const known = await onNetwork(deps, transaction);
    if (known !== undefined) return known;
    const isOver = await isOverFor(deps, transaction);
    // Asked last: it may have landed while its end was looked for.
    const landed = await onNetwork(deps, transaction);
    if (landed !== undefined) return landed;
    if (isOver) return { outcome: 'never', transaction, reason: 'the transaction did not reach the network in time' };
  } catch {
    // A network that cannot be asked says nothing; the intent is looked at again.
  }
  return { outcome: 'unknown', transaction };
}

async function onNetwork({ network }: FollowDeps, transaction: OpenTransaction): Promise<TransactionResult | undefined> {
  const found = await network.transaction(transaction.hash);
  if (found === undefined) return undefined;
  if (found.isSuccessful) return { outcome: 'landed', transaction, said: { by: 'network' } };
  return { outcome: 'failed', transaction, reason: 'the transaction failed on the ledger network' };
}

/** Its time bounds have passed in a closed ledger, or its place in the account's sequence is taken. */
async function isOverFor({ network }: FollowDeps, { validUntil, sourceAccount, sequence }: OpenTransaction): Promise<boolean> {
  const [ledger, account] = await Promise.all([network.latestLedger(), network.account(sourceAccount)]);
  return toEpochMs(ledger.closedAt) > toEpochMs(validUntil) || (account !== undefined && account.sequence >= sequence);
}
