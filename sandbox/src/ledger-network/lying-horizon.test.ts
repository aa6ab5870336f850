import { Asset, Keypair, Operation, TransactionBuilder, rpc } from '@stellar/stellar-sdk';
import { runSandbox, type RunningSandbox, type TestResponse } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
let server: rpc.Server;
let [alice, bob]: readonly [Keypair, Keypair] = [Keypair.random(), Keypair.random()];
let cursor: string;

beforeAll(async () => {
  sandbox = await runSandbox();
  server = new rpc.Server(sandbox.rpcUrl, { allowHttp: true });
});
beforeEach(async () => {
  [alice, bob] = [await sandbox.wallet(50), await sandbox.wallet(50)];
  const { body } = await sandbox.request('GET', `${sandbox.url}/operations?order=desc&limit=1`);
  cursor = body._embedded.records[0].paging_token;
});
afterEach(() => sandbox.control('DELETE', '/faults'));
afterAll(() => sandbox.close());

type Listed = { readonly id: string; readonly paging_token: string; readonly transaction_hash: string; readonly type: string };

const arm = (kind: string, more: object = {}) =>
  sandbox.control('POST', '/faults', { target: 'ledger-network', operation: 'history', kind, times: 1, ...more });
const invent = (more: object = {}) => arm('invented-payment', { address: bob.publicKey(), ...more });
const strikes = async (): Promise<unknown> => (await sandbox.control('GET', '/faults')).body[0].strikes;
const list = async (query: string, path = '/operations'): Promise<readonly Listed[]> => {
  const { body } = await sandbox.request('GET', `${sandbox.url}${path}?join=transactions&${query}`);
  return body._embedded.records;
};
const after = (path?: string) => list(`cursor=${cursor}`, path);
const submit = async (...operations: Parameters<RunningSandbox['transaction']>[1]): Promise<void> => {
  const transaction = await sandbox.transaction(alice, operations);
  await sandbox.horizon.submitTransaction(transaction, { skipMemoRequiredCheck: true });
};
const pay = (amount: string, destination = bob.publicKey()) => Operation.payment({ destination, asset: Asset.native(), amount });
const tokens = (records: readonly Listed[]): readonly bigint[] => records.map(({ paging_token }) => BigInt(paging_token));
const isAscending = (values: readonly bigint[]): boolean =>
  values.every((value, index) => index === 0 || value > (values[index - 1] ?? 0n));

describe('the fault invented-payment', () => {
  it('adds a payment of a stranger whose transaction is nowhere else', async () => {
    await submit(pay('1'), pay('2'));
    await submit(pay('3'));
    const honest = await after();
    await invent();

    const records = await after();

    const invented = records[2];
    if (invented === undefined) throw new Error('a record must have been invented');
    expect(records.filter((each) => each !== invented)).toEqual(honest);
    expect(isAscending([BigInt(cursor), ...tokens(records)])).toBe(true);
    const { transaction_hash: hash } = invented;
    expect(invented).toMatchObject({
      id: invented.paging_token,
      type: 'payment',
      type_i: 1,
      transaction_successful: true,
      from: expect.stringMatching(/^G/),
      to: bob.publicKey(),
      amount: '5000.0000000',
      asset_code: 'USDC',
      asset_issuer: sandbox.usdcIssuer,
      transaction: { hash, successful: true, operation_count: 1 },
    });
    expect(Object.keys(invented).sort()).toEqual(Object.keys({ ...honest[0], asset_code: '', asset_issuer: '' }).sort());
    const { envelope_xdr } = (invented as unknown as { transaction: { envelope_xdr: string } }).transaction;
    expect(TransactionBuilder.fromXDR(envelope_xdr, sandbox.networkPassphrase).hash().toString('hex')).toBe(hash);
    expect((await sandbox.request('GET', `${sandbox.url}/transactions/${hash}`)).status).toBe(404);
    expect((await server.getTransaction(hash)).status).toBe('NOT_FOUND');
    expect(await sandbox.balance(bob.publicKey())).toBe(50);
    expect([await after(), await strikes()]).toEqual([honest, 1]);
  });

  it('has the amount that was named, and also appears in lists of payments', async () => {
    await submit(pay('1'));
    for (const path of ['/payments', `/accounts/${bob.publicKey()}/payments`]) {
      await invent({ amount: '12.5' });
      expect(await after(path)).toMatchObject([{ amount: '1.0000000' }, { amount: '12.5000000', to: bob.publicKey() }]);
    }
  });

  it('swallows no real record, whatever the size of the pages', async () => {
    for (let count = 0; count < 4; count += 1) await submit(pay('1'), pay('2'), pay('3'));
    const honest = await list(`cursor=${cursor}&limit=200`);
    for (const limit of [1, 2, 3, 4, 5, 12, 13]) {
      await invent({ times: 3 });
      const read: Listed[] = [];
      for (let last = cursor, isEnd = false; !isEnd; last = read.at(-1)?.paging_token ?? last) {
        const page = await list(`cursor=${last}&limit=${limit}`);
        expect(page.length).toBeLessThanOrEqual(limit);
        read.push(...page);
        isEnd = page.length === 0 || read.length > honest.length + 3;
      }
      expect(isAscending(tokens(read))).toBe(true);
      const hashes = new Set(honest.map(({ transaction_hash }) => transaction_hash));
      expect(read.filter(({ transaction_hash }) => hashes.has(transaction_hash))).toEqual(honest);
      expect(read.length).toBeGreaterThan(honest.length);
      await sandbox.control('DELETE', '/faults');
    }
  });

  it('strikes an empty page, and real records follow', async () => {
    await submit(pay('1'));
    const [real] = await after();
    await invent();
    const [invented, ...others] = await list(`cursor=${real?.paging_token ?? ''}`);
    expect(others).toEqual([]);
    expect(BigInt(invented?.paging_token ?? 0)).toBeGreaterThan(BigInt(real?.paging_token ?? 0));
    await submit(pay('7'));
    expect(await list(`cursor=${invented?.paging_token ?? ''}`)).toMatchObject([{ amount: '7.0000000' }]);
  });

  it("strikes no list in which it could not be: other accounts' payments, the newest first, from now on", async () => {
    await submit(pay('1'));
    await invent();
    await after(`/accounts/${alice.publicKey()}/payments`);
    await list('order=desc&limit=2');
    expect([await list('cursor=now'), await strikes()]).toEqual([[], 0]);
  });
});

