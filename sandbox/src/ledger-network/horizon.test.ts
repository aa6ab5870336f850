import { Asset, Keypair, Memo, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';
import { manualClock } from '@holdfast/testing/clock';
import { runSandbox, type RunningSandbox, type TransactionOptions } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await runSandbox();
});
afterAll(() => sandbox.close());

/** The result codes of a submission through the Stellar SDK, or `landed`. */
async function outcome(key: Keypair, operations: readonly xdr.Operation[], options?: TransactionOptions): Promise<unknown> {
  return outcomeOf(sandbox.horizon.submitTransaction(await sandbox.transaction(key, operations, options)));
}

async function outcomeOf(submission: Promise<unknown>): Promise<unknown> {
  try {
    await submission;
    return 'landed';
  } catch (error) {
    const { data } = (error as { response: { data: { extras: { result_codes: unknown } } } }).response;
    return data.extras.result_codes;
  }
}

const usdc = (): Asset => new Asset('USDC', sandbox.usdcIssuer);
const pay = (to: string, amount: string, asset = Asset.native()): xdr.Operation =>
  Operation.payment({ destination: to, amount, asset });

describe('accounts and payments through the Stellar SDK', () => {
  it('returns the network passphrase and the fees', async () => {
    expect((await sandbox.horizon.root()).network_passphrase).toBe(sandbox.networkPassphrase);
    expect(await sandbox.horizon.fetchBaseFee()).toBe(100);
  });

  it('creates an account and a trustline, pays, and lists the payments', async () => {
    const [alice, bob] = [await sandbox.wallet(50), Keypair.random()];
    const landed = await sandbox.horizon.submitTransaction(
      await sandbox.transaction(alice, [
        Operation.createAccount({ destination: bob.publicKey(), startingBalance: '5' }),
        pay(bob.publicKey(), '1.5'),
      ]),
    );
    await sandbox.horizon.submitTransaction(await sandbox.transaction(bob, [Operation.changeTrust({ asset: usdc() })]));
    await sandbox.horizon.submitTransaction(await sandbox.transaction(alice, [pay(bob.publicKey(), '20.0000001', usdc())]));

    const account = await sandbox.horizon.loadAccount(bob.publicKey());
    expect(account.balances.map(({ balance }) => balance)).toEqual(['20.0000001', '6.4999900']);
    const record = await sandbox.horizon.transactions().transaction(landed.hash).call();
    expect(record).toMatchObject({ successful: true, operation_count: 2, fee_charged: '200', source_account: alice.publicKey() });
    const payments = await sandbox.horizon.payments().forAccount(bob.publicKey()).order('asc').limit(2).call();
    expect(payments.records.map(({ type }) => type)).toEqual(['create_account', 'payment']);
    const next = await payments.next();
    expect(next.records).toMatchObject([{ asset_code: 'USDC', amount: '20.0000001', from: alice.publicKey() }]);
    expect((await next.next()).records).toEqual([]);
    expect((await sandbox.horizon.operations().forTransaction(landed.hash).call()).records).toHaveLength(2);
  });

  it('has increasing paging tokens of payments, in both directions', async () => {
    const alice = await sandbox.wallet();
    await Promise.all(
      Array.from({ length: 5 }, () =>
        sandbox.control('POST', '/faucet', { address: alice.publicKey(), asset: 'XLM', amount: 1 }),
      ),
    );
    const list = (order: 'asc' | 'desc', cursor: string) =>
      sandbox.horizon.payments().forAccount(alice.publicKey()).order(order).cursor(cursor).limit(3).call();
    const tokens = ({ records }: Awaited<ReturnType<typeof list>>) => records.map(({ paging_token: token }) => BigInt(token));

    const first = tokens(await list('asc', ''));
    const second = tokens(await list('asc', String(first.at(-1))));
    const newest = tokens(await list('desc', 'now'));

    const all = [...first, ...second];
    expect(all).toHaveLength(6);
    expect([...all].sort((a, b) => (a < b ? -1 : 1))).toEqual(all);
    expect(newest).toEqual(all.slice(-3).reverse());
  });

  it('has a faucet that pays once for a reference', async () => {
    const alice = await sandbox.wallet();
    const ask = (reference: string) =>
      sandbox.control('POST', '/faucet', { address: alice.publicKey(), asset: 'USDC', amount: 5, reference });
    const [first, again, other] = [await ask('one'), await ask('one'), await ask('two')];
    expect([again.body, await sandbox.balance(alice.publicKey())]).toEqual([first.body, 10]);
    expect(other.body).not.toEqual(first.body);
  });

  it('has a friendbot that funds an account once', async () => {
    const key = Keypair.random().publicKey();
    await sandbox.horizon.friendbot(key).call();
    expect((await sandbox.horizon.loadAccount(key)).balances).toMatchObject([{ balance: '10000.0000000' }]);
    expect(await sandbox.request('GET', `${sandbox.url}/friendbot?addr=${key}`)).toMatchObject({
      status: 400,
      body: { extras: { result_codes: { operations: ['op_already_exists'] } } },
    });
  });

  it('stores a memo', async () => {
    const alice = await sandbox.wallet();
    const account = await sandbox.horizon.loadAccount(alice.publicKey());
    const built = new TransactionBuilder(account, { fee: '100', networkPassphrase: sandbox.networkPassphrase })
      .addOperation(pay(sandbox.faucetAddress, '1'))
      .addMemo(Memo.text('for tea'))
      .setTimeout(30)
      .build();
    built.sign(alice);
    const { hash } = await sandbox.horizon.submitTransaction(built);
    expect(await sandbox.horizon.transactions().transaction(hash).call()).toMatchObject({ memo_type: 'text', memo: 'for tea' });
  });
});

