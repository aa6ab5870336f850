import { Asset, Keypair, Operation, rpc, type xdr, type Transaction } from '@stellar/stellar-sdk';
import { feeBumpOf } from '../testing/fee-bumps.js';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await runSandbox();
});
afterAll(() => sandbox.close());

const usdc = (): Asset => new Asset('USDC', sandbox.usdcIssuer);

type Codes = Readonly<Record<string, unknown>> | 'landed';

async function outcomeOf(transaction: Parameters<RunningSandbox['send']>[0]): Promise<Codes> {
  const body = new URLSearchParams({ tx: transaction.toXDR() });
  const response = await fetch(`${sandbox.horizonUrl}/transactions`, { method: 'POST', body });
  if (response.ok) return 'landed';
  return ((await response.json()) as { extras: { result_codes: Codes } }).extras.result_codes;
}

const begin = (sponsor: Keypair, sponsored: Keypair): xdr.Operation =>
  Operation.beginSponsoringFutureReserves({ source: sponsor.publicKey(), sponsoredId: sponsored.publicKey() });
const end = (sponsored: Keypair): xdr.Operation => Operation.endSponsoringFutureReserves({ source: sponsored.publicKey() });
const create = (account: Keypair, startingBalance = '0'): xdr.Operation =>
  Operation.createAccount({ destination: account.publicKey(), startingBalance });
const trust = (account: Keypair, limit?: string): xdr.Operation =>
  Operation.changeTrust({ source: account.publicKey(), asset: usdc(), ...(limit === undefined ? {} : { limit }) });

/** The transaction of the sponsor with these operations, signed by both. */
async function both(sponsor: Keypair, sponsored: Keypair, operations: readonly xdr.Operation[]): Promise<Transaction> {
  const transaction = await sandbox.transaction(sponsor, operations);
  transaction.sign(sponsored);
  return transaction;
}

const activation = (sponsor: Keypair, wallet: Keypair): readonly xdr.Operation[] => [
  begin(sponsor, wallet),
  create(wallet),
  trust(wallet),
  end(wallet),
];

async function sponsoredWallet(sponsor: Keypair): Promise<Keypair> {
  const wallet = Keypair.random();
  expect(await outcomeOf(await both(sponsor, wallet, activation(sponsor, wallet)))).toBe('landed');
  return wallet;
}

/** An account with exactly this much XLM. */
async function accountWith(amount: number): Promise<Keypair> {
  const key = Keypair.random();
  await sandbox.control('POST', '/faucet', { address: key.publicKey(), asset: 'XLM', amount });
  return key;
}

const accountOf = (key: Keypair) => sandbox.horizon.loadAccount(key.publicKey());

