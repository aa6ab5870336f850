import { hash as digest } from 'node:crypto';
import { retry } from '@holdfast/kernel/async';
import type { Tx } from '@holdfast/postgres';
import { IntentPaused, type Intent } from '@holdfast/intents';
import { type LeaseHandle, type Leases } from '@holdfast/intents/leases';
import { ProviderRefused, type Spent } from '../values/index.js';
import { decodeOnce, encodeEnvelope, type OnDecoded } from '../envelopes/index.js';
import type { Sign } from '../signing/index.js';
import { submitAgain, submitFirst, type SubmissionDeps } from './submission.js';
import type { FeeBumps } from '../fee-bumps/index.js';
import { leaseSourceAccount } from './source-account.js';
import type {
  EndedTransaction,
  EndState,
  LiveTransaction,
  NewTransaction,
  Signer,
  SubmittedTransaction,
  TransactionRequest,
  TransactionResult,
  Transactions,
  TransactionSession,
  TransactionStore,
} from './transactions.js';

export type TransactionDeps = Omit<SubmissionDeps, 'onLanded'> & {
  readonly onLanded: (transaction: SubmittedTransaction, intent: Intent) => void;
  readonly deadlines: {
    /** Whether the intent has waited for too long. */
    readonly isOverdue: (intent: Intent, waitedMs?: number) => boolean;
  };
  readonly feeBumps: Pick<FeeBumps, 'assertPayable'>;
  readonly store: TransactionStore;
  readonly leases: Leases;
  readonly sign: Sign;
  readonly networkPassphrase: string;
  readonly onDecoded?: OnDecoded | undefined;
  /** Throws IntentPaused while nothing may be signed. */
  readonly assertNotStopped: () => Promise<void>;
  /** Counts what the treasury spends. Throws IntentPaused where it would exceed its spending cap. */
  readonly beginSpending: (cause: string, spent: Spent) => Promise<void>;
};

type Ended = Exclude<TransactionResult, { readonly status: 'unknown' | 'not-built' | 'refused' }>;

type SessionState = {
  readonly deps: TransactionDeps;
  readonly intent: Intent;
  readonly signal: AbortSignal;
  /** Ended transactions that are not recorded yet, by hash. */
  readonly ended: Map<string, Ended>;
  /** Leases of source accounts, by address; released when their transactions are recorded. */
  readonly leasedAccounts: Map<string, LeaseHandle>;
  /** Addresses whose transaction is being built or submitted. */
  readonly inUse: Set<string>;
};

export function createTransactions(deps: TransactionDeps): Transactions {
  return {
    session: (intent, signal) =>
      sessionOf({ deps, intent, signal, ended: new Map(), leasedAccounts: new Map(), inUse: new Set() }),
  };
}

