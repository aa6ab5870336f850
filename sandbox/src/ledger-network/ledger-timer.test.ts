import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Asset, Keypair, Operation, rpc, type FeeBumpTransaction, type Transaction, type xdr } from '@stellar/stellar-sdk';
import { manualClock } from '@holdfast/testing/clock';
import { eventually } from '@holdfast/testing/eventually';
import { feeBumpOf } from '../testing/fee-bumps.js';
import { complete, createParties, fundedEscrow } from '../testing/parties.js';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';

/** Long enough that several calls fit into one ledger. The tests themselves do not depend on it. */
const ledgerMs = 150;

let sandbox: RunningSandbox;
let server: rpc.Server;
beforeAll(async () => {
  sandbox = await runSandbox({ ledgerMs });
  server = new rpc.Server(sandbox.rpcUrl, { allowHttp: true });
});
afterAll(() => sandbox.close());

type Sent = Transaction | FeeBumpTransaction;
const hashOf = (transaction: Sent): string => transaction.hash().toString('hex');
const pay = (amount = '1'): xdr.Operation =>
  Operation.payment({ destination: sandbox.faucetAddress, amount, asset: Asset.native() });
const newest = async (): Promise<number> => (await server.getLatestLedger()).sequence;
const statusOf = async (transaction: Sent): Promise<string> => (await server.getTransaction(hashOf(transaction))).status;
const minimumBid = (bid: number) => sandbox.control('POST', '/fees', { minimumBid: bid });

async function funded(): Promise<Keypair> {
  const key = Keypair.random();
  await sandbox.control('POST', '/faucet', { address: key.publicKey(), asset: 'XLM', amount: 1_000 });
  return key;
}

async function postForm(route: string, transaction: Sent): Promise<{ readonly status: number; readonly body: unknown }> {
  const body = new URLSearchParams({ tx: transaction.toXDR() });
  const response = await fetch(`${sandbox.horizonUrl}${route}`, { method: 'POST', body });
  return { status: response.status, body: await response.json() };
}

/** While nothing gets into a ledger, what a test sees of the pool does not depend on time. */
async function whileNothingLands<Result>(run: () => Promise<Result>): Promise<Result> {
  await minimumBid(1_000_000);
  try {
    return await run();
  } finally {
    await minimumBid(100);
  }
}

