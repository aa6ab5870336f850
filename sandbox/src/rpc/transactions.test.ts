import { Asset, Keypair, Operation, rpc, type xdr } from '@stellar/stellar-sdk';
import { manualClock } from '@holdfast/testing/clock';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
let server: rpc.Server;
beforeAll(async () => {
  sandbox = await runSandbox();
  server = new rpc.Server(sandbox.rpcUrl, { allowHttp: true });
});
afterAll(() => sandbox.close());
afterEach(() => sandbox.control('DELETE', '/faults'));

const pay = (to: string, amount: string): xdr.Operation => Operation.payment({ destination: to, amount, asset: Asset.native() });

/** Times are texts, although the SDK's types say numbers. */
const seconds = (time: unknown): number => {
  expect(typeof time).toBe('string');
  return Number(time);
};

async function sentCode(...given: Parameters<RunningSandbox['transaction']>): Promise<string | undefined> {
  const sent = await server.sendTransaction(await sandbox.transaction(...given));
  expect(sent.status).toBe('ERROR');
  return sent.errorResult?.result().switch().name;
}

describe('ledgers through the SDK', () => {
  it('returns health, network, latest ledger and fees', async () => {
    const ledger = await server.getLatestLedger();
    expect(ledger.headerXdr.ledgerSeq()).toBe(ledger.sequence);
    expect(ledger.metadataXdr.v0().ledgerHeader().header().scpValue().closeTime().toString()).toBe(ledger.closeTime);
    const health = await server.getHealth();
    expect(health).toMatchObject({ status: 'healthy', oldestLedger: 1 });
    expect(health.latestLedger).toBeGreaterThanOrEqual(ledger.sequence);
    expect(await server.getNetwork()).toEqual({ passphrase: sandbox.networkPassphrase, protocolVersion: 23 });
    expect(await server.getFeeStats()).toMatchObject({ sorobanInclusionFee: { p99: '100' }, inclusionFee: { max: '100' } });
  });
});

describe('sendTransaction and getTransaction through the SDK', () => {
  it('PENDING for a valid transaction, which is then found as SUCCESS', async () => {
    const [alice, bob] = [await sandbox.wallet(), await sandbox.wallet()];
    const transaction = await sandbox.transaction(alice, [pay(bob.publicKey(), '1')]);
    const sent = await server.sendTransaction(transaction);
    expect(sent).toMatchObject({ status: 'PENDING', hash: transaction.hash().toString('hex') });

    const found = await server.getTransaction(sent.hash);
    if (found.status !== rpc.Api.GetTransactionStatus.SUCCESS) throw new Error(`the transaction is ${found.status}`);
    expect(found).toMatchObject({ txHash: sent.hash, oldestLedger: 1, feeBump: false });
    expect(found.latestLedger).toBeGreaterThanOrEqual(found.ledger);
    expect(seconds(found.latestLedgerCloseTime)).toBeGreaterThanOrEqual(seconds(found.createdAt));
    expect(found.envelopeXdr.toXDR('base64')).toBe(transaction.toXDR());
    expect(found.resultXdr.result().switch().name).toBe('txSuccess');
    expect(found.resultMetaXdr.v4().operations()).toHaveLength(1);
  });

  it('PENDING for a valid transaction that fails, which is then found as FAILED', async () => {
    const alice = await sandbox.wallet();
    const transaction = await sandbox.transaction(alice, [pay(Keypair.random().publicKey(), '1')]);
    const sent = await server.sendTransaction(transaction);
    expect(sent.status).toBe('PENDING');

    const found = await server.getTransaction(sent.hash);
    if (found.status !== rpc.Api.GetTransactionStatus.FAILED) throw new Error(`the transaction is ${found.status}`);
    expect(found.resultXdr.result().results()[0]?.tr().paymentResult().switch().name).toBe('paymentNoDestination');
    expect(found.resultMetaXdr.v4().operations()).toEqual([]);
  });

  it('ERROR txBadSeq for a transaction that has landed, successful or failed', async () => {
    const alice = await sandbox.wallet();
    for (const destination of [sandbox.faucetAddress, Keypair.random().publicKey()]) {
      const transaction = await sandbox.transaction(alice, [pay(destination, '1')]);
      expect((await server.sendTransaction(transaction)).status).toBe('PENDING');
      const repeated = await server.sendTransaction(transaction);
      expect(repeated.status).toBe('ERROR');
      expect(repeated.errorResult?.result().switch().name).toBe('txBadSeq');
    }
  });

  it('ERROR with the code of each invalid transaction, which leaves no trace', async () => {
    const alice = await sandbox.wallet();
    const one = [pay(sandbox.faucetAddress, '1')];
    expect(await sentCode(alice, one, { sequence: '7' })).toBe('txBadSeq');
    expect(await sentCode(alice, one, { maxTime: 1_000 })).toBe('txTooLate');
    expect(await sentCode(alice, one, { fee: '99' })).toBe('txInsufficientFee');
    expect(await sentCode(Keypair.random(), one, { sequence: '7' })).toBe('txNoAccount');
    const unsigned = await sandbox.transaction(alice, one);
    unsigned.signatures.length = 0;
    const sent = await server.sendTransaction(unsigned);
    expect(sent.errorResult?.result().switch().name).toBe('txBadAuth');
    expect((await server.getTransaction(sent.hash)).status).toBe('NOT_FOUND');
  });

  it('NOT_FOUND proves that an expired transaction never lands', async () => {
    const clock = manualClock();
    const later = await runSandbox({ clock });
    try {
      const alice = await later.wallet();
      const maxTime = Math.floor(clock.epochMs() / 1_000) + 30;
      const transaction = await later.transaction(alice, [pay(later.faucetAddress, '1')], { maxTime });
      const hash = transaction.hash().toString('hex');
      const laterServer = new rpc.Server(later.rpcUrl, { allowHttp: true });
      const before = await laterServer.getTransaction(hash);
      expect(seconds(before.latestLedgerCloseTime)).toBeLessThanOrEqual(maxTime);
      clock.advance(31_000);

      const missing = await laterServer.getTransaction(hash);
      expect(missing).toMatchObject({ status: 'NOT_FOUND', oldestLedger: 1 });
      expect(seconds(missing.latestLedgerCloseTime)).toBeGreaterThan(maxTime);
      expect(missing.latestLedger).toBe(before.latestLedger + 1);
      expect((await laterServer.sendTransaction(transaction)).status).toBe('ERROR');
    } finally {
      await later.close();
    }
  });
});

