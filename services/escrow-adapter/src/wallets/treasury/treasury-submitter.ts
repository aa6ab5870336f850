import type { EmergencyStop } from '@holdfast/intents/provider-controls';
import { toInstant, type Clock, type Log } from '@holdfast/kernel/context';
import { parseEnvelope } from '../../transactions/envelope.js';
import { ownTransactionsValidMs } from '../../transactions/own-transactions.js';
import { submitAgain, submitFirst, type SubmissionDeps, type SubmissionLimits } from '../../transactions/submission.js';
import type { FeeBumps, LedgerRpc, LifetimeChange, LifetimeResult } from '../../use-cases/network-ports.js';
import type { OpenTransaction, TransactionResult } from '../../use-cases/ports.js';
import type { LedgerNetwork } from '../ports.js';
import type { SignForTreasury, SigningRole } from '../signing/signer.js';
import type { TreasuryStore, TreasuryStep } from '../store/treasury-store.js';
import {
  buildLifetimeTransaction,
  buildTreasuryTransaction,
  trustedIn,
  type BuildOptions,
  type TreasuryOperation,
} from './treasury-operations.js';

/** The result of a treasury transaction; an `open` one may still land, or waits until nothing is stopped any more. */
export type TreasuryResult = 'landed' | 'failed' | 'expired' | 'open';

export type PlannedOperations = {
  readonly operations: readonly TreasuryOperation[];
  readonly signers: readonly SigningRole[];
};

export type TreasurySubmitter = {
  /** Submits one transaction with all operations, signed by the treasury and `signers`. */
  readonly execute: (
    step: TreasuryStep,
    operations: readonly TreasuryOperation[],
    signers: readonly SigningRole[],
  ) => Promise<TreasuryResult>;
  /**
   * The same for operations that are planned when their turn has come, after the treasury's sequence number was read: if another
   * process submits a transaction in between, this one can no longer land, so nothing is done twice.
   */
  readonly executePlanned: (
    step: TreasuryStep,
    plan: () => Promise<PlannedOperations | undefined>,
  ) => Promise<TreasuryResult | 'nothing'>;
  /**
   * Submits the planned transaction, signed by the treasury. It is planned when its turn has come, and after the treasury's sequence
   * number was read: if another process submits a transaction in between, this one can no longer land, so nothing is done twice.
   */
  readonly changeLifetimes: (plan: () => Promise<LifetimeChange | undefined>) => Promise<LifetimeResult>;
};

export type TreasurySubmitterDeps = {
  readonly network: LedgerNetwork;
  readonly rpc: LedgerRpc;
  readonly feeBumps: FeeBumps;
  readonly store: TreasuryStore;
  readonly sign: SignForTreasury;
  readonly emergencyStop: Pick<EmergencyStop, 'isStopped'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly treasuryAddress: string;
  readonly usdcIssuer: string;
  /** Only tests wait for less. */
  readonly submissionLimits?: SubmissionLimits | undefined;
};

/** A transaction has at most twenty signatures, one of them the treasury's. */
export const otherSignersMax = 19;

/**
 * Submits transactions of the treasury's account, one at a time, each stored before it is submitted. Calls queue up within a
 * process; between processes the unique index on open transactions decides, and an open one is resolved first.
 */
export function treasurySubmitter(deps: TreasurySubmitterDeps): TreasurySubmitter {
  let tail: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = tail.then(work, work);
    tail = turn.catch(() => undefined);
    return turn;
  };
  return {
    execute: (step, operations, signers) =>
      inTurn(async () => {
        if (!(await mayExecute(deps))) return 'open';
        const options = await buildOptions(deps);
        return submitBuilt(deps, { step, signers, built: buildTreasuryTransaction(operations, options), options });
      }),
    executePlanned: (step, plan) =>
      inTurn(async () => {
        if (!(await mayExecute(deps))) return 'open';
        const options = await buildOptions(deps);
        const planned = await plan();
        if (planned === undefined) return 'nothing';
        const { operations, signers } = planned;
        return submitBuilt(deps, { step, signers, built: buildTreasuryTransaction(operations, options), options });
      }),
    changeLifetimes: (plan) =>
      inTurn(async () => {
        if (!(await mayExecute(deps))) return 'open';
        const options = await buildOptions(deps);
        const change = await plan();
        if (change === undefined) return 'nothing';
        return submitBuilt(deps, { step: change.does, signers: [], built: buildLifetimeTransaction(change, options), options });
      }),
  };
}

