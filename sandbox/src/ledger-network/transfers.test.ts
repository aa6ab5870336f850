import { Account, Asset, Claimant, Keypair, MuxedAccount, Operation, rpc, type xdr } from '@stellar/stellar-sdk';
import { parseUnits } from '../domain/units.js';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await runSandbox();
});
afterAll(() => sandbox.close());

const usdc = (): Asset => new Asset('USDC', sandbox.usdcIssuer);
const usdcFields = () => ({ asset_type: 'credit_alphanum4', asset_code: 'USDC', asset_issuer: sandbox.usdcIssuer });
const muxedOf = (key: Keypair, id: string): string => new MuxedAccount(new Account(key.publicKey(), '0'), id).accountId();

async function land(key: Keypair, ...operations: readonly xdr.Operation[]): Promise<string> {
  const transaction = await sandbox.transaction(key, operations);
  await sandbox.horizon.submitTransaction(transaction, { skipMemoRequiredCheck: true });
  return transaction.hash().toString('hex');
}

async function refusal(key: Keypair, operation: xdr.Operation): Promise<unknown> {
  const transaction = await sandbox.transaction(key, [operation]);
  const url = `${sandbox.url}/transactions`;
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ tx: transaction.toXDR() }) });
  const body = (await response.json()) as { readonly extras?: { readonly result_codes?: { readonly operations?: unknown } } };
  return body.extras?.result_codes?.operations;
}

/** The last record of a list, with everything but its links. */
async function last(path: string): Promise<Record<string, unknown>> {
  const { body } = await sandbox.request('GET', `${sandbox.url}${path}?order=desc&limit=1&join=transactions`);
  const { _links, transaction, ...record } = body._embedded.records[0];
  return record;
}

async function effectsOf(operationId: unknown): Promise<readonly Record<string, unknown>[]> {
  const { body } = await sandbox.request('GET', `${sandbox.url}/operations/${String(operationId)}/effects`);
  return body._embedded.records;
}

async function balances(key: Keypair): Promise<readonly string[]> {
  return (await sandbox.horizon.loadAccount(key.publicKey())).balances.map(({ balance }) => balance);
}

type HeldBalances = { readonly balances: Readonly<Record<string, string>> };

/** The units of all accounts: native ones with the paid fees, and USDC outside of the issuer. */
async function totals(): Promise<Readonly<Record<'XLM' | 'USDC', bigint>>> {
  const { body } = await sandbox.control('GET', '/state');
  const accounts: readonly HeldBalances[] = body.accounts;
  const sum = (asset: string): bigint =>
    accounts.reduce((all, { balances: held }) => all + (parseUnits(held[asset] ?? '0') ?? 0n), 0n);
  return { XLM: sum('XLM') + (parseUnits(body.network.feePool) ?? 0n), USDC: sum('USDC') };
}