describe('an invalid transaction', () => {
  let alice: Keypair;
  beforeAll(async () => {
    alice = await sandbox.wallet(10);
  });
  const payment = (): xdr.Operation[] => [pay(sandbox.faucetAddress, '1')];

  it('tx_bad_seq for a sequence number that is not the next one', async () => {
    const { sequence } = await sandbox.horizon.loadAccount(alice.publicKey());
    for (const wrong of [BigInt(sequence) - 1n, BigInt(sequence) + 1n]) {
      expect(await outcome(alice, payment(), { sequence: wrong.toString() })).toEqual({ transaction: 'tx_bad_seq' });
    }
  });

  it('tx_bad_auth for another signer, no signature, or an altered envelope', async () => {
    const transaction = await sandbox.transaction(alice, payment());
    const [own] = transaction.signatures;
    const altered = await sandbox.transaction(alice, [pay(sandbox.faucetAddress, '2')]);
    altered.signatures.splice(0, 1, ...(own === undefined ? [] : [own]));
    const unsigned = await sandbox.transaction(alice, payment());
    unsigned.signatures.length = 0;
    const foreign = await sandbox.transaction(alice, payment());
    foreign.signatures.length = 0;
    foreign.sign(Keypair.random());
    for (const wrong of [altered, unsigned, foreign]) {
      expect(await outcomeOf(sandbox.horizon.submitTransaction(wrong))).toEqual({ transaction: 'tx_bad_auth' });
    }
  });

  it('tx_bad_auth_extra for an additional signature', async () => {
    const transaction = await sandbox.transaction(alice, payment());
    transaction.sign(Keypair.random());
    expect(await outcomeOf(sandbox.horizon.submitTransaction(transaction))).toEqual({ transaction: 'tx_bad_auth_extra' });
  });

  it.each([
    ['tx_too_late', { maxTime: 1 }],
    ['tx_insufficient_fee', { fee: '99' }],
  ])('%s', async (code, options) => {
    expect(await outcome(alice, payment(), options)).toEqual({ transaction: code });
  });

  it('tx_no_source_account for an unknown account', async () => {
    expect(await outcome(Keypair.random(), payment(), { sequence: '1' })).toEqual({ transaction: 'tx_no_source_account' });
  });

  it('400 transaction_malformed for a malformed envelope', async () => {
    const response = await fetch(`${sandbox.url}/transactions`, { method: 'POST', body: new URLSearchParams({ tx: 'AAAA' }) });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ title: 'Transaction Malformed', extras: { envelope_xdr: 'AAAA' } });
  });

  it('costs nothing', async () => {
    const before = await sandbox.horizon.loadAccount(alice.publicKey());
    await outcome(alice, payment(), { maxTime: 1 });
    const after = await sandbox.horizon.loadAccount(alice.publicKey());
    expect([after.sequence, after.balances]).toEqual([before.sequence, before.balances]);
  });
});