describe('the fault raised-amount', () => {
  it('shows one payment with ten times its amount, and everything else as it is', async () => {
    await submit(Operation.changeTrust({ asset: new Asset('EURC', sandbox.usdcIssuer) }), pay('1.5'), pay('2'));
    const honest = await after();
    await arm('raised-amount');
    expect(await after()).toEqual([honest[0], { ...honest[1], amount: '15.0000000' }, honest[2]]);
    expect([await after(), await strikes()]).toEqual([honest, 1]);
  });

  it('with an address, strikes a payment to it', async () => {
    await submit(pay('1', sandbox.faucetAddress), pay('2'));
    await arm('raised-amount', { address: bob.publicKey() });
    expect(await after()).toMatchObject([{ amount: '1.0000000' }, { amount: '20.0000000', to: bob.publicKey() }]);
  });

  it("strikes path payments, new accounts, transfers of a token's contract, and effects", async () => {
    const fresh = Keypair.random().publicKey();
    await submit(Operation.createAccount({ destination: fresh, startingBalance: '5' }));
    const operate = (type: string, asset: string) =>
      sandbox.control('POST', '/operations', { type, asset, address: bob.publicKey(), amount: 4 });
    await operate('path_payment_strict_send', 'USDC');
    await operate('contract_transfer', 'USDC');
    await operate('account_merge', 'XLM');
    const struck = async (type: string, path?: string): Promise<unknown> => {
      await arm('raised-amount', { address: bob.publicKey() });
      const records = await list(`cursor=${cursor}&limit=200`, path);
      return records.find((each) => each.type === type);
    };
    await arm('raised-amount', { address: fresh });
    expect(await after()).toContainEqual(expect.objectContaining({ account: fresh, starting_balance: '50.0000000' }));
    expect(await struck('path_payment_strict_send')).toMatchObject({ amount: '40.0000000', source_amount: '4.0000000' });
    const transfer = (await list(`cursor=${cursor}&limit=200`)).find(({ type }) => type === 'invoke_host_function');
    cursor = String(BigInt(transfer?.paging_token ?? 0) - 1n);
    expect(await struck('invoke_host_function')).toMatchObject({
      asset_balance_changes: [{ to: bob.publicKey(), amount: '40.0000000' }],
    });
    cursor = transfer?.paging_token ?? '';
    const merge = (await after()).find(({ type }) => type === 'account_merge');
    expect(await struck('account_credited', `/operations/${merge?.id ?? ''}/effects`)).toMatchObject({ amount: '40.0000000' });
  });

  it('is not used up by a list without a payment', async () => {
    await submit(Operation.changeTrust({ asset: new Asset('EURC', sandbox.usdcIssuer) }));
    await arm('raised-amount');
    await after();
    expect(await strikes()).toBe(0);
  });
});

describe('the fault other-network', () => {
  const root = (): Promise<TestResponse> => sandbox.request('GET', `${sandbox.url}/`);
  const passphrase = async (): Promise<unknown> => (await root()).body.network_passphrase;

  it("shows another passphrase in Horizon's root as often as it is set, and RPC stays honest", async () => {
    await arm('other-network', { operation: 'root' });
    expect((await server.getNetwork()).passphrase).toBe(sandbox.networkPassphrase);
    const shown = await passphrase();
    expect(shown).toMatch(/Network/);
    expect(shown).not.toBe(sandbox.networkPassphrase);
    expect([await passphrase(), await strikes()]).toEqual([sandbox.networkPassphrase, 1]);
  });

  it('is one of the faults that strike the root only', async () => {
    await arm('rate-limited', { operation: 'root' });
    await after();
    expect([(await root()).status, (await root()).status]).toEqual([429, 200]);
  });
});

describe('POST /_sandbox/faults with an address or an amount', () => {
  const contract = 'CAS3J7GYLGXMF6TDJBBYYSE3HQ6BBSMLNUQ34T6TZMYMW2EVH34XOWMA';

  it.each([
    ['an invented payment without an address', { kind: 'invented-payment' }],
    ['an invented payment to a contract', { kind: 'invented-payment', address: contract }],
    ['an invented payment of nothing', { kind: 'invented-payment', address: '', amount: 0 }],
    ['a raised amount with its amount', { kind: 'raised-amount', amount: 5 }],
    ['an address for another kind', { kind: 'unknown-operation', address: '' }],
    ['an amount for another kind', { kind: 'malformed', amount: 5 }],
    ['an address for the root', { kind: 'other-network', operation: 'root', address: '' }],
  ])('400 for %s', async (_what, { address, ...body }: { kind: string; address?: string }) => {
    const given = address === '' ? bob.publicKey() : address;
    expect((await arm(body.kind, { ...body, address: given })).status).toBe(400);
  });

  it('201 shows what was invented', async () => {
    const { status, body } = await invent({ amount: 7.5 });
    expect([status, body]).toEqual([201, expect.objectContaining({ address: bob.publicKey(), amount: '7.5000000' })]);
  });
});
