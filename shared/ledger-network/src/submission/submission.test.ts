import { AppError } from '@holdfast/kernel/errors';
import { toInstant } from '@holdfast/kernel/context';
import type { Evidence, LookUp, Submission } from '../rpc/index.js';
import { submitAgain, submitFirst, type SubmissionDeps, type SubmissionLimits } from './submission.js';
import type { SubmittedTransaction } from './transactions.js';

const transaction: SubmittedTransaction = {
  hash: 'a hash',
  step: 'fund',
  sourceAccount: 'GPAYER',
  sequence: 7n,
  envelope: 'an envelope',
  decoded: () => {
    throw new Error('nothing but a fee bump decodes it');
  },
  validUntil: toInstant(0),
  firstLedger: 1,
  transfers: [{ token: 'USDC', from: 'GPAYER', to: 'CONTRACT', units: 5n }],
};
const pending: Evidence = { status: 'pending', latestLedger: 8 };
const landed: Evidence = { status: 'landed', ledger: 9, transfers: transaction.transfers ?? [] };
const sent: Submission = { status: 'sent' };

/** The quick lookups take 370 ms. */
const limits: SubmissionLimits = {
  ledgerPauseMs: 20,
  submitAgainAfterMs: { sent: 425, 'try-later': 385, refused: 385 },
  responseWaitMs: 1_000,
};

type Script = {
  readonly evidence?: readonly (Evidence | Error)[];
  readonly overtaken?: Evidence;
  readonly submission?: Submission;
  /** The latest closed ledgers. */
  readonly closed?: readonly (number | Error)[];
  readonly isFeeTheReason?: boolean;
};

