import { toInstant, type Clock, type Log } from '@holdfast/shared/context';
import { readEnvelope } from '../../transactions/envelope.js';
import { submitAgain, submitFirst } from '../../transactions/follow.js';
import type { OpenTransaction, TransactionResult } from '../../use-cases/ports.js';
import type { LedgerNetwork } from '../ports.js';
import type { SignTogether, SigningRole } from '../signing/signer.js';
import type { TellerStore, TreasuryStep } from '../store/teller-store.js';
import { buildMoves, trustedIn, type Move } from './moves.js';

/** What became of a transaction of the treasury; `open` may land yet. */
export type MovesOutcome = 'landed' | 'failed' | 'never' | 'open';

export type TreasuryLane = {
  /** One transaction with all these moves; those in `signers` sign beside the treasury. */
  readonly carryOut: (step: TreasuryStep, moves: readonly Move[], signers: readonly SigningRole[]) => Promise<MovesOutcome>;
  /** Brings an open transaction to its end, whoever began it. False while it is still open. */
  readonly clear: () => Promise<boolean>;
};

export type TreasuryLaneDeps = {
  readonly network: LedgerNetwork;
  readonly store: TellerStore;
  readonly sign: SignTogether;
  readonly clock: Clock;
  readonly log: Log;
  readonly treasuryAddress: string;
  readonly usdcIssuer: string;
};

const validMs = 30_000;

/** A transaction carries at most twenty signatures: the treasury's, and so many others. */
export const otherSignersMax = 19;

/**
 * The treasury's own account: one transaction at a time, kept before it is submitted. Within a process calls queue up;
 * between processes the one open row per account decides, and whoever finds it open brings it to its end first.
 */
export function treasuryLane(deps: TreasuryLaneDeps): TreasuryLane {
  let tail: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = tail.then(work, work);
    tail = turn.catch(() => undefined);
    return turn;
  };
  return {
    clear: () => inTurn(() => clear(deps)),
    carryOut: (step, moves, signers) =>
      inTurn(async () => ((await clear(deps)) ? carryOut(deps, { step, moves, signers }) : 'open')),
  };
}

async function clear(deps: TreasuryLaneDeps): Promise<boolean> {
  const open = await deps.store.findOpen(deps.treasuryAddress);
  if (open === undefined) return true;
  return (await settle(deps, open, await submitAgain(followDeps(deps), open, { priority: 0 }))) !== 'open';
}

type Wanted = { readonly step: TreasuryStep; readonly moves: readonly Move[]; readonly signers: readonly SigningRole[] };

async function carryOut(deps: TreasuryLaneDeps, { step, moves, signers }: Wanted): Promise<MovesOutcome> {
  const { network, store, sign, clock, treasuryAddress, usdcIssuer } = deps;
  const account = await network.account(treasuryAddress);
  if (account === undefined) throw new Error('The treasury has no account on the ledger network.');
  const validUntil = Math.floor((clock.epochMs() + validMs) / 1_000);
  const { networkPassphrase } = network;
  const built = buildMoves(moves, { networkPassphrase, usdcIssuer, treasuryAddress, sequence: account.sequence, validUntil });
  const operation = step === 'treasury' ? 'activate' : step;
  const unsigned = readEnvelope(built, networkPassphrase);
  if (unsigned === undefined) throw new Error('What was built for the treasury is no transaction.');
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
  if (!(await store.keep(transaction))) return 'open';
  return settle(deps, transaction, await submitFirst(followDeps(deps), transaction, { priority: 0 }));
}

/** Submissions go to the network itself; whatever it does not clearly say is looked up by hash. */
function followDeps({ network }: TreasuryLaneDeps): Parameters<typeof submitAgain>[0] {
  return {
    network,
    provider: {
      submit: async (envelope) => {
        const said = await network.submit(envelope);
        return said.outcome === 'landed'
          ? { outcome: 'landed', contractId: undefined }
          : { outcome: 'unknown', reason: said.outcome === 'refused' ? said.resultCodes.join() : 'no answer' };
      },
    },
  };
}

const states = { landed: 'LANDED', failed: 'FAILED', never: 'DEAD' } as const;

async function settle(deps: TreasuryLaneDeps, transaction: OpenTransaction, result: TransactionResult): Promise<MovesOutcome> {
  const { store, clock, log, network } = deps;
  const { hash, step, envelope } = transaction;
  if (result.outcome === 'unknown' || result.outcome === 'unbuilt') return 'open';
  const activated = result.outcome === 'landed' ? trustedIn(envelope, network.networkPassphrase) : [];
  await store.end({ hash, state: states[result.outcome], activated, at: clock.now() });
  if (result.outcome !== 'landed')
    log.warn({ hash, step, outcome: result.outcome }, 'a transaction of the treasury had no effect');
  return result.outcome;
}