describe('a sponsored account', () => {
  it('has a trustline and no XLM, and its sponsor has three reserves more', async () => {
    const sponsor = await sandbox.wallet();
    const wallet = await sponsoredWallet(sponsor);
    expect(await accountOf(wallet)).toMatchObject({
      sponsor: sponsor.publicKey(),
      num_sponsored: 3,
      num_sponsoring: 0,
      subentry_count: 1,
      balances: [{ asset_code: 'USDC', balance: '0.0000000', sponsor: sponsor.publicKey() }, { balance: '0.0000000' }],
    });
    const sponsorAccount = await accountOf(sponsor);
    expect(sponsorAccount).toMatchObject({ num_sponsoring: 3, num_sponsored: 0 });
    expect(sponsorAccount.sponsor).toBeUndefined();

    const server = new rpc.Server(sandbox.rpcUrl, { allowHttp: true });
    const counts = (entry: xdr.AccountEntry) => entry.ext().v1().ext().v2();
    expect(counts(await server.getAccountEntry(wallet.publicKey())).numSponsored()).toBe(3);
    expect(counts(await server.getAccountEntry(sponsor.publicKey())).numSponsoring()).toBe(3);
  });

  it('shows the sponsoring in the history', async () => {
    const [sponsor, wallet] = [await sandbox.wallet(), Keypair.random()];
    const transaction = await both(sponsor, wallet, activation(sponsor, wallet));
    await outcomeOf(transaction);
    const { records } = await sandbox.horizon.operations().forTransaction(transaction.hash().toString('hex')).call();
    expect(records).toMatchObject([
      { type: 'begin_sponsoring_future_reserves', type_i: 16, sponsored_id: wallet.publicKey() },
      { type: 'create_account', starting_balance: '0.0000000', funder: sponsor.publicKey() },
      { type: 'change_trust', trustor: wallet.publicKey() },
      {
        type: 'end_sponsoring_future_reserves',
        type_i: 17,
        begin_sponsor: sponsor.publicKey(),
        source_account: wallet.publicKey(),
      },
    ]);
  });

  it('receives and pays USDC in a fee bump, and cannot pay a fee itself', async () => {
    const sponsor = await sandbox.wallet();
    const wallet = await sponsoredWallet(sponsor);
    await sandbox.control('POST', '/faucet', { address: wallet.publicKey(), asset: 'USDC', amount: 5 });
    const payment = Operation.payment({ destination: sponsor.publicKey(), asset: usdc(), amount: '2' });
    const transaction = await sandbox.transaction(wallet, [payment]);
    expect(await outcomeOf(transaction)).toEqual({ transaction: 'tx_insufficient_balance' });
    expect(await outcomeOf(feeBumpOf(sandbox, sponsor, transaction))).toBe('landed');
    expect([await sandbox.balance(wallet.publicKey()), await sandbox.balance(sponsor.publicKey())]).toEqual([3, 2]);
  });

  it('spends XLM that it receives down to nothing, because its reserves are paid', async () => {
    const sponsor = await sandbox.wallet();
    const wallet = await sponsoredWallet(sponsor);
    await sandbox.control('POST', '/faucet', { address: wallet.publicKey(), asset: 'XLM', amount: 1 });
    const pay = (amount: string) => Operation.payment({ destination: sponsor.publicKey(), asset: Asset.native(), amount });
    const payAll = await sandbox.transaction(wallet, [pay('1')]);
    expect(await outcomeOf(feeBumpOf(sandbox, sponsor, payAll))).toBe('landed');
    const payMore = await sandbox.transaction(wallet, [pay('0.0000001')]);
    expect(await outcomeOf(feeBumpOf(sandbox, sponsor, payMore))).toMatchObject({ operations: ['op_underfunded'] });
  });

  it('gives the reserve of its trustline back to the sponsor when it closes it', async () => {
    const sponsor = await sandbox.wallet();
    const wallet = await sponsoredWallet(sponsor);
    const close = await sandbox.transaction(wallet, [trust(wallet, '0')]);
    expect(await outcomeOf(feeBumpOf(sandbox, sponsor, close))).toBe('landed');
    expect(await accountOf(wallet)).toMatchObject({ num_sponsored: 2, subentry_count: 0 });
    expect(await accountOf(sponsor)).toMatchObject({ num_sponsoring: 2 });
    const reopen = await sandbox.transaction(wallet, [trust(wallet)]);
    expect(await outcomeOf(feeBumpOf(sandbox, sponsor, reopen))).toMatchObject({ operations: ['op_low_reserve'] });
  });

  it('keeps its sponsor when the limit of a trustline changes', async () => {
    const sponsor = await sandbox.wallet();
    const wallet = await sponsoredWallet(sponsor);
    expect(await outcomeOf(feeBumpOf(sandbox, sponsor, await sandbox.transaction(wallet, [trust(wallet, '7')])))).toBe('landed');
    const [line] = (await accountOf(wallet)).balances;
    expect(line).toMatchObject({ limit: '7.0000000', sponsor: sponsor.publicKey() });
    expect(await accountOf(sponsor)).toMatchObject({ num_sponsoring: 3 });
  });
});

describe('the sponsor', () => {
  it('needs the reserves: op_low_reserve of the account and of the trustline', async () => {
    // 1 XLM for itself, 1 for the account, and the maximum fee; the trustline costs another 0.5.
    for (const [amount, codes] of [
      [1.9, ['op_success', 'op_low_reserve']],
      [2.4, ['op_success', 'op_success', 'op_low_reserve']],
    ] as const) {
      const [sponsor, wallet] = [await accountWith(amount), Keypair.random()];
      const activated = await both(sponsor, wallet, activation(sponsor, wallet));
      expect(await outcomeOf(activated)).toEqual({ transaction: 'tx_failed', operations: codes });
      await expect(accountOf(wallet)).rejects.toMatchObject({ response: { status: 404 } });
      expect(await accountOf(sponsor)).toMatchObject({ num_sponsoring: 0 });
    }
  });

  it('cannot spend the reserves that it sponsors: op_underfunded', async () => {
    const sponsor = await accountWith(3);
    await sponsoredWallet(sponsor);
    const pay = (amount: string) => Operation.payment({ destination: sandbox.faucetAddress, asset: Asset.native(), amount });
    expect(await outcomeOf(await sandbox.transaction(sponsor, [pay('0.5')]))).toMatchObject({ operations: ['op_underfunded'] });
    expect(await outcomeOf(await sandbox.transaction(sponsor, [pay('0.49')]))).toBe('landed');
  });
});

