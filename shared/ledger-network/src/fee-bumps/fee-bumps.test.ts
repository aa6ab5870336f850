import { Account, Asset, Keypair, Networks, Operation, SorobanDataBuilder, TransactionBuilder } from '@stellar/stellar-sdk';
import { IntentPaused } from '@holdfast/intents';
import { toInstant } from '@holdfast/kernel/context';
import { manualClock } from '@holdfast/testing/clock';
import { collectingLog } from '@holdfast/testing/log';
import type { InclusionFees, Submission } from '../rpc/index.js';
import { createFeeBumps, type FeeBumpsDeps } from './fee-bumps.js';
import type { SubmittedTransaction } from '../submission/index.js';
import { decodeOnce, encodeEnvelope } from '../envelopes/index.js';
import { buildFeeBump } from './fee-bump.js';

const networkPassphrase: string = Networks.TESTNET;
const source = Keypair.random();
const validUntil = toInstant(1_800_000_000_000);

function openTransaction(kind: 'payment' | 'call', fee = '100'): SubmittedTransaction {
  const timebounds = { minTime: 0, maxTime: 1_800_000_000 };
  const builder = new TransactionBuilder(new Account(source.publicKey(), '6'), { fee, networkPassphrase, timebounds });
  if (kind === 'call') builder.setSorobanData(new SorobanDataBuilder().setResourceFee(9_000).build());
  const payment = Operation.payment({ destination: source.publicKey(), asset: Asset.native(), amount: '1' });
  const transaction = builder.addOperation(kind === 'call' ? Operation.restoreFootprint({}) : payment).build();
  transaction.sign(source);
  const hash = transaction.hash().toString('hex');
  const sought = { hash, validUntil, firstLedger: 1, sourceAccount: source.publicKey(), sequence: 7n };
  const envelope = transaction.toXDR();
  return { ...sought, step: kind, envelope, decoded: decodeOnce(envelope, networkPassphrase), transfers: null };
}

type Script = Partial<Pick<FeeBumpsDeps, 'signFeeBump' | 'beginSpending'>> & {
  readonly fees?: () => Promise<InclusionFees>;
  readonly submissions?: readonly Submission[];
};

/** Each submission gets the next response; the last one stays. */
function aBumper({ fees, submissions = [{ status: 'sent' }], ...given }: Script = {}) {
  const bids: bigint[] = [];
  const refused: string[] = [];
  const measured: number[] = [];
  const spent: (readonly [string, bigint])[] = [];
  const responses = [...submissions];
  const clock = manualClock();
  const log = collectingLog();
  const inclusionFees = jest.fn(fees ?? (() => Promise.resolve({ ofCalls: 5_000n, ofOthers: 300n })));
  const next = (): Submission => (responses.length > 1 ? responses.shift() : responses[0]) ?? { status: 'sent' };
  const feeBumps = createFeeBumps({
    rpc: { submit: () => Promise.resolve(next()), inclusionFees },
    signFeeBump: (inner, { bidUnits }) => {
      bids.push(bidUnits);
      return Promise.resolve(encodeEnvelope(buildFeeBump(inner, { feeSource: source.rawPublicKey(), bidUnits })));
    },
    bidUnitsMax: 100_000n,
    beginSpending: (cause, { units }) => {
      spent.push([cause, units]);
      return Promise.resolve();
    },
    clock,
    log,
    onRefused: (code) => void refused.push(code),
    onMeasured: (count) => void measured.push(count),
    ...given,
  });
  const submitted = (transaction: SubmittedTransaction, ...ledgers: readonly (number | undefined)[]): Promise<Submission[]> =>
    ledgers.reduce<Promise<Submission[]>>(
      async (earlier, ledger) => [...(await earlier), await feeBumps.submit(transaction, ledger)],
      Promise.resolve([]),
    );
  const stuckCount = async (): Promise<number | undefined> => {
    await feeBumps.job.run();
    return measured.at(-1);
  };
  return { feeBumps, bids, spent, refused, clock, log, inclusionFees, submitted, stuckCount };
}