describe('ledgers on a timer', () => {
  it('close without transactions, also when there are no reads', async () => {
    const first = await newest();
    await eventually(async () => expect(await newest()).toBeGreaterThan(first + 2));
  });

  it('contain several transactions, in the order of their paging tokens', async () => {
    const keys = await Promise.all(Array.from({ length: 4 }, funded));
    const sent = await Promise.all(keys.map((key) => sandbox.transaction(key, [pay(), pay('2')])));
    await whileNothingLands(async () => {
      for (const each of sent) expect((await server.sendTransaction(each)).status).toBe('PENDING');
    });
    await eventually(async () => expect(await Promise.all(sent.map(statusOf))).toEqual(sent.map(() => 'SUCCESS')));

    const found = await Promise.all(sent.map((each) => server.getTransaction(hashOf(each))));
    expect(new Set(found.map((each) => 'ledger' in each && each.ledger)).size).toBe(1);
    expect(found.map((each) => 'applicationOrder' in each && each.applicationOrder)).toEqual([1, 2, 3, 4]);
    const operations = await Promise.all(sent.map((each) => sandbox.horizon.operations().forTransaction(hashOf(each)).call()));
    const tokens = operations.flatMap(({ records }) => records.map(({ paging_token: token }) => BigInt(token)));
    expect(new Set(tokens).size).toBe(8);
    expect(tokens.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(tokens);
    const cursor = String((tokens[2] ?? 0n) - 1n);
    const page = await sandbox.horizon.operations().cursor(cursor).order('asc').limit(6).call();
    expect(page.records.map(({ paging_token: token }) => BigInt(token))).toEqual(tokens.slice(2));
  });

  it('conserve the native asset with several transactions in one ledger', async () => {
    const total = async (): Promise<bigint> => {
      const { body } = await sandbox.control('GET', '/state');
      const accounts = body.accounts as { balances: { XLM: string } }[];
      const units = (text: string): bigint => BigInt(text.replace('.', ''));
      return accounts.reduce((sum, { balances }) => sum + units(balances.XLM), units(body.network.feePool));
    };
    const before = await total();
    const keys = await Promise.all(Array.from({ length: 3 }, funded));
    await Promise.all(keys.map(async (key) => postForm('/transactions', await sandbox.transaction(key, [pay()]))));
    expect(await total()).toBe(before);
  });
});

describe('a transaction that waits for its ledger', () => {
  it('PENDING, DUPLICATE and TRY_AGAIN_LATER of sendTransaction; NOT_FOUND and no change until the ledger', async () => {
    const alice = await funded();
    const first = await sandbox.transaction(alice, [pay()]);
    const other = await sandbox.transaction(alice, [pay('2')]);
    const next = await sandbox.transaction(alice, [pay()], { sequence: first.sequence });
    const before = await sandbox.horizon.loadAccount(alice.publicKey());
    await whileNothingLands(async () => {
      const pending = await server.sendTransaction(first);
      expect(pending).toMatchObject({ status: 'PENDING', hash: hashOf(first) });
      expect((await server.sendTransaction(first)).status).toBe('DUPLICATE');
      expect((await server.sendTransaction(other)).status).toBe('TRY_AGAIN_LATER');
      expect((await server.sendTransaction(next)).status).toBe('TRY_AGAIN_LATER');
      await eventually(async () => expect(await newest()).toBeGreaterThan(pending.latestLedger + 1));
      expect(await statusOf(first)).toBe('NOT_FOUND');
      const after = await sandbox.horizon.loadAccount(alice.publicKey());
      expect([after.sequence, after.balances]).toEqual([before.sequence, before.balances]);
      const { records } = await sandbox.horizon.transactions().forAccount(alice.publicKey()).call();
      expect(records.filter(({ source_account: source }) => source === alice.publicKey())).toEqual([]);
    });
    await eventually(async () => expect(await statusOf(first)).toBe('SUCCESS'));
    expect((await server.sendTransaction(first)).errorResult?.result().switch().name).toBe('txBadSeq');
    expect((await server.sendTransaction(next)).status).toBe('PENDING');
  });

  it('201, 409, 503 and 400 of /transactions_async', async () => {
    const alice = await funded();
    const first = await sandbox.transaction(alice, [pay()]);
    const other = await sandbox.transaction(alice, [pay('2')]);
    await whileNothingLands(async () => {
      const pending = { tx_status: 'PENDING', hash: hashOf(first) };
      expect(await postForm('/transactions_async', first)).toEqual({ status: 201, body: pending });
      expect(await postForm('/transactions_async', first)).toMatchObject({ status: 409, body: { tx_status: 'DUPLICATE' } });
      expect(await postForm('/transactions_async', other)).toMatchObject({ status: 503, body: { tx_status: 'TRY_AGAIN_LATER' } });
      expect(await postForm('/transactions', other)).toMatchObject({ status: 503 });
    });
    await eventually(async () => expect(await statusOf(first)).toBe('SUCCESS'));
    const refused = { status: 400, body: { tx_status: 'ERROR', error_result_xdr: expect.any(String) } };
    expect(await postForm('/transactions_async', other)).toMatchObject(refused);
  });

  it('200 of POST /transactions after the ledger, also for a second call while it waits', async () => {
    const alice = await funded();
    const transaction = await sandbox.transaction(alice, [pay()]);
    const before = await newest();
    const responses = await Promise.all([postForm('/transactions', transaction), postForm('/transactions', transaction)]);
    for (const { status, body } of responses) {
      expect(status).toBe(200);
      expect((body as { ledger: number }).ledger).toBeGreaterThan(before);
    }
  });

  it('504 with its hash of POST /transactions when it is in none of the next ledgers', async () => {
    const alice = await funded();
    const transaction = await sandbox.transaction(alice, [pay()]);
    await whileNothingLands(async () => {
      const timeout = { status: 504, body: { title: 'Transaction Submission Timeout', extras: { hash: hashOf(transaction) } } };
      expect(await postForm('/transactions', transaction)).toMatchObject(timeout);
    });
    await eventually(async () => expect(await statusOf(transaction)).toBe('SUCCESS'));
  });

  it('is dropped when it expires, and never lands', async () => {
    const clock = manualClock();
    const slow = await runSandbox({ ledgerMs, clock });
    const slowServer = new rpc.Server(slow.rpcUrl, { allowHttp: true });
    try {
      await slow.control('POST', '/fees', { minimumBid: 5_000 });
      const [alice, maxTime] = [Keypair.random(), Math.floor(clock.epochMs() / 1_000) + 30];
      await slow.control('POST', '/faucet', { address: alice.publicKey(), asset: 'XLM', amount: 1_000 });
      const transaction = await slow.transaction(alice, [pay()], { maxTime });
      expect((await slowServer.sendTransaction(transaction)).status).toBe('PENDING');
      clock.advance(31_000);
      await eventually(async () => expect(Number((await slowServer.getLatestLedger()).closeTime)).toBeGreaterThan(maxTime));

      await slow.control('POST', '/fees', { minimumBid: 100 });
      expect((await slowServer.sendTransaction(transaction)).errorResult?.result().switch().name).toBe('txTooLate');
      const codes = { response: { data: { extras: { result_codes: { transaction: 'tx_too_late' } } } } };
      await expect(slow.horizon.submitTransaction(transaction)).rejects.toMatchObject(codes);
      expect((await slowServer.getTransaction(hashOf(transaction))).status).toBe('NOT_FOUND');
      const after = await slow.horizon.loadAccount(alice.publicKey());
      expect(after.sequence).toBe(String(BigInt(transaction.sequence) - 1n));
    } finally {
      await slow.close();
    }
  });
});

describe('the escrow provider', () => {
  it('waits for the ledger in send-transaction and returns the contract of a deployment', async () => {
    const parties = await createParties(sandbox);
    const contractId = await fundedEscrow(sandbox, parties);
    expect(contractId).toMatch(/^C/);
    expect(await complete(sandbox, parties, contractId)).toMatchObject({ status: 200 });
  });
});

describe('a fee bump of a pending transaction', () => {
  it('replaces it with ten times the bid, and is refused with txInsufficientFee below', async () => {
    const [alice, payer] = [await funded(), await funded()];
    const inner = await sandbox.transaction(alice, [pay()]);
    const [low, high, higher] = ['9000', '10000', '100000'].map((bid) => feeBumpOf(sandbox, payer, inner, bid));
    if (low === undefined || high === undefined || higher === undefined) throw new Error('three fee bumps were made');
    await minimumBid(5_000);
    try {
      expect((await server.sendTransaction(inner)).status).toBe('PENDING');
      const refused = await server.sendTransaction(low);
      expect(refused.errorResult?.result().switch().name).toBe('txInsufficientFee');
      expect(refused.errorResult?.feeCharged().toString()).toBe('20000');
      await minimumBid(50_000);
      expect((await server.sendTransaction(high)).status).toBe('PENDING');
      expect((await server.sendTransaction(high)).status).toBe('DUPLICATE');
      expect((await server.sendTransaction(inner)).status).toBe('DUPLICATE');
      expect((await server.sendTransaction(higher)).status).toBe('PENDING');
      await eventually(async () => expect(await statusOf(inner)).toBe('SUCCESS'));
      expect([await statusOf(higher), await statusOf(high)]).toEqual(['SUCCESS', 'NOT_FOUND']);
    } finally {
      await minimumBid(100);
    }
    // The ledger's lowest bid is charged, for the operation and for the fee bump.
    const record = await sandbox.horizon.transactions().transaction(hashOf(inner)).call();
    expect(record).toMatchObject({ fee_account: payer.publicKey(), fee_charged: '100000', max_fee: '200000' });
  });
});

describe('a restart', () => {
  it('loses what is pending and keeps every ledger that has closed', async () => {
    const dataFolder = await mkdtemp(path.join(tmpdir(), 'sandbox-'));
    try {
      const first = await runSandbox({ ledgerMs, dataFolder });
      const wallet = await first.wallet();
      const payment = [Operation.payment({ destination: first.faucetAddress, amount: '1', asset: Asset.native() })];
      const landed = await first.transaction(wallet, payment);
      await first.horizon.submitTransaction(landed);
      await first.control('POST', '/fees', { minimumBid: 1_000_000 });
      const pending = await first.transaction(wallet, payment);
      const firstServer = new rpc.Server(first.rpcUrl, { allowHttp: true });
      expect((await firstServer.sendTransaction(pending)).status).toBe('PENDING');
      const waiting = first.horizon.submitTransaction(pending).catch((error: unknown) => error);
      const { sequence } = await firstServer.getLatestLedger();
      await first.close();
      expect(await waiting).toBeInstanceOf(Error);

      const second = await runSandbox({ ledgerMs, dataFolder });
      const secondServer = new rpc.Server(second.rpcUrl, { allowHttp: true });
      expect((await secondServer.getLatestLedger()).sequence).toBeGreaterThanOrEqual(sequence);
      expect((await secondServer.getTransaction(hashOf(landed))).status).toBe('SUCCESS');
      expect((await secondServer.getTransaction(hashOf(pending))).status).toBe('NOT_FOUND');
      expect(await second.horizon.submitTransaction(pending)).toMatchObject({ successful: true });
      await second.close();
    } finally {
      await rm(dataFolder, { recursive: true, force: true });
    }
  });
});