describe('a path payment', () => {
  it('with a fixed sent amount arrives as another asset, and the record shows both', async () => {
    const [alice, bob] = [await sandbox.wallet(), await sandbox.wallet()];
    const before = await totals();
    const hash = await land(
      alice,
      Operation.pathPaymentStrictSend({
        sendAsset: Asset.native(),
        sendAmount: '12.5',
        destination: bob.publicKey(),
        destAsset: usdc(),
        destMin: '12',
      }),
    );

    const record = await last('/operations');
    expect(record).toEqual({
      id: record['paging_token'],
      paging_token: record['paging_token'],
      transaction_successful: true,
      source_account: alice.publicKey(),
      type: 'path_payment_strict_send',
      type_i: 13,
      created_at: expect.any(String),
      transaction_hash: hash,
      ...usdcFields(),
      from: alice.publicKey(),
      to: bob.publicKey(),
      amount: '12.5000000',
      path: [],
      source_amount: '12.5000000',
      destination_min: '12.0000000',
      source_asset_type: 'native',
    });
    expect(await last('/payments')).toEqual(record);
    expect(await last(`/accounts/${bob.publicKey()}/payments`)).toEqual(record);
    expect(await balances(alice)).toEqual(['0.0000000', '87.4999800']);
    expect(await balances(bob)).toEqual(['12.5000000', '99.9999900']);
    const after = await totals();
    expect(after).toEqual({ XLM: before.XLM, USDC: before.USDC + 125_000_000n });
    expect(await effectsOf(record['id'])).toMatchObject([
      { type: 'account_credited', type_i: 2, account: bob.publicKey(), amount: '12.5000000', asset_code: 'USDC' },
      { type: 'account_debited', type_i: 3, account: alice.publicKey(), amount: '12.5000000', asset_type: 'native' },
    ]);
  });

  it('with a fixed received amount takes it from the other balance', async () => {
    const [alice, bob] = [await sandbox.wallet(20), await sandbox.wallet()];
    await land(
      alice,
      Operation.pathPaymentStrictReceive({
        sendAsset: usdc(),
        sendMax: '9',
        destination: muxedOf(bob, '18446744073709551615'),
        destAsset: Asset.native(),
        destAmount: '7',
      }),
    );
    expect(await last('/payments')).toMatchObject({
      type: 'path_payment_strict_receive',
      type_i: 2,
      to: bob.publicKey(),
      to_muxed: muxedOf(bob, '18446744073709551615'),
      to_muxed_id: '18446744073709551615',
      asset_type: 'native',
      amount: '7.0000000',
      source_max: '9.0000000',
      source_amount: '7.0000000',
      source_asset_code: 'USDC',
      source_asset_issuer: sandbox.usdcIssuer,
    });
    expect((await balances(alice))[0]).toBe('13.0000000');
    expect((await balances(bob))[1]).toBe('106.9999900');
  });

  it('of one asset is an ordinary transfer', async () => {
    const [alice, bob] = [await sandbox.wallet(20), await sandbox.wallet()];
    const same = { sendAsset: usdc(), destAsset: usdc(), destination: bob.publicKey() };
    await land(alice, Operation.pathPaymentStrictSend({ ...same, sendAmount: '5', destMin: '5' }));
    expect([(await balances(alice))[0], (await balances(bob))[0]]).toEqual(['15.0000000', '5.0000000']);
  });

  it('fails with its reason, and shows nothing as arrived', async () => {
    const [alice, bob] = [await sandbox.wallet(20), await sandbox.wallet()];
    const send = { sendAsset: usdc(), destAsset: Asset.native(), destination: bob.publicKey() };
    const strictSend = (amount: string, destMin: string): xdr.Operation =>
      Operation.pathPaymentStrictSend({ ...send, sendAmount: amount, destMin });
    expect(await refusal(alice, strictSend('21', '1'))).toEqual(['op_underfunded']);
    expect(await refusal(alice, strictSend('2', '3'))).toEqual(['op_under_dest_min']);
    const { body } = await sandbox.request('GET', `${sandbox.url}/operations?order=desc&limit=1&include_failed=true`);
    expect(body._embedded.records).toMatchObject([
      { transaction_successful: false, amount: '0.0000000', source_amount: '2.0000000' },
    ]);
    expect(await refusal(alice, Operation.pathPaymentStrictReceive({ ...send, sendMax: '1', destAmount: '2' }))).toEqual([
      'op_over_source_max',
    ]);
    const unknown = Keypair.random().publicKey();
    expect(
      await refusal(alice, Operation.pathPaymentStrictSend({ ...send, destination: unknown, sendAmount: '1', destMin: '1' })),
    ).toEqual(['op_no_destination']);
    expect((await balances(alice))[0]).toBe('20.0000000');
  });
});

describe('an account merge', () => {
  it('moves the whole balance, and only its effects say how much', async () => {
    const [closing, heir] = [Keypair.random(), await sandbox.wallet()];
    await sandbox.control('POST', '/faucet', { address: closing.publicKey(), asset: 'XLM', amount: 30 });
    const before = await totals();
    await land(closing, Operation.accountMerge({ destination: heir.publicKey() }));

    const record = await last('/payments');
    expect(record).toMatchObject({ type: 'account_merge', type_i: 8, account: closing.publicKey(), into: heir.publicKey() });
    expect(record).not.toHaveProperty('amount');
    expect(await effectsOf(record['id'])).toMatchObject([
      { type: 'account_debited', account: closing.publicKey(), amount: '29.9999900' },
      { type: 'account_credited', account: heir.publicKey(), amount: '29.9999900', asset_type: 'native' },
      { type: 'account_removed', type_i: 1, account: closing.publicKey() },
    ]);
    expect(await balances(heir)).toEqual(['0.0000000', '129.9999800']);
    expect(await totals()).toEqual(before);
    expect((await sandbox.request('GET', `${sandbox.url}/accounts/${closing.publicKey()}`)).status).toBe(404);
    const server = new rpc.Server(sandbox.rpcUrl, { allowHttp: true });
    const { resultXdr } = (await server.getTransaction(
      String(record['transaction_hash']),
    )) as rpc.Api.GetSuccessfulTransactionResponse;
    const merged = resultXdr.result().results()[0]?.tr().accountMergeResult();
    expect(merged?.sourceAccountBalance().toString()).toBe('299999900');
  });

  it('op_has_sub_entries with a trustline, op_no_account into an unknown one', async () => {
    const [alice, closing] = [await sandbox.wallet(), Keypair.random()];
    await sandbox.control('POST', '/faucet', { address: closing.publicKey(), asset: 'XLM', amount: 30 });
    expect(await refusal(alice, Operation.accountMerge({ destination: sandbox.faucetAddress }))).toEqual(['op_has_sub_entries']);
    const unknown = Keypair.random().publicKey();
    expect(await refusal(closing, Operation.accountMerge({ destination: unknown }))).toEqual(['op_no_account']);
    expect(await balances(closing)).toEqual(['29.9999900']);
  });
});