describe('a failed transaction lands and is charged its fee', () => {
  it.each([
    ['op_underfunded', () => pay(sandbox.faucetAddress, '99')],
    ['op_underfunded', () => pay(sandbox.usdcIssuer, '11', usdc())],
    ['op_no_destination', () => pay(Keypair.random().publicKey(), '1')],
    ['op_no_trust', () => pay(sandbox.faucetAddress, '1', usdc())],
    ['op_no_issuer', () => Operation.changeTrust({ asset: new Asset('EUR', Keypair.random().publicKey()) })],
    ['op_invalid_limit', () => Operation.changeTrust({ asset: usdc(), limit: '1' })],
    ['op_already_exists', () => Operation.createAccount({ destination: sandbox.faucetAddress, startingBalance: '5' })],
    ['op_low_reserve', () => Operation.createAccount({ destination: Keypair.random().publicKey(), startingBalance: '0.5' })],
  ])('%s', async (code, operation) => {
    const alice = await sandbox.wallet(10);
    const before = await sandbox.horizon.loadAccount(alice.publicKey());
    const transaction = await sandbox.transaction(alice, [operation()]);
    const submit = () => outcomeOf(sandbox.horizon.submitTransaction(transaction, { skipMemoRequiredCheck: true }));

    expect(await submit()).toEqual({ transaction: 'tx_failed', operations: [code] });
    expect(await submit()).toEqual({ transaction: 'tx_failed', operations: [code] });

    const after = await sandbox.horizon.loadAccount(alice.publicKey());
    expect(BigInt(after.sequence) - BigInt(before.sequence)).toBe(1n);
    const hash = transaction.hash().toString('hex');
    expect(await sandbox.horizon.transactions().transaction(hash).call()).toMatchObject({
      successful: false,
      fee_charged: '100',
    });
  });
});

describe('a second submission', () => {
  it('returns the landed result and pays nothing twice', async () => {
    const alice = await sandbox.wallet();
    const transaction = await sandbox.transaction(alice, [pay(sandbox.faucetAddress, '3')]);
    const first = await sandbox.horizon.submitTransaction(transaction);
    const second = await sandbox.horizon.submitTransaction(transaction);
    expect(second).toEqual(first);
    expect((await sandbox.horizon.loadAccount(alice.publicKey())).balances.at(-1)).toMatchObject({ balance: '96.9999800' });
  });

  it('lands only one of two transactions with the same sequence number', async () => {
    const alice = await sandbox.wallet();
    const rivals = [
      await sandbox.transaction(alice, [pay(sandbox.faucetAddress, '1')]),
      await sandbox.transaction(alice, [pay(sandbox.faucetAddress, '2')]),
    ];
    const outcomes = await Promise.all(rivals.map((rival) => outcomeOf(sandbox.horizon.submitTransaction(rival))));
    expect(outcomes.filter((result) => result === 'landed')).toHaveLength(1);
    expect(outcomes).toContainEqual({ transaction: 'tx_bad_seq' });
  });
});

describe('closed ledgers', () => {
  it('advance with time, and an expired transaction can never land', async () => {
    const clock = manualClock();
    const slow = await runSandbox({ clock });
    const alice = await slow.wallet();
    const maxTime = Math.floor(clock.epochMs() / 1_000) + 30;
    const transaction = await slow.transaction(alice, [pay(slow.faucetAddress, '1')], { maxTime });
    const newest = async () => (await slow.horizon.ledgers().order('desc').limit(1).call()).records[0];
    const before = await newest();

    clock.advance(31_000);
    const after = await newest();
    const again = await newest();

    expect(Date.parse(after?.closed_at ?? '') / 1_000).toBeGreaterThan(maxTime);
    expect(after?.sequence).toBe((before?.sequence ?? 0) + 1);
    expect(again?.sequence).toBe(after?.sequence);
    clock.advance(-31_000);
    expect(await outcomeOf(slow.horizon.submitTransaction(transaction))).toEqual({ transaction: 'tx_too_late' });
    await slow.close();
  });
});
