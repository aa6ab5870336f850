import { hash as digest } from 'node:crypto';
import { retry } from '@holdfast/shared/async';
import type { Held, Intent, Leases } from '../lanes/index.js';
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
import { readEnvelope } from './envelope.js';
import { submitAgain, submitFirst, type FollowDeps } from './follow.js';
import type { LiveTransaction, TransactionStore } from './transaction-store.js';

export type TransactionDeps = FollowDeps & {
  readonly store: TransactionStore;
  readonly leases: Leases;
  readonly sign: Sign;
  readonly networkPassphrase: string;
};

type Ended = Exclude<TransactionResult, { readonly outcome: 'unknown' | 'unbuilt' }>;

type Run = {
  readonly deps: TransactionDeps;
  readonly intent: Intent;
  readonly signal: AbortSignal;
  readonly options: CallOptions;
  /** Known to have ended, and not written down yet. */
  readonly ended: Map<string, Ended>;
  /** Source accounts in use by this run, by address; given back once their transactions are written down. */
  readonly held: Map<string, Held>;
  /** Those that a transaction is being carried out with right now. */
  readonly inUse: Set<string>;
};

export function createTransactions(deps: TransactionDeps): Transactions {
  return {
    session: (intent, signal) => {
      const options = { priority: intent.priority };
      return sessionOf({ deps, intent, signal, options, ended: new Map(), held: new Map(), inUse: new Set() });
    },
  };
}

function sessionOf(run: Run): TransactionSession {
  const { deps, intent, ended, held } = run;
  return {
    resume: async () => {
      if (intent.isFresh) return [];
      const transactions = await deps.store.liveOf(intent.id);
      return Promise.all(transactions.map((transaction) => resumed(run, transaction)));
    },
    carryOut: (request) => carryOut(run, request),
    record: (unit) => record(run, unit),
    end: async () => {
      try {
        if (ended.size > 0) await write(run);
      } finally {
        for (const account of held.values()) account.release();
        held.clear();
      }
    },
  };
}

async function resumed(run: Run, { isOpen, ...transaction }: LiveTransaction): Promise<TransactionResult> {
  if (!isOpen) return { outcome: 'landed', transaction, said: { by: 'network' } };
  return noted(run, await submitAgain(run.deps, transaction, run.options));
}

async function carryOut(run: Run, request: TransactionRequest): Promise<TransactionResult> {
  const signer = await takeAccount(run, request.signers);
  run.inUse.add(signer.address);
  try {
    run.signal.throwIfAborted();
    const built = await buildWithRetries(request, signer, run.signal);
    return built.outcome === 'unbuilt' ? built : await signAndSubmit(run, request, { signer, xdr: built.xdr });
  } finally {
    run.inUse.delete(signer.address);
  }
}

type Signing = { readonly signer: Signer; readonly xdr: string };

async function signAndSubmit(run: Run, request: TransactionRequest, { signer, xdr }: Signing): Promise<TransactionResult> {
  const { deps, options } = run;
  const unsigned = readEnvelope(xdr, deps.networkPassphrase);
  const isAsked = unsigned?.sourceAccount === signer.address && unsigned.operations.join() === contractCall;
  if (unsigned?.validUntil === undefined || !isAsked) {
    return { outcome: 'unbuilt', isRefusal: true, reason: 'the provider built something else than it was asked for' };
  }
  const { validUntil, hash, sourceAccount, sequence } = unsigned;
  const envelope = await deps.sign(signer.role, request.operation, unsigned);
  const requestHash = digest('sha256', request.asked);
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
  return noted(run, await submitFirst(deps, transaction, options));
}

const contractCall = 'invokeHostFunction';

/** One that this run uses already, else whichever comes free first. */
async function takeAccount({ deps, held, signal }: Run, signers: readonly Signer[]): Promise<Signer> {
  const own = signers.find(({ address }) => held.has(address));
  if (own !== undefined) return own;
  const account = await deps.leases.acquire(
    signers.map(({ address }) => address),
    signal,
  );
  held.set(account.name, account);
  const signer = signers.find(({ address }) => address === account.name);
  if (signer === undefined) throw new Error('The lease is for another account than was asked for.');
  return signer;
}

type Built = { readonly outcome: 'built'; readonly xdr: string } | Extract<TransactionResult, { readonly outcome: 'unbuilt' }>;

/** Building changes nothing, so it may be tried again; quickly, because somebody waits. */
const buildRetries = {
  attemptsMax: 3,
  firstDelayMs: 150,
  shouldRetry: (error: unknown): boolean => !(error instanceof ProviderRefused),
};

async function buildWithRetries({ build }: TransactionRequest, signer: Signer, signal: AbortSignal): Promise<Built> {
  try {
    return { outcome: 'built', xdr: await retry(() => build(signer), { ...buildRetries, signal }) };
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : 'the provider could not build the transaction';
    return { outcome: 'unbuilt', isRefusal: error instanceof ProviderRefused, reason };
  }
}

/**
 * Stores the transaction that is about to be submitted, together with what has ended, and gives back the accounts of the latter. While it
 * does so nobody else in this run may take one of them.
 */
async function write(run: Run, opened?: NewTransaction): Promise<void> {
  const { deps, intent, held } = run;
  const { results, ended, accounts } = unrecorded(run);
  for (const { name } of accounts) held.delete(name);
  try {
    await deps.store.write({ intent, ended, accounts, ...(opened === undefined ? {} : { opened }) });
  } catch (error) {
    for (const account of accounts) held.set(account.name, account);
    throw error;
  }
  for (const { transaction } of results) run.ended.delete(transaction.hash);
}

/** The same within the commit that ends the intent. */
function record(run: Run, unit: UnitOfWork): void {
  const { results, ended, accounts } = unrecorded(run);
  unit.endTransactions(run.intent, ended, accounts);
  unit.tx.afterCommit(() => {
    for (const { name } of accounts) run.held.delete(name);
    for (const { transaction } of results) run.ended.delete(transaction.hash);
  });
}

type Unrecorded = {
  readonly results: readonly Ended[];
  readonly ended: readonly EndedTransaction[];
  readonly accounts: readonly Held[];
};

const endStates: Readonly<Record<Ended['outcome'], EndState>> = { landed: 'LANDED', failed: 'FAILED', never: 'DEAD' };

/** What has ended, and the accounts that it was carried out with and that nothing else uses. */
function unrecorded({ ended, held, inUse }: Run): Unrecorded {
  const results = [...ended.values()];
  const used = new Set(results.map(({ transaction }) => transaction.sourceAccount));
  return {
    results,
    ended: results.map(({ transaction, outcome }) => ({ hash: transaction.hash, state: endStates[outcome] })),
    accounts: [...held.values()].filter(({ name }) => used.has(name) && !inUse.has(name)),
  };
}

function noted({ ended }: Run, result: TransactionResult): TransactionResult {
  if (result.outcome !== 'unknown' && result.outcome !== 'unbuilt') ended.set(result.transaction.hash, result);
  return result;
}