describe('a fee bump', () => {
  it.each([
    ['payment', 300n],
    ['call', 5_000n],
  ] as const)('of a %s bids the current fee of its kind', async (kind, current) => {
    const { bids, submitted } = aBumper();
    expect(await submitted(openTransaction(kind), undefined)).toEqual([{ status: 'sent' }]);
    expect(bids).toEqual([current]);
  });

  it('bids no less than the transaction inside it', async () => {
    const { bids, submitted } = aBumper();
    await submitted(openTransaction('call', '7000'), undefined);
    expect(bids).toEqual([7_000n]);
  });

  it('bids the minimum of a network that returns no fees, which is read again only after a while', async () => {
    const { bids, submitted, inclusionFees } = aBumper({ fees: () => Promise.reject(new Error('no such method')) });
    await submitted(openTransaction('call'), undefined);
    await submitted(openTransaction('payment'), undefined);
    expect(bids).toEqual([100n, 100n]);
    expect(inclusionFees).toHaveBeenCalledTimes(1);
  });

  it('is the same for two ledgers, then bids ten times as much, up to the limit', async () => {
    const { bids, submitted } = aBumper();
    await submitted(openTransaction('call'), undefined, 10, 11, 12, 13, 14, 15, 16);
    expect(bids).toEqual([5_000n, 5_000n, 5_000n, 50_000n, 50_000n, 100_000n, 100_000n, 100_000n]);
  });

  it('begins anew with the next transaction of the same hash after the first one has ended', async () => {
    const { bids, submitted, feeBumps } = aBumper();
    const transaction = openTransaction('call');
    await submitted(transaction, undefined, 10, 12);
    expect(feeBumps.forget(transaction.hash)).toBe(false);
    await submitted(transaction, 20);
    expect(bids).toEqual([5_000n, 5_000n, 50_000n, 5_000n]);
  });

  it('is not submitted where the stored transaction cannot be parsed', async () => {
    const { bids, log, submitted } = aBumper();
    expect(
      await submitted({ ...openTransaction('payment'), decoded: decodeOnce('AAAA', networkPassphrase) }, undefined),
    ).toMatchObject([{ status: 'try-later' }]);
    expect(bids).toEqual([]);
    expect(log.lines).toMatchObject([{ level: 'error' }]);
  });

  it('is not submitted during an emergency stop, without an alarm', async () => {
    const signFeeBump = () => Promise.reject(new IntentPaused('the emergency stop is on', 1));
    const { log, submitted } = aBumper({ signFeeBump });
    const [submission] = await submitted(openTransaction('payment'), undefined);
    expect(submission).toMatchObject({ status: 'try-later', reason: expect.stringContaining('emergency stop') });
    expect(log.lines).toEqual([]);
  });
});

describe('a transaction that no ledger contains at the highest bid', () => {
  it('is stuck: counted and logged once, until it ends', async () => {
    const { feeBumps, log, submitted, stuckCount } = aBumper();
    const transaction = openTransaction('call');
    await submitted(transaction, undefined, 10, 12, 14);
    expect(await stuckCount()).toBe(0);
    await submitted(transaction, 16, 17, 18);
    expect(await stuckCount()).toBe(1);
    expect(log.lines).toMatchObject([{ level: 'warn', fields: { hash: transaction.hash, bidUnits: '100000' } }]);
    expect(feeBumps.forget(transaction.hash)).toBe(true);
    expect(await stuckCount()).toBe(0);
  });

  it('is not counted after its time bound, when another process may have ended it', async () => {
    const { clock, submitted, stuckCount } = aBumper();
    await submitted(openTransaction('call'), undefined, 10, 12, 14, 16);
    clock.advance(1_800_000_001_000 - clock.epochMs());
    expect(await stuckCount()).toBe(0);
  });
});

describe('a fee that the treasury cannot pay', () => {
  const refusal: Submission = { status: 'refused', resultCode: 'txInsufficientBalance' };

  it('is an alarm, is not raised, and lets further transactions wait', async () => {
    const { feeBumps, bids, refused, log, clock, submitted, stuckCount } = aBumper({ submissions: [refusal] });
    const transaction = openTransaction('call');
    await submitted(transaction, undefined, 10, 12, 14);
    expect(bids).toEqual([5_000n, 5_000n, 5_000n, 5_000n]);
    expect(refused).toContain('txInsufficientBalance');
    expect(log.lines[0]).toMatchObject({ level: 'error', fields: { hash: transaction.hash } });
    expect(await stuckCount()).toBe(1);
    expect(feeBumps.assertPayable).toThrow(IntentPaused);
    clock.advance(10_000);
    expect(feeBumps.assertPayable).not.toThrow();
    expect(feeBumps.forget(transaction.hash)).toBe(true);
  });

  it('does not delay others once one was paid again', async () => {
    const { submitted, stuckCount } = aBumper({ submissions: [refusal, { status: 'sent' }] });
    await submitted(openTransaction('call'), undefined, 10);
    expect(await stuckCount()).toBe(0);
  });
});

it('another refusal is counted, and the transaction stays open', async () => {
  const { feeBumps, refused, submitted } = aBumper({ submissions: [{ status: 'refused', resultCode: 'txBadSeq' }] });
  await submitted(openTransaction('payment'), undefined);
  expect(refused).toEqual(['txBadSeq']);
  expect(feeBumps.assertPayable).not.toThrow();
});

describe('the spending cap', () => {
  it('counts the highest fee of a transaction once, with its resources and every raise', async () => {
    const { bids, spent, submitted } = aBumper();
    const call = openTransaction('call');
    await submitted(call, undefined, 10, 12, 12);
    expect(bids).toEqual([5_000n, 5_000n, 50_000n, 50_000n]);
    expect(spent.map(([, units]) => units)).toEqual([2n * 5_000n + 9_000n, 2n * 45_000n]);
    expect(new Set(spent.map(([cause]) => cause)).size).toBe(2);
  });

  it('holds a transaction back when its fee would exceed it, and it does not end for another reason', async () => {
    const beginSpending = () => Promise.reject(new IntentPaused('the spending cap treasury XLM is reached', 10_000));
    const { bids, feeBumps, submitted } = aBumper({ beginSpending });
    const payment = openTransaction('payment');
    const reason = 'the spending cap treasury XLM is reached';
    expect(await submitted(payment, undefined)).toEqual([{ status: 'try-later', reason }]);
    expect(bids).toEqual([]);
    expect(feeBumps.assertPayable).toThrow(IntentPaused);
    expect(feeBumps.forget(payment.hash)).toBe(true);
  });
});