/** Each list is used up in order; its last entry stays. */
function inOrder<Value>(values: readonly (Value | Error)[]): () => Promise<Value> {
  const left = [...values];
  return () => {
    const [next = new Error('nothing is left')] = left.length > 1 ? left.splice(0, 1) : left;
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
}

function networkOf(script: Script) {
  const { evidence = [pending], overtaken = pending, submission = sent, closed = [8], isFeeTheReason = false } = script;
  const calls: string[] = [];
  const submittedAfter: (number | undefined)[] = [];
  const lookUps: (LookUp | undefined)[] = [];
  const logged =
    <Value>(call: string, result: () => Promise<Value>) =>
    (): Promise<Value> => {
      calls.push(call);
      return result();
    };
  const look = logged('look', inOrder(evidence));
  const deps: SubmissionDeps = {
    rpc: {
      evidenceOf: (_, lookUp) => {
        lookUps.push(lookUp);
        return look();
      },
      evidenceOfOvertaken: logged('look for another', () => Promise.resolve(overtaken)),
      closedLedger: logged('latest ledger', inOrder(closed)),
    },
    feeBumps: {
      submit: (_, latestLedger) => {
        calls.push('submit');
        submittedAfter.push(latestLedger);
        return Promise.resolve(submission);
      },
      forget: () => isFeeTheReason,
    },
    onMismatch: (_, reason) => void mismatches.push(reason),
    limits,
  };
  const mismatches: string[] = [];
  return { deps, calls, submittedAfter, lookUps, mismatches };
}

const unreachable = new AppError('SERVICE_UNAVAILABLE');

describe('a transaction', () => {
  it('is submitted, and ends by what the network says', async () => {
    const { deps, calls, lookUps } = networkOf({ evidence: [pending, landed] });
    expect(await submitFirst(deps, transaction)).toEqual({ status: 'landed', transaction, ledger: 9 });
    expect(calls).toEqual(['submit', 'look', 'look']);
    expect(lookUps).toEqual(['look-up', 'look-up-again']);
  });

  it('that is on the network is not submitted again', async () => {
    const { deps, calls } = networkOf({ evidence: [landed] });
    expect(await submitAgain(deps, transaction)).toMatchObject({ status: 'landed' });
    expect(calls).toEqual(['look']);
  });

  it('that cannot land any more has expired', async () => {
    const { deps } = networkOf({ evidence: [{ status: 'never' }] });
    expect(await submitAgain(deps, transaction)).toMatchObject({ status: 'expired' });
  });

  it('that is refused for its sequence number has expired if another one has used it', async () => {
    const submission = { status: 'refused', resultCode: 'txBadSeq' } as const;
    const { deps, calls } = networkOf({ submission, overtaken: { status: 'never' } });
    expect(await submitFirst(deps, transaction)).toMatchObject({ status: 'expired' });
    expect(calls).toEqual(['submit', 'look for another']);
  });

  it('that is refused for another reason may still land', async () => {
    const submission = { status: 'refused', resultCode: 'txInsufficientFee' } as const;
    const { deps } = networkOf({ submission, evidence: [pending, landed] });
    expect(await submitFirst(deps, transaction)).toMatchObject({ status: 'landed' });
  });

  it('is unknown while the network is unreachable', async () => {
    const { deps, calls } = networkOf({ evidence: [unreachable] });
    expect(await submitFirst(deps, transaction)).toEqual({ status: 'unknown', transaction });
    expect(calls.filter((call) => call === 'look')).toHaveLength(3);
  });

  it('is unknown once the process stops', async () => {
    const { deps, calls } = networkOf({});
    const signal = AbortSignal.abort();
    expect(await submitFirst(deps, transaction, signal)).toEqual({ status: 'unknown', transaction });
    expect(calls).toEqual(['submit']);
  });

  it('that has moved something else is reported, and is not landed', async () => {
    const { deps, mismatches } = networkOf({ evidence: [{ ...landed, transfers: [] }] });
    const result = await submitFirst(deps, transaction);
    expect(result).toMatchObject({ status: 'mismatched', ledger: 9, reason: expect.stringContaining('instead of 5') });
    expect(mismatches).toHaveLength(1);
  });

  it('of a payment is not compared', async () => {
    const { deps } = networkOf({ evidence: [{ ...landed, transfers: [] }] });
    expect(await submitFirst(deps, { ...transaction, transfers: null })).toMatchObject({ status: 'landed' });
  });

  it('that is looked up while nothing may be submitted ends by what the network says', async () => {
    const { deps } = networkOf({ submission: { status: 'try-later', reason: 'stopped' }, evidence: [pending, landed] });
    expect(await submitAgain(deps, transaction)).toMatchObject({ status: 'landed' });
  });

  it('that has expired for its fee says so', async () => {
    const { deps } = networkOf({ evidence: [{ status: 'never' }], isFeeTheReason: true });
    expect(await submitAgain(deps, transaction)).toMatchObject({ status: 'expired', isFeeTheReason: true });
  });
});

describe('on a network with slow ledgers a transaction', () => {
  const quick = Array<Evidence>(5).fill(pending);
  const quickLooks = quick.map(() => 'look');

  it('is looked up when a further ledger has closed', async () => {
    const { deps, calls } = networkOf({ evidence: [...quick, landed], closed: [8, 9] });
    expect(await submitFirst(deps, transaction)).toMatchObject({ status: 'landed' });
    expect(calls).toEqual(['submit', ...quickLooks, 'latest ledger', 'latest ledger', 'look']);
  });

  it('is submitted and looked up again in between, because a node may have lost it', async () => {
    const { deps, calls, submittedAfter } = networkOf({ evidence: [...quick, landed] });
    expect(await submitFirst(deps, transaction)).toMatchObject({ status: 'landed' });
    expect(calls).toEqual(['submit', ...quickLooks, 'latest ledger', 'latest ledger', 'submit', 'look']);
    expect(submittedAfter).toEqual([undefined, 8]);
  });

  it('that no node has accepted is submitted again sooner', async () => {
    const submission = { status: 'try-later', reason: 'TRY_AGAIN_LATER' } as const;
    const { deps, calls } = networkOf({ submission, evidence: [...quick, landed] });
    expect(await submitFirst(deps, transaction)).toMatchObject({ status: 'landed' });
    expect(calls).toEqual(['submit', ...quickLooks, 'submit', 'look']);
  });

  it('is submitted by the next run with the ledger that does not have it', async () => {
    const { deps, submittedAfter } = networkOf({ evidence: [pending, landed] });
    expect(await submitAgain(deps, transaction)).toMatchObject({ status: 'landed' });
    expect(submittedAfter).toEqual([8]);
  });
});
