import { hash as digest } from 'node:crypto';
import { retry } from '@holdfast/kernel/async';
import type { LeaseHandle, Intent, Leases } from '../intents/index.js';
import {
  ProviderRefused,
  type CallOptions,
  type EndedTransaction,
  type EndState,
  type NewTransaction,
  type Signer,
  type TransactionRequest,
  type TransactionResult,
  type Transactions,
  type TransactionSession,
  type UnitOfWork,
} from '../use-cases/ports.js';
import type { Sign } from '../wallets/ports.js';
import { parseEnvelope } from './envelope.js';
import { submitAgain, submitFirst, type SubmissionDeps } from './submission.js';
import type { LiveTransaction, TransactionStore } from './transaction-store.js';

export type TransactionDeps = SubmissionDeps & {
  readonly store: TransactionStore;
  readonly leases: Leases;
  readonly sign: Sign;
  readonly networkPassphrase: string;
};

type Ended = Exclude<TransactionResult, { readonly status: 'unknown' | 'unbuilt' }>;

type SessionState = {
  readonly deps: TransactionDeps;
  readonly intent: Intent;
  readonly signal: AbortSignal;
  readonly options: CallOptions;
  /** Known to have ended, and not written down yet. */
  readonly ended: Map<string, Ended>;
  /** Source accounts in use by this run, by address; given back once their transactions are written down. */
  readonly leasedAccounts: Map<string, LeaseHandle>;
  /** Those that a transaction is being carried out with right now. */
  readonly inUse: Set<string>;
};

export function createTransactions(deps: TransactionDeps): Transactions {
  return {
    session: (intent, signal) => {
      const options = { priority: intent.priority };
      return sessionOf({ deps, intent, signal, options, ended: new Map(), leasedAccounts: new Map(), inUse: new Set() });
    },
  };
}

function sessionOf(run: SessionState): TransactionSession {
  const { deps, intent, ended, leasedAccounts } = run;
  return {
    resume: async () => {
      if (intent.isFresh) return [];
      const transactions = await deps.store.liveOf(intent.id);
      return Promise.all(transactions.map((transaction) => resumed(run, transaction)));
    },
    execute: (request) => execute(run, request),
    record: (unit) => record(run, unit),
    end: async () => {
      try {
        if (ended.size > 0) await write(run);
      } finally {
        for (const account of leasedAccounts.values()) account.release();
        leasedAccounts.clear();
      }
    },
  };
}

async function resumed(run: SessionState, { isOpen, ...transaction }: LiveTransaction): Promise<TransactionResult> {
  if (!isOpen) return { status: 'landed', transaction, source: { by: 'network' } };
  return rememberEnded(run, await submitAgain(run.deps, transaction, run.options));
}

async function execute(run: SessionState, request: TransactionRequest): Promise<TransactionResult> {
  const signer = await leaseAccount(run, request.signers);
  run.inUse.add(signer.address);
  try {
    run.signal.throwIfAborted();
    const built = await buildWithRetries(request, signer, run.signal);
    return built.status === 'unbuilt' ? built : await signAndSubmit(run, request, { signer, xdr: built.xdr });
  } finally {
    run.inUse.delete(signer.address);
  }
}

type Signing = { readonly signer: Signer; readonly xdr: string };

async function signAndSubmit(
  run: SessionState,
  request: TransactionRequest,
  { signer, xdr }: Signing,
): Promise<TransactionResult> {
  const { deps, options } = run;
  const unsigned = parseEnvelope(xdr, deps.networkPassphrase);
  const isAsRequested = unsigned?.sourceAccount === signer.address && unsigned.operations.join() === contractCall;
  if (unsigned?.validUntil === undefined || !isAsRequested) {
    return { status: 'unbuilt', isRefusal: true, reason: 'the provider built something else than it was asked for' };
  }
  const { validUntil, hash, sourceAccount, sequence } = unsigned;
  const envelope = await deps.sign(signer.role, request.operation, unsigned);
  const requestHash = digest('sha256', request.requestText);
  const transaction = {
    hash,
    sourceAccount,
    sequence,
    validUntil,
    envelope,
    requestHash,
    step: request.step,
    intentId: run.intent.id,
  };
  await write(run, transaction);
  return rememberEnded(run, await submitFirst(deps, transaction, options));
}

