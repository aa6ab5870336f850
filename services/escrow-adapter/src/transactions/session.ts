import { hash as digest } from 'node:crypto';
import { retry } from '@holdfast/kernel/async';
import type { LeaseHandle, Intent, Leases } from '@holdfast/intents';
import {
  ProviderRefused,
  type CallOptions,
  type EndedTransaction,
  type EndState,
  type NewTransaction,
  type Signer,
  type Spent,
  type TransactionRequest,
  type TransactionResult,
  type Transactions,
  type TransactionSession,
  type UnitOfWork,
} from '../use-cases/ports.js';
import type { Sign } from '../wallets/ports.js';
import { parseEnvelope, type ParsedEnvelope } from './envelope.js';
import { submitAgain, submitFirst, type SubmissionDeps } from './submission.js';
import type { LiveTransaction, TransactionStore } from './transaction-store.js';

export type TransactionDeps = SubmissionDeps & {
  readonly store: TransactionStore;
  readonly leases: Leases;
  readonly sign: Sign;
  /** Throws IntentPaused while nothing may be signed. */
  readonly assertNotStopped: () => Promise<void>;
  /** Counts what the treasury spends. Throws IntentPaused where it would exceed its spending cap. */
  readonly beginSpending: (intentId: string, spent: Spent) => Promise<void>;
  readonly networkPassphrase: string;
};

type Ended = Exclude<TransactionResult, { readonly status: 'unknown' | 'not-built' }>;

type SessionState = {
  readonly deps: TransactionDeps;
  readonly intent: Intent;
  readonly signal: AbortSignal;
  readonly options: CallOptions;
  /** Ended transactions that are not recorded yet, by hash. */
  readonly ended: Map<string, Ended>;
  /** Leases of source accounts, by address; released when their transactions are recorded. */
  readonly leasedAccounts: Map<string, LeaseHandle>;
  /** Addresses whose transaction is being built or submitted. */
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
      return Promise.all(transactions.map((transaction) => resumeTransaction(run, transaction)));
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

async function resumeTransaction(run: SessionState, { isOpen, ...transaction }: LiveTransaction): Promise<TransactionResult> {
  if (!isOpen) return { status: 'landed', transaction, source: { by: 'network' } };
  return trackEnded(run, await submitAgain(run.deps, transaction, run.options));
}

async function execute(run: SessionState, request: TransactionRequest): Promise<TransactionResult> {
  await run.deps.assertNotStopped();
  const signer = await leaseAccount(run, request.signers);
  if (request.spends !== undefined && isTreasury(signer)) await run.deps.beginSpending(run.intent.id, request.spends);
  run.inUse.add(signer.address);
  try {
    run.signal.throwIfAborted();
    const built = await buildWithRetries(request, signer, run.signal);
    return built.status === 'not-built' ? built : await signAndSubmit(run, request, { signer, xdr: built.xdr });
  } finally {
    run.inUse.delete(signer.address);
  }
}

function isTreasury({ role }: Signer): boolean {
  return role !== 'platform' && 'treasury' in role;
}

type Signing = { readonly signer: Signer; readonly xdr: string };

async function signAndSubmit(
  run: SessionState,
  request: TransactionRequest,
  { signer, xdr }: Signing,
): Promise<TransactionResult> {
  const { deps, options } = run;
  const unsigned = parseEnvelope(xdr, deps.networkPassphrase);
  const { isExpected = isContractCall } = request;
  const isAsRequested = unsigned?.sourceAccount === signer.address && isExpected(unsigned);
  if (unsigned?.validUntil === undefined || !isAsRequested) {
    return { status: 'not-built', isRefusal: true, reason: 'the provider built a different transaction than requested' };
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
  return trackEnded(run, await submitFirst(deps, transaction, options));
}

function isContractCall({ operations }: ParsedEnvelope): boolean {
  return operations.join() === 'invokeHostFunction';
}

/** Prefers an account that this run has leased already. */
async function leaseAccount({ deps, leasedAccounts, signal }: SessionState, signers: readonly Signer[]): Promise<Signer> {
  const own = signers.find(({ address }) => leasedAccounts.has(address));
  if (own !== undefined) return own;
  const account = await deps.leases.acquire(
    signers.map(({ address }) => address),
    signal,
  );
  leasedAccounts.set(account.name, account);
  const signer = signers.find(({ address }) => address === account.name);
  if (signer === undefined) throw new Error('The lease is for an account that was not requested.');
  return signer;
}

type Built = { readonly status: 'built'; readonly xdr: string } | Extract<TransactionResult, { readonly status: 'not-built' }>;

/** Building has no side effect, so it is retried. The delay is short, because a request waits for the saga. */
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
    return { status: 'not-built', isRefusal: error instanceof ProviderRefused, reason };
  }
}

/**
 * Stores the transaction that is about to be submitted, records ended ones and releases their accounts, in one statement. The
 * accounts are removed first, so that no other step of this run uses one while the statement runs.
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

/** Records ended transactions in the commit that closes the intent. */
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

const endStates: Readonly<Record<Ended['status'], EndState>> = { landed: 'LANDED', failed: 'FAILED', expired: 'DEAD' };

/** The ended transactions that are not recorded yet, and their accounts that no other transaction of this run uses. */
function unrecorded({ ended, leasedAccounts, inUse }: SessionState): Unrecorded {
  const results = [...ended.values()];
  const used = new Set(results.map(({ transaction }) => transaction.sourceAccount));
  return {
    results,
    ended: results.map(({ transaction, status }) => ({ hash: transaction.hash, state: endStates[status] })),
    accounts: [...leasedAccounts.values()].filter(({ name }) => used.has(name) && !inUse.has(name)),
  };
}

function trackEnded({ ended }: SessionState, result: TransactionResult): TransactionResult {
  if (result.status !== 'unknown' && result.status !== 'not-built') ended.set(result.transaction.hash, result);
  return result;
}