describe('a payment to a muxed address', () => {
  it('arrives in the account, and the record has the address and its id', async () => {
    const [alice, bob] = [await sandbox.wallet(20), await sandbox.wallet()];
    await land(alice, Operation.payment({ destination: muxedOf(bob, '42'), asset: usdc(), amount: '3' }));
    const record = await last('/payments');
    const muxed = { to: bob.publicKey(), to_muxed: muxedOf(bob, '42'), to_muxed_id: '42' };
    expect(record).toMatchObject({ type: 'payment', from: alice.publicKey(), amount: '3.0000000', ...muxed });
    expect(await effectsOf(record['id'])).toMatchObject([
      { type: 'account_credited', account: bob.publicKey(), account_muxed: muxedOf(bob, '42'), account_muxed_id: '42' },
      { type: 'account_debited', account: alice.publicKey() },
    ]);
    expect((await balances(bob))[0]).toBe('3.0000000');
  });
});

describe('a claimable balance', () => {
  it('leaves its sender, arrives nowhere, and does not count as a payment', async () => {
    const [alice, bob] = [await sandbox.wallet(20), await sandbox.wallet()];
    const lastPayment = await last('/payments');
    const claimants = [new Claimant(bob.publicKey())];
    const transaction = await sandbox.transaction(alice, [
      Operation.createClaimableBalance({ asset: usdc(), amount: '4', claimants }),
    ]);
    await sandbox.horizon.submitTransaction(transaction);

    const record = await last('/operations');
    expect(record).toMatchObject({
      type: 'create_claimable_balance',
      type_i: 14,
      source_account: alice.publicKey(),
      asset: `USDC:${sandbox.usdcIssuer}`,
      amount: '4.0000000',
      claimants: [{ destination: bob.publicKey(), predicate: { unconditional: true } }],
    });
    expect(await last('/payments')).toEqual(lastPayment);
    const balance = {
      balance_id: transaction.getClaimableBalanceId(0),
      asset: `USDC:${sandbox.usdcIssuer}`,
      amount: '4.0000000',
    };
    expect(await effectsOf(record['id'])).toMatchObject([
      { type: 'claimable_balance_created', type_i: 50, account: alice.publicKey(), ...balance },
      { type: 'claimable_balance_claimant_created', type_i: 51, account: bob.publicKey(), ...balance },
      { type: 'account_debited', account: alice.publicKey(), amount: '4.0000000', ...usdcFields() },
    ]);
    expect([(await balances(alice))[0], (await balances(bob))[0]]).toEqual(['16.0000000', '0.0000000']);
  });

  it('op_underfunded beyond the balance', async () => {
    const alice = await sandbox.wallet(20);
    const claimants = [new Claimant(alice.publicKey())];
    expect(await refusal(alice, Operation.createClaimableBalance({ asset: usdc(), amount: '21', claimants }))).toEqual([
      'op_underfunded',
    ]);
  });
});

describe('the effects of an operation', () => {
  it('404 for one that does not exist, and none for one that has failed', async () => {
    const [alice, bob] = [await sandbox.wallet(20), await sandbox.wallet()];
    await refusal(alice, Operation.payment({ destination: bob.publicKey(), asset: usdc(), amount: '999' }));
    const { body } = await sandbox.request('GET', `${sandbox.url}/operations?include_failed=true&order=desc&limit=1`);
    expect(await effectsOf(body._embedded.records[0].id)).toEqual([]);
    expect((await sandbox.request('GET', `${sandbox.url}/operations/1/effects`)).status).toBe(404);
  });
});