const contractCall = 'invokeHostFunction';

/** One that this run uses already, else whichever comes free first. */
async function leaseAccount({ deps, leasedAccounts, signal }: SessionState, signers: readonly Signer[]): Promise<Signer> {
  const own = signers.find(({ address }) => leasedAccounts.has(address));
  if (own !== undefined) return own;
  const account = await deps.leases.acquire(
    signers.map(({ address }) => address),
    signal,
  );
  leasedAccounts.set(account.name, account);
  const signer = signers.find(({ address }) => address === account.name);
  if (signer === undefined) throw new Error('The lease is for another account than was asked for.');
  return signer;
}

type Built = { readonly status: 'built'; readonly xdr: string } | Extract<TransactionResult, { readonly status: 'unbuilt' }>;

/** Building changes nothing, so it may be tried again; quickly, because somebody waits. */
const buildRetries = {
  attemptsMax: 3,
  firstDelayMs: 150,
  shouldRetry: (error: unknown): boolean => !(error instanceof ProviderRefused),
};

async function buildWithRetries({ build }: TransactionRequest, signer: Signer, signal: AbortSignal): Promise<Built> {
  try {
    return { status: 'built', xdr: await retry(() => build(signer), { ...buildRetries, signal }) };
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : 'the provider could not build the transaction';
    return { status: 'unbuilt', isRefusal: error instanceof ProviderRefused, reason };
  }
}

/**
 * Stores the transaction that is about to be submitted, together with what has ended, and gives back the accounts of the latter. While it
 * does so nobody else in this run may take one of them.
 */
async function write(run: SessionState, opened?: NewTransaction): Promise<void> {
  const { deps, intent, leasedAccounts } = run;
  const { results, ended, accounts } = unrecorded(run);
  for (const { name } of accounts) leasedAccounts.delete(name);
  try {
    await deps.store.write({ intent, ended, accounts, ...(opened === undefined ? {} : { opened }) });
  } catch (error) {
    for (const account of accounts) leasedAccounts.set(account.name, account);
    throw error;
  }
  for (const { transaction } of results) run.ended.delete(transaction.hash);
}

/** The same within the commit that ends the intent. */
function record(run: SessionState, unit: UnitOfWork): void {
  const { results, ended, accounts } = unrecorded(run);
  unit.endTransactions(run.intent, ended, accounts);
  unit.tx.afterCommit(() => {
    for (const { name } of accounts) run.leasedAccounts.delete(name);
    for (const { transaction } of results) run.ended.delete(transaction.hash);
  });
}

type Unrecorded = {
  readonly results: readonly Ended[];
  readonly ended: readonly EndedTransaction[];
  readonly accounts: readonly LeaseHandle[];
};

const endStates: Readonly<Record<Ended['status'], EndState>> = { landed: 'LANDED', failed: 'FAILED', never: 'DEAD' };

/** What has ended, and the accounts that it was carried out with and that nothing else uses. */
function unrecorded({ ended, leasedAccounts, inUse }: SessionState): Unrecorded {
  const results = [...ended.values()];
  const used = new Set(results.map(({ transaction }) => transaction.sourceAccount));
  return {
    results,
    ended: results.map(({ transaction, status }) => ({ hash: transaction.hash, state: endStates[status] })),
    accounts: [...leasedAccounts.values()].filter(({ name }) => used.has(name) && !inUse.has(name)),
  };
}

function rememberEnded({ ended }: SessionState, result: TransactionResult): TransactionResult {
  if (result.status !== 'unknown' && result.status !== 'unbuilt') ended.set(result.transaction.hash, result);
  return result;
}
