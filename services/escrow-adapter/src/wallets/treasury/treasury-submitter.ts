import type { EmergencyStop } from '@holdfast/intents';
import { toInstant, type Clock, type Log } from '@holdfast/kernel/context';
import { parseEnvelope } from '../../transactions/envelope.js';
import { submitAgain, submitFirst, type SubmissionDeps } from '../../transactions/submission.js';
import { submitToNetwork, unlessStopped } from '../../transactions/submitters.js';
import type { OpenTransaction, TransactionResult } from '../../use-cases/ports.js';
import type { LedgerNetwork } from '../ports.js';
import type { SignForRoles, SigningRole } from '../signing/signer.js';
import type { TreasuryStore, TreasuryStep } from '../store/treasury-store.js';
import { buildTreasuryTransaction, trustedIn, type TreasuryOperation } from './treasury-operations.js';

/** The result of a treasury transaction; an `open` one may still land, or waits until nothing is stopped any more. */
export type TreasuryResult = 'landed' | 'failed' | 'expired' | 'open';

export type TreasurySubmitter = {
  /** Submits one transaction with all operations, signed by the treasury and `signers`. */
  readonly execute: (
    step: TreasuryStep,
    operations: readonly TreasuryOperation[],
    signers: readonly SigningRole[],
  ) => Promise<TreasuryResult>;
  /** Resolves an open transaction of any process. False while it is still open. */
  readonly finishOpen: () => Promise<boolean>;
};

export type TreasurySubmitterDeps = {
  readonly network: LedgerNetwork;
  readonly store: TreasuryStore;
  readonly sign: SignForRoles;
  readonly emergencyStop: Pick<EmergencyStop, 'isStopped'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly treasuryAddress: string;
  readonly usdcIssuer: string;
};

const validMs = 30_000;

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
    finishOpen: () => inTurn(() => finishOpen(deps)),
    execute: (step, operations, signers) =>
      inTurn(async () => {
        const mayExecute = (await finishOpen(deps)) && !(await deps.emergencyStop.isStopped());
        return mayExecute ? execute(deps, { step, operations, signers }) : 'open';
      }),
  };
}

async function finishOpen(deps: TreasurySubmitterDeps): Promise<boolean> {
  const open = await deps.store.findOpen(deps.treasuryAddress);
  if (open === undefined) return true;
  return (await recordResult(deps, open, await submitAgain(submissionDeps(deps), open, { priority: 0 }))) !== 'open';
}

type TreasuryTransaction = {
  readonly step: TreasuryStep;
  readonly operations: readonly TreasuryOperation[];
  readonly signers: readonly SigningRole[];
};

async function execute(deps: TreasurySubmitterDeps, { step, operations, signers }: TreasuryTransaction): Promise<TreasuryResult> {
  const { network, store, sign, clock, treasuryAddress, usdcIssuer } = deps;
  const account = await network.account(treasuryAddress);
  if (account === undefined) throw new Error('The treasury has no account on the ledger network.');
  const validUntil = Math.floor((clock.epochMs() + validMs) / 1_000);
  const { networkPassphrase } = network;
  const built = buildTreasuryTransaction(operations, {
    networkPassphrase,
    usdcIssuer,
    treasuryAddress,
    sequence: account.sequence,
    validUntil,
  });
  const operation = step === 'treasury' ? 'activate' : step;
  const unsigned = parseEnvelope(built, networkPassphrase);
  if (unsigned === undefined) throw new Error('The transaction of the treasury cannot be parsed.');
  const envelope = await sign(['treasury', ...signers], operation, unsigned);
  const { hash, sequence } = unsigned;
  const transaction = {
    hash,
    step,
    sourceAccount: treasuryAddress,
    sequence,
    envelope,
    validUntil: toInstant(validUntil * 1_000),
  };
  if (!(await store.insertOpen(transaction))) return 'open';
  return recordResult(deps, transaction, await submitFirst(submissionDeps(deps), transaction, { priority: 0 }));
}

function submissionDeps({ network, emergencyStop }: TreasurySubmitterDeps): SubmissionDeps {
  return { network, submitter: unlessStopped(submitToNetwork(network), emergencyStop) };
}

const states = { landed: 'LANDED', failed: 'FAILED', expired: 'DEAD' } as const;

async function recordResult(
  deps: TreasurySubmitterDeps,
  transaction: OpenTransaction,
  result: TransactionResult,
): Promise<TreasuryResult> {
  const { store, clock, log, network } = deps;
  const { hash, step, envelope } = transaction;
  if (result.status === 'unknown' || result.status === 'not-built') return 'open';
  const activated = result.status === 'landed' ? trustedIn(envelope, network.networkPassphrase) : [];
  await store.end({ hash, state: states[result.status], activated, at: clock.now() });
  if (result.status !== 'landed') log.warn({ hash, step, status: result.status }, 'treasury transaction failed');
  return result.status;
}