function sessionOf(run: SessionState): TransactionSession {
  const { deps, intent, ended, leasedAccounts } = run;
  return {
    resume: async () => {
      if (intent.isFresh) return [];
      const transactions = await deps.store.liveOf(intent.id);
      return notForFee(await Promise.all(transactions.map((transaction) => resumeTransaction(run, transaction))));
    },
    execute: (request) => execute(run, request),
    record: (tx) => record(run, tx),
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

async function resumeTransaction(run: SessionState, live: LiveTransaction): Promise<TransactionResult> {
  const { state, ledger, ...stored } = live;
  const { networkPassphrase, onDecoded } = run.deps;
  const transaction = { ...stored, decoded: decodeOnce(stored.envelope, networkPassphrase, onDecoded) };
  if (state === 'LANDED') return { status: 'landed', transaction, ledger: ledger ?? 0 };
  if (state === 'MISMATCHED') return { status: 'mismatched', transaction, ledger: ledger ?? 0, reason: mismatchedReason };
  return trackEnded(run, await submitAgain(submissionDeps(run), transaction, run.signal));
}

function submissionDeps({ deps, intent }: SessionState): SubmissionDeps {
  return { ...deps, onLanded: (transaction) => deps.onLanded(transaction, intent) };
}

const mismatchedReason = 'a landed transaction has moved something else than it must';

async function execute(run: SessionState, request: TransactionRequest): Promise<TransactionResult> {
  await run.deps.assertNotStopped();
  run.deps.feeBumps.assertPayable();
  const signer = await leaseSourceAccount({ ...run.deps, ...run }, request.signers);
  if (request.spends !== undefined && isTreasury(signer)) await run.deps.beginSpending(run.intent.id, request.spends);
  run.inUse.add(signer.address);
  try {
    run.signal.throwIfAborted();
    const built = await buildWithRetries(run, request, signer);
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
  const { deps } = run;
  const firstLedger = await deps.rpc.closedLedger();
  const expectation = request.expect(signer);
  const signed = await deps.sign(signer.role, xdr, expectation);
  if (signed.status === 'refused') return { ...signed, step: request.step };
  const { envelope } = signed;
  const { hash, sourceAccount, sequence, validUntil } = envelope;
  if (validUntil === undefined) throw new TypeError('a signed transaction has an upper time bound');
  const requestHash = digest('sha256', request.requestText);
  const stored = {
    hash,
    sourceAccount,
    sequence,
    validUntil,
    envelope: encodeEnvelope(envelope),
    requestHash,
    firstLedger,
    transfers: 'transfers' in expectation ? expectation.transfers : null,
    step: request.step,
    intentId: run.intent.id,
  };
  await write(run, stored);
  const transaction = { ...stored, decoded: () => envelope };
  const [result] = notForFee([trackEnded(run, await submitFirst(submissionDeps(run), transaction, run.signal))]);
  return result;
}

const feePauseMs = 5_000;

/** A transaction that has expired for its fee is built again, and the run does not count as an attempt. */
function notForFee<Results extends readonly TransactionResult[]>(results: Results): Results {
  if (results.some((result) => result.status === 'expired' && result.isFeeTheReason))
    throw new IntentPaused('the fee of its transaction was refused', feePauseMs);
  return results;
}

type Built = { readonly status: 'built'; readonly xdr: string } | Extract<TransactionResult, { readonly status: 'not-built' }>;

/** Building has no side effect, so it is retried. The delay is short, because a request waits for the saga. */
const buildRetries = {
  attemptsMax: 3,
  firstDelayMs: 150,
  shouldRetry: (error: unknown): boolean => !(error instanceof ProviderRefused || error instanceof IntentPaused),
};

/** A pause passes unchanged, until the intent has waited for too long. */
async function buildWithRetries(
  { deps, intent, signal }: SessionState,
  { build }: TransactionRequest,
  signer: Signer,
): Promise<Built> {
  try {
    return { status: 'built', xdr: await retry(() => build(signer), { ...buildRetries, signal }) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof IntentPaused && !deps.deadlines.isOverdue(intent, error.waitedMs)) throw error;
    const reason = reasonOf(error);
    return { status: 'not-built', isRefusal: error instanceof ProviderRefused, reason };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof IntentPaused) return error.reason;
  return error instanceof Error ? error.message : 'the provider could not build the transaction';
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
async function record(run: SessionState, tx: Tx): Promise<void> {
  const { results, ended, accounts } = unrecorded(run);
  await run.deps.store.writeEnded(tx, { intent: run.intent, ended, accounts });
  tx.afterCommit(() => {
    for (const { name } of accounts) run.leasedAccounts.delete(name);
    for (const { transaction } of results) run.ended.delete(transaction.hash);
  });
}

type Unrecorded = {
  readonly results: readonly Ended[];
  readonly ended: readonly EndedTransaction[];
  readonly accounts: readonly LeaseHandle[];
};

const endStates: Readonly<Record<Ended['status'], EndState>> = {
  landed: 'LANDED',
  failed: 'FAILED',
  expired: 'DEAD',
  mismatched: 'MISMATCHED',
};

/** The ended transactions that are not recorded yet, and their accounts that no other transaction of this run uses. */
function unrecorded({ ended, leasedAccounts, inUse }: SessionState): Unrecorded {
  const results = [...ended.values()];
  const used = new Set(results.map(({ transaction }) => transaction.sourceAccount));
  return {
    results,
    ended: results.map(endedTransaction),
    accounts: [...leasedAccounts.values()].filter(({ name }) => used.has(name) && !inUse.has(name)),
  };
}

function endedTransaction(result: Ended): EndedTransaction {
  const ledger = result.status === 'expired' ? null : result.ledger;
  return { hash: result.transaction.hash, state: endStates[result.status], ledger };
}

function trackEnded({ ended }: SessionState, result: TransactionResult): TransactionResult {
  if ('transaction' in result && result.status !== 'unknown') ended.set(result.transaction.hash, result);
  return result;
}
