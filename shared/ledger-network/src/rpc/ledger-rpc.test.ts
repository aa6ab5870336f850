import { Account, Asset, Keypair, Networks, Operation, StrKey, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { toInstant } from '@holdfast/kernel/context';
import type { SoughtTransaction } from './ledger-rpc-port.js';
import { createLedgerRpc } from './ledger-rpc.js';
import { metaV4, transferEvent } from './testing/metadata.js';
import { startScriptedNode, type Scripted, type ScriptedNode } from '../testing/index.js';

const networkPassphrase: string = Networks.TESTNET;
const source = Keypair.random();
const maxTime = 1_800_000_000;
const built = new TransactionBuilder(new Account(source.publicKey(), '6'), { fee: '100', networkPassphrase })
  .addOperation(Operation.payment({ destination: source.publicKey(), asset: Asset.native(), amount: '1' }))
  .setTimebounds(0, maxTime)
  .build();
const hash = built.hash().toString('hex');
const sought: SoughtTransaction = {
  hash,
  validUntil: toInstant(maxTime * 1_000),
  firstLedger: 500,
  sourceAccount: source.publicKey(),
  sequence: 7n,
};
const transfer = {
  token: StrKey.encodeContract(Buffer.alloc(32, 1)),
  from: source.publicKey(),
  to: StrKey.encodeContract(Buffer.alloc(32, 2)),
  units: 25n,
};

/** A node that has the ledgers 400 to 600. The latest one closed before the upper time bound. */
const node = {
  latestLedger: 600,
  latestLedgerCloseTime: String(maxTime - 5),
  oldestLedger: 400,
  oldestLedgerCloseTime: String(maxTime - 2_000),
};
const afterBounds = { latestLedgerCloseTime: String(maxTime + 1) };
const found = {
  ledger: 555,
  createdAt: '1799999000',
  applicationOrder: 1,
  feeBump: false,
  envelopeXdr: built.toXDR(),
  resultMetaXdr: metaV4([transferEvent(transfer)]).toXDR('base64'),
};

function resultXdr(result: xdr.TransactionResultResult): string {
  const value = { feeCharged: xdr.Int64.fromString('100'), result, ext: new xdr.TransactionResultExt(0) };
  return new xdr.TransactionResult(value).toXDR('base64');
}

const innerResults = {
  success: xdr.InnerTransactionResultResult.txSuccess([]),
  txBadAuth: xdr.InnerTransactionResultResult.txBadAuth(),
  txBadSeq: xdr.InnerTransactionResultResult.txBadSeq(),
};

/** The result of a fee bump, with the result of the transaction inside. */
function feeBumpResultXdr(inner: keyof typeof innerResults): string {
  const ext = new xdr.InnerTransactionResultExt(0);
  const innerResult = { feeCharged: xdr.Int64.fromString('0'), result: innerResults[inner], ext };
  const pair = new xdr.InnerTransactionResultPair({
    transactionHash: built.hash(),
    result: new xdr.InnerTransactionResult(innerResult),
  });
  const results = xdr.TransactionResultResult;
  return resultXdr(inner === 'success' ? results.txFeeBumpInnerSuccess(pair) : results.txFeeBumpInnerFailed(pair));
}

const ofNetwork: Scripted = () => ({ result: { passphrase: networkPassphrase, protocolVersion: '23' } });
const transactionIs =
  (...responses: readonly object[]): Scripted =>
  () => {
    const [first = {}, ...rest] = responses;
    if (rest.length > 0) responses = rest;
    return { result: { ...node, txHash: hash, ...first } };
  };
const notFound = { status: 'NOT_FOUND' };

/** The source account with its last used sequence number, as a node read it at a ledger. */
function accountAt(latestLedger: number, sequence: string): Scripted {
  const entry = new xdr.AccountEntry({
    accountId: source.xdrAccountId(),
    balance: xdr.Int64.fromString('10'),
    seqNum: xdr.Int64.fromString(sequence),
    numSubEntries: 0,
    inflationDest: null,
    flags: 0,
    homeDomain: '',
    thresholds: Buffer.alloc(4),
    signers: [],
    ext: new xdr.AccountEntryExt(0),
  });
  const key = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: source.xdrAccountId() })).toXDR('base64');
  return () => ({
    result: {
      latestLedger,
      entries: [{ key, xdr: xdr.LedgerEntryData.account(entry).toXDR('base64'), lastModifiedLedgerSeq: 1 }],
    },
  });
}

let opened: ScriptedNode | undefined;
let close: (() => Promise<void>) | undefined;

async function rpcWith(methods: Readonly<Record<string, Scripted>>) {
  opened = await startScriptedNode({ getNetwork: ofNetwork, ...methods });
  const rpc = createLedgerRpc({ url: opened.url, networkPassphrase, usdcIssuer: Keypair.random().publicKey() });
  close = rpc.close;
  return rpc;
}