async function mayExecute(deps: TreasurySubmitterDeps): Promise<boolean> {
  return (await finishOpen(deps)) && !(await deps.emergencyStop.isStopped());
}

async function finishOpen(deps: TreasurySubmitterDeps): Promise<boolean> {
  const open = await deps.store.findOpen(deps.treasuryAddress);
  if (open === undefined) return true;
  return (await recordResult(deps, open, await submitAgain(submissionDeps(deps), open, { priority: 0 }))) !== 'open';
}

async function buildOptions({ network, clock, treasuryAddress, usdcIssuer }: TreasurySubmitterDeps): Promise<BuildOptions> {
  const account = await network.account(treasuryAddress);
  if (account === undefined) throw new Error('The treasury has no account on the ledger network.');
  const validUntil = Math.floor((clock.epochMs() + ownTransactionsValidMs) / 1_000);
  return { networkPassphrase: network.networkPassphrase, usdcIssuer, treasuryAddress, sequence: account.sequence, validUntil };
}

type TreasuryTransaction = {
  readonly step: TreasuryStep;
  readonly signers: readonly SigningRole[];
  readonly built: string;
  readonly options: BuildOptions;
};

async function submitBuilt(deps: TreasurySubmitterDeps, given: TreasuryTransaction): Promise<TreasuryResult> {
  const { rpc, store, sign, treasuryAddress } = deps;
  const { step, signers, built, options } = given;
  const unsigned = parseEnvelope(built, options.networkPassphrase);
  if (unsigned === undefined) throw new Error('The transaction of the treasury cannot be parsed.');
  const firstLedger = await rpc.closedLedger();
  const envelope = await sign(['treasury', ...signers], step, unsigned);
  const { hash, sequence } = unsigned;
  const transaction = {
    hash,
    step,
    sourceAccount: treasuryAddress,
    sequence,
    envelope,
    validUntil: toInstant(options.validUntil * 1_000),
    firstLedger,
    transfers: null,
  };
  if (!(await store.insertOpen(transaction))) return 'open';
  return recordResult(deps, transaction, await submitFirst(submissionDeps(deps), transaction, { priority: 0 }));
}

/** Payments say themselves what they move, so that there is nothing to compare. */
function submissionDeps({ rpc, feeBumps, submissionLimits }: TreasurySubmitterDeps): SubmissionDeps {
  return { rpc, feeBumps, onMismatch: () => undefined, limits: submissionLimits };
}

const states = { landed: 'LANDED', failed: 'FAILED', expired: 'DEAD' } as const;

async function recordResult(
  deps: TreasurySubmitterDeps,
  transaction: OpenTransaction,
  result: TransactionResult,
): Promise<TreasuryResult> {
  const { store, clock, log, network } = deps;
  const { hash, step, envelope } = transaction;
  if (!('transaction' in result) || result.status === 'unknown' || result.status === 'mismatched') return 'open';
  const activated = result.status === 'landed' ? trustedIn(envelope, network.networkPassphrase) : [];
  const ledger = result.status === 'expired' ? null : result.ledger;
  await store.end({ hash, state: states[result.status], ledger, activated, at: clock.now() });
  if (result.status !== 'landed') log.warn({ hash, step, status: result.status }, 'treasury transaction failed');
  return result.status;
}