describe('a transaction with a sponsoring', () => {
  it('tx_bad_sponsorship when it does not end it; only the fee is charged', async () => {
    const [sponsor, wallet] = [await sandbox.wallet(), Keypair.random()];
    const open = await both(sponsor, wallet, [begin(sponsor, wallet), create(wallet), trust(wallet)]);
    expect(await outcomeOf(open)).toEqual({ transaction: 'tx_bad_sponsorship' });
    await expect(accountOf(wallet)).rejects.toMatchObject({ response: { status: 404 } });
    expect(await accountOf(sponsor)).toMatchObject({ num_sponsoring: 0, sequence: open.sequence });
    const server = new rpc.Server(sandbox.rpcUrl, { allowHttp: true });
    const found = await server.getTransaction(open.hash().toString('hex'));
    if (found.status !== rpc.Api.GetTransactionStatus.FAILED) throw new Error(`the transaction is ${found.status}`);
    expect(found.resultXdr.result().switch().name).toBe('txBadSponsorship');
    const bump = feeBumpOf(
      sandbox,
      sponsor,
      await both(sponsor, wallet, [begin(sponsor, wallet), create(wallet), trust(wallet)]),
    );
    const codes = { transaction: 'tx_fee_bump_inner_failed', inner_transaction: 'tx_bad_sponsorship' };
    expect(await outcomeOf(bump)).toEqual(codes);
  });

  it('tx_bad_auth without the signature of the sponsored account', async () => {
    const [sponsor, wallet] = [await sandbox.wallet(), Keypair.random()];
    const unsigned = await sandbox.transaction(sponsor, activation(sponsor, wallet));
    expect(await outcomeOf(unsigned)).toEqual({ transaction: 'tx_bad_auth' });
  });

  it.each([
    ['op_malformed', 0, (sponsor: Keypair, _wallet: Keypair) => [begin(sponsor, sponsor)]],
    ['op_already_sponsored', 1, (sponsor: Keypair, wallet: Keypair) => [begin(sponsor, wallet), begin(sponsor, wallet)]],
    [
      'op_recursive',
      2,
      (sponsor: Keypair, wallet: Keypair) => [create(wallet, '5'), begin(sponsor, wallet), begin(wallet, sponsor)],
    ],
    ['op_not_sponsored', 1, (_sponsor: Keypair, wallet: Keypair) => [create(wallet, '5'), end(wallet)]],
  ])('%s', async (code, succeeded, operations) => {
    const [sponsor, wallet] = [await sandbox.wallet(), Keypair.random()];
    const built = operations(sponsor, wallet);
    const isSigned = built.some((operation) => operation.sourceAccount()?.ed25519().equals(wallet.rawPublicKey()) === true);
    const transaction = isSigned ? await both(sponsor, wallet, built) : await sandbox.transaction(sponsor, built);
    const codes = [...Array.from({ length: succeeded }, () => 'op_success'), code];
    expect(await outcomeOf(transaction)).toEqual({ transaction: 'tx_failed', operations: codes });
  });

  it('op_low_reserve for an empty account without a sponsor', async () => {
    const [alice, bob] = [await sandbox.wallet(), Keypair.random()];
    const codes = { transaction: 'tx_failed', operations: ['op_low_reserve'] };
    expect(await outcomeOf(await sandbox.transaction(alice, [create(bob)]))).toEqual(codes);
    const other = Keypair.random();
    const sponsorsAnother = [begin(alice, other), create(bob), end(other)];
    expect(await outcomeOf(await both(alice, other, sponsorsAnother))).toMatchObject({
      operations: ['op_success', 'op_low_reserve'],
    });
  });
});