describe('JSON-RPC', () => {
  const post = async (body: string): Promise<unknown> => {
    const response = await fetch(sandbox.rpcUrl, { method: 'POST', body });
    expect(response.status).toBe(200);
    return response.json();
  };
  const call = (method: unknown, params?: unknown): Promise<unknown> =>
    post(JSON.stringify({ jsonrpc: '2.0', id: 'a', method, params }));

  it.each([
    [-32700, 'no JSON', '{"jsonrpc":'],
    [-32700, 'an empty body', ''],
    [-32600, 'a batch', '[{"jsonrpc":"2.0","id":1,"method":"getHealth"}]'],
    [-32600, 'no id', '{"jsonrpc":"2.0","method":"getHealth"}'],
    [-32600, 'another version', '{"jsonrpc":"1.0","id":1,"method":"getHealth"}'],
    [-32601, 'an unknown method', '{"jsonrpc":"2.0","id":1,"method":"getMoney"}'],
    [-32601, 'a method of all objects', '{"jsonrpc":"2.0","id":1,"method":"constructor"}'],
  ])('%s for %s', async (code, _name, body) => {
    expect(await post(body)).toMatchObject({ jsonrpc: '2.0', id: code === -32_601 ? 1 : null, error: { code } });
  });

  it('-32602 for parameters of another shape', async () => {
    for (const [method, params] of [
      ['getTransaction', { hash: 'abc' }],
      ['getTransaction', undefined],
      ['getTransaction', ['0'.repeat(64)]],
      ['sendTransaction', { transaction: 'AAAA' }],
      ['sendTransaction', { transaction: 5 }],
    ] as const) {
      expect(await call(method, params)).toMatchObject({ id: 'a', error: { code: -32_602 } });
    }
  });

  it('413 for a body above the limit', async () => {
    const response = await fetch(sandbox.rpcUrl, { method: 'POST', body: ' '.repeat(300 * 1024) });
    expect(response.status).toBe(413);
  });
});

describe('faults of the ledger network', () => {
  const setFault = (operation: string, kind: string) =>
    sandbox.control('POST', '/faults', { target: 'ledger-network', operation, kind });
  const statusOf = async (call: Promise<unknown>): Promise<unknown> => {
    try {
      await call;
      return 200;
    } catch (error) {
      return (error as { response?: { status: number } }).response?.status;
    }
  };

  it('500 and 429 of reads', async () => {
    await setFault('read', 'error-before-effect');
    expect(await statusOf(server.getHealth())).toBe(500);
    await sandbox.control('DELETE', '/faults');
    await setFault('read', 'rate-limited');
    expect(await statusOf(server.getTransaction('0'.repeat(64)))).toBe(429);
  });

  it('500 without an effect and 504 after the effect of sendTransaction', async () => {
    const alice = await sandbox.wallet();
    const transaction = await sandbox.transaction(alice, [pay(sandbox.faucetAddress, '1')]);
    const hash = transaction.hash().toString('hex');
    await setFault('submit', 'error-before-effect');
    expect(await statusOf(server.sendTransaction(transaction))).toBe(500);
    expect((await server.getTransaction(hash)).status).toBe('NOT_FOUND');
    await sandbox.control('DELETE', '/faults');

    await setFault('submit', 'error-after-effect');
    expect(await statusOf(server.sendTransaction(transaction))).toBe(504);
    expect((await server.getTransaction(hash)).status).toBe('SUCCESS');
    expect((await server.sendTransaction(transaction)).status).toBe('ERROR');
  });
});
