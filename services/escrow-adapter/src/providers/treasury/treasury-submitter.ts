import type { EmergencyStop } from '@holdfast/intents/provider-controls';
import { toInstant, type Clock, type Log } from '@holdfast/kernel/context';
import { decodeOnce, encodeEnvelope, parseEnvelope, type OnDecoded } from '@holdfast/ledger-network/envelopes';
import {
  submitAgain,
  submitFirst,
  type SubmissionDeps,
  type SubmissionLimits,
  type SubmittedTransaction,
  type TransactionResult,
} from '@holdfast/ledger-network/submission';
import type { FeeBumps } from '@holdfast/ledger-network/fee-bumps';
import type { LedgerNetwork } from '@holdfast/ledger-network/horizon';
import type { LedgerRpc } from '@holdfast/ledger-network/rpc';
import type { SignForTreasury, SigningRole, TreasuryPurpose } from '@holdfast/ledger-network/signing';
import {
  buildLifetimeTransaction,
  buildTreasuryTransaction,
  trustedIn,
  validUntilSeconds,
  type BuildOptions,
} from '@holdfast/ledger-network/building';
import type { TreasuryResult, TreasuryStore, TreasurySubmitter } from '../../use-cases/treasury/ports.js';

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
  readonly onDecoded?: OnDecoded;
  /** Only tests wait for less. */
  readonly submissionLimits?: SubmissionLimits | undefined;
};

/**
 * Submits transactions of the treasury's account, one at a time, each stored before it is submitted. Calls queue up within a
 * process; between processes the unique index on open transactions decides, and an open one is resolved first.
 */
export function treasurySubmitter(deps: TreasurySubmitterDeps): TreasurySubmitter {
  let tail: Promise<unknown> = Promise.resolve();
  const inTurn = <Planned>(plan: () => Promise<Planned | undefined>, build: Build<Planned>): Promise<TreasuryResult> => {
    const turn = tail.then(() => submitPlanned(deps, plan, build));
    tail = turn.catch(() => undefined);
    return turn;
  };
  return {
    execute: (step, plan) =>
      inTurn(plan, ({ operations, signers }, options) => ({
        step,
        signers,
        built: buildTreasuryTransaction(operations, options),
      })),
    changeLifetimes: (plan) =>
      inTurn(plan, (change, options) => ({ step: change.does, signers: [], built: buildLifetimeTransaction(change, options) })),
  };
}

type Build<Planned> = (planned: Planned, options: BuildOptions) => Omit<TreasuryTransaction, 'options'>;

/** It is planned after the sequence number was read; see `TreasurySubmitter`. */
async function submitPlanned<Planned>(
  deps: TreasurySubmitterDeps,
  plan: () => Promise<Planned | undefined>,
  build: Build<Planned>,
): Promise<TreasuryResult> {
  if (!(await mayExecute(deps))) return 'open';
  const options = await buildOptions(deps);
  const planned = await plan();
  return planned === undefined ? 'nothing' : submitBuilt(deps, { ...build(planned, options), options });
}

async function mayExecute(deps: TreasurySubmitterDeps): Promise<boolean> {
  return (await finishOpen(deps)) && !(await deps.emergencyStop.isStopped());
}

async function finishOpen(deps: TreasurySubmitterDeps): Promise<boolean> {
  const stored = await deps.store.findOpen(deps.treasuryAddress);
  if (stored === undefined) return true;
  const open = { ...stored, decoded: decodeOnce(stored.envelope, deps.network.networkPassphrase, deps.onDecoded) };
  return (await recordResult(deps, open, await submitAgain(submissionDeps(deps), open))) !== 'open';
}

async function buildOptions({ network, clock, treasuryAddress, usdcIssuer }: TreasurySubmitterDeps): Promise<BuildOptions> {
  const account = await network.account(treasuryAddress);
  if (account === undefined) throw new Error('The treasury has no account on the ledger network.');
  const { networkPassphrase } = network;
  return { networkPassphrase, usdcIssuer, treasuryAddress, sequence: account.sequence, validUntil: validUntilSeconds(clock) };
}

type TreasuryTransaction = {
  readonly step: TreasuryPurpose;
  readonly signers: readonly SigningRole[];
  readonly built: string;
  readonly options: BuildOptions;
};

async function submitBuilt(deps: TreasurySubmitterDeps, given: TreasuryTransaction): Promise<TreasuryResult> {
  const { rpc, store, sign, treasuryAddress } = deps;
  const { step, signers, built, options } = given;
  deps.onDecoded?.('build');
  const unsigned = parseEnvelope(built, options.networkPassphrase);
  if (unsigned === undefined) throw new Error('The transaction of the treasury cannot be parsed.');
  const firstLedger = await rpc.closedLedger();
  const signed = await sign(['treasury', ...signers], step, unsigned);
  const { hash, sequence } = unsigned;
  const stored = {
    hash,
    step,
    sourceAccount: treasuryAddress,
    sequence,
    envelope: encodeEnvelope(signed),
    validUntil: toInstant(options.validUntil * 1_000),
    firstLedger,
    transfers: null,
  };
  if (!(await store.insertOpen(stored))) return 'open';
  const transaction = { ...stored, decoded: () => signed };
  return recordResult(deps, transaction, await submitFirst(submissionDeps(deps), transaction));
}

/** Payments say themselves what they move, so that there is nothing to compare. */
function submissionDeps({ rpc, feeBumps, submissionLimits }: TreasurySubmitterDeps): SubmissionDeps {
  return { rpc, feeBumps, onMismatch: () => undefined, limits: submissionLimits };
}

const states = { landed: 'LANDED', failed: 'FAILED', expired: 'DEAD' } as const;

async function recordResult(
  deps: TreasurySubmitterDeps,
  transaction: SubmittedTransaction,
  result: TransactionResult,
): Promise<TreasuryResult> {
  const { store, clock, log } = deps;
  const { hash, step, decoded } = transaction;
  if (!('transaction' in result) || result.status === 'unknown' || result.status === 'mismatched') return 'open';
  const activated = result.status === 'landed' ? trustedIn(decoded()) : [];
  const ledger = result.status === 'expired' ? null : result.ledger;
  await store.end({ hash, state: states[result.status], ledger, activated, at: clock.now() });
  if (result.status !== 'landed') log.warn({ hash, step, status: result.status }, 'treasury transaction failed');
  return result.status;
}