afterEach(async () => {
  await close?.();
  await opened?.close();
});

describe('the evidence of a transaction', () => {
  const cases = [
    {
      is: 'landed with its transfers',
      response: { ...found, status: 'SUCCESS', resultXdr: resultXdr(xdr.TransactionResultResult.txSuccess([])) },
      evidence: { status: 'landed', ledger: 555, transfers: [transfer] },
    },
    {
      is: 'failed',
      response: { ...found, status: 'FAILED', resultXdr: resultXdr(xdr.TransactionResultResult.txFailed([])) },
      evidence: { status: 'failed', ledger: 555, reason: 'the transaction failed on the ledger network: txFailed' },
    },
    {
      is: 'landed inside a fee bump',
      response: { ...found, feeBump: true, status: 'SUCCESS', resultXdr: feeBumpResultXdr('success') },
      evidence: { status: 'landed', ledger: 555, transfers: [transfer] },
    },
    {
      is: 'failed inside a fee bump, for the reason of the transaction inside',
      response: { ...found, feeBump: true, status: 'FAILED', resultXdr: feeBumpResultXdr('txBadAuth') },
      evidence: { status: 'failed', ledger: 555, reason: 'the transaction failed on the ledger network: txBadAuth' },
    },
    { is: 'pending before the upper time bound', response: notFound, evidence: { status: 'pending', latestLedger: 600 } },
    {
      is: 'pending at the upper time bound, because a ledger of exactly this time may contain it',
      response: { ...notFound, latestLedgerCloseTime: String(maxTime) },
      evidence: { status: 'pending', latestLedger: 600 },
    },
    { is: 'never after the upper time bound', response: { ...notFound, ...afterBounds }, evidence: { status: 'never' } },
    {
      is: 'never by a node that writes times as numbers',
      response: { ...notFound, latestLedgerCloseTime: maxTime + 1 },
      evidence: { status: 'never' },
    },
    {
      is: 'never by a node whose history begins with the first possible ledger',
      response: { ...notFound, ...afterBounds, oldestLedger: 500 },
      evidence: { status: 'never' },
    },
  ];

  it.each(cases)('is $is', async ({ response, evidence }) => {
    const rpc = await rpcWith({ getTransaction: transactionIs(response) });
    expect(await rpc.evidenceOf(sought)).toEqual(evidence);
    expect(opened?.calls).toEqual(['getNetwork', 'getTransaction']);
  });

  it.each([
    ['an error of the node', () => ({ error: { code: -32603, message: 'internal error' } })],
    ['a response without its ledgers', transactionIs({ ...notFound, oldestLedger: undefined })],
    ['a status that does not exist', transactionIs({ status: 'LOST' })],
    ['metadata that cannot be decoded', transactionIs({ ...found, status: 'SUCCESS', resultMetaXdr: 'AAAA' })],
    ['a failure without its result', transactionIs({ ...found, status: 'FAILED' })],
  ] satisfies readonly (readonly [string, Scripted])[])('is unavailable after %s', async (_, getTransaction) => {
    const rpc = await rpcWith({ getTransaction });
    await expect(rpc.evidenceOf(sought)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('is unavailable from a node of another network', async () => {
    const getNetwork: Scripted = () => ({ result: { passphrase: Networks.PUBLIC, protocolVersion: '23' } });
    const rpc = await rpcWith({ getNetwork, getTransaction: transactionIs(notFound) });
    await expect(rpc.evidenceOf(sought)).rejects.toMatchObject({ name: 'WrongNetwork', code: 'SERVICE_UNAVAILABLE' });
    expect(await rpc.submit(built.toXDR())).toMatchObject({ status: 'try-later' });
  });
});

describe('the evidence of a transaction in ledgers that the node has forgotten', () => {
  const forgotten = { ...notFound, ...afterBounds, oldestLedger: 501 };

  it.each([
    { is: 'never while its sequence number is not used', account: accountAt(600, '6'), evidence: { status: 'never' } },
    {
      is: 'forgotten once its number is used: it may have landed',
      account: accountAt(600, '7'),
      evidence: { status: 'pending', latestLedger: 600, isForgotten: true },
    },
    {
      is: 'pending by a node that is behind',
      account: accountAt(599, '6'),
      evidence: { status: 'pending', latestLedger: 600 },
    },
  ])('is $is', async ({ account, evidence }) => {
    const rpc = await rpcWith({ getLedgerEntries: account, getTransaction: transactionIs(forgotten) });
    expect(await rpc.evidenceOf(sought)).toEqual(evidence);
    expect(opened?.calls).toEqual(['getNetwork', 'getTransaction', 'getLedgerEntries']);
  });
});

describe('the evidence of an overtaken transaction', () => {
  it.each([
    { is: 'never once its sequence number is used', account: accountAt(600, '7'), response: notFound, status: 'never' },
    { is: 'never once a later number is used', account: accountAt(600, '9'), response: notFound, status: 'never' },
    { is: 'pending while its number is not used', account: accountAt(600, '6'), response: notFound, status: 'pending' },
    { is: 'pending by a node that is behind', account: accountAt(601, '7'), response: notFound, status: 'pending' },
    {
      is: 'pending where the history begins later',
      account: accountAt(600, '7'),
      response: { ...notFound, oldestLedger: 501 },
      status: 'pending',
    },
    {
      is: 'landed if it used the number itself',
      account: accountAt(600, '7'),
      response: { ...found, status: 'SUCCESS', resultXdr: resultXdr(xdr.TransactionResultResult.txSuccess([])) },
      status: 'landed',
    },
  ])('is $is', async ({ account, response, status }) => {
    const rpc = await rpcWith({ getLedgerEntries: account, getTransaction: transactionIs(response) });
    expect(await rpc.evidenceOfOvertaken(sought)).toMatchObject({ status });
    expect(opened?.calls).toEqual(['getNetwork', 'getLedgerEntries', 'getTransaction']);
  });

  it('is pending without the account', async () => {
    const getLedgerEntries: Scripted = () => ({ result: { latestLedger: 600, entries: [] } });
    const rpc = await rpcWith({ getLedgerEntries, getTransaction: transactionIs(notFound) });
    expect(await rpc.evidenceOfOvertaken(sought)).toEqual({ status: 'pending', latestLedger: 600 });
  });
});

describe('a submission', () => {
  const response = { hash, latestLedger: 600, latestLedgerCloseTime: '1799999000' };
  const errorResultXdr = resultXdr(xdr.TransactionResultResult.txBadSeq());

  it.each([
    [{ status: 'PENDING' }, { status: 'sent' }],
    [{ status: 'DUPLICATE' }, { status: 'sent' }],
    [{ status: 'TRY_AGAIN_LATER' }, { status: 'try-later', reason: 'TRY_AGAIN_LATER' }],
    [
      { status: 'ERROR', errorResultXdr },
      { status: 'refused', resultCode: 'txBadSeq' },
    ],
    [
      { status: 'ERROR', errorResultXdr: feeBumpResultXdr('txBadSeq') },
      { status: 'refused', resultCode: 'txBadSeq' },
    ],
    [
      { status: 'ERROR', errorResultXdr: resultXdr(xdr.TransactionResultResult.txInsufficientBalance()) },
      { status: 'refused', resultCode: 'txInsufficientBalance' },
    ],
  ])('%j is %j', async (given, submission) => {
    const rpc = await rpcWith({ sendTransaction: () => ({ result: { ...response, ...given } }) });
    expect(await rpc.submit(built.toXDR())).toEqual(submission);
  });

  it('to a node that fails may be repeated', async () => {
    const rpc = await rpcWith({ sendTransaction: () => ({ error: { code: -32603, message: 'internal error' } }) });
    expect(await rpc.submit(built.toXDR())).toMatchObject({ status: 'try-later' });
  });
});

describe('the closed ledger', () => {
  it('is the highest that any response has named', async () => {
    const getTransaction = transactionIs({ ...notFound, latestLedger: 620 }, { ...notFound, latestLedger: 610 });
    const rpc = await rpcWith({ getTransaction });
    await rpc.evidenceOf(sought);
    await rpc.evidenceOf(sought);
    expect(await rpc.closedLedger()).toBe(620);
  });

  it('is read once', async () => {
    const getHealth: Scripted = () => ({
      result: { status: 'healthy', latestLedger: 600, oldestLedger: 1, ledgerRetentionWindow: 1 },
    });
    const rpc = await rpcWith({ getHealth });
    expect([await rpc.closedLedger(), await rpc.closedLedger()]).toEqual([600, 600]);
    expect(opened?.calls).toEqual(['getNetwork', 'getHealth']);
  });

  it('is read again where it must be newer, and once for several callers', async () => {
    const getHealth: Scripted = () => ({
      result: { status: 'healthy', latestLedger: 600, oldestLedger: 1, ledgerRetentionWindow: 1 },
    });
    const rpc = await rpcWith({ getHealth });
    await rpc.closedLedger();
    expect(await Promise.all([rpc.closedLedger(0), rpc.closedLedger(0)])).toEqual([600, 600]);
    expect(opened?.calls).toEqual(['getNetwork', 'getHealth', 'getHealth']);
  });
});
