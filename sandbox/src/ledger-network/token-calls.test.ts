import { Account, Asset, Keypair, MuxedAccount } from '@stellar/stellar-sdk';
import { createParties, fundedEscrow } from '../testing/parties.js';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';
import { address, callToken, i128 } from '../testing/token-calls.js';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await runSandbox();
});
afterAll(() => sandbox.close());

const usdcFields = () => ({ asset_type: 'credit_alphanum4', asset_code: 'USDC', asset_issuer: sandbox.usdcIssuer });
const transfer = (from: Keypair, to: string, units: bigint) => ({
  name: 'transfer',
  args: [address(from.publicKey()), address(to), i128(units)],
});

async function lastPayment(): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await sandbox.request('GET', `${sandbox.url}/payments?order=desc&limit=1`);
  return body._embedded.records[0];
}

async function effects(): Promise<readonly unknown[]> {
  const { id } = (await lastPayment()) as { readonly id: string };
  return (await sandbox.request('GET', `${sandbox.url}/operations/${id}/effects`)).body._embedded.records;
}

describe("a transfer by the token's contract", () => {
  it('to an account is a balance change of an invoke_host_function operation', async () => {
    const [alice, bob] = [await sandbox.wallet(20), await sandbox.wallet()];
    expect((await callToken(sandbox, alice, transfer(alice, bob.publicKey(), 30_000_001n))).status).toBe(200);

    const record = await lastPayment();
    expect(record).toMatchObject({ type: 'invoke_host_function', type_i: 24, source_account: alice.publicKey() });
    expect(record['asset_balance_changes']).toEqual([
      { ...usdcFields(), type: 'transfer', from: alice.publicKey(), to: bob.publicKey(), amount: '3.0000001' },
    ]);
    expect(await effects()).toMatchObject([
      { type: 'account_debited', account: alice.publicKey(), amount: '3.0000001' },
      { type: 'account_credited', account: bob.publicKey(), amount: '3.0000001', ...usdcFields() },
    ]);
    expect([await sandbox.balance(alice.publicKey()), await sandbox.balance(bob.publicKey())]).toEqual([16.9999999, 3.0000001]);
  });

  it('of the native asset needs no trustline', async () => {
    const [alice, bob] = [await sandbox.wallet(), Keypair.random()];
    await sandbox.control('POST', '/faucet', { address: bob.publicKey(), asset: 'XLM', amount: 2 });
    await callToken(sandbox, alice, { asset: Asset.native(), ...transfer(alice, bob.publicKey(), 10_000_000n) });
    expect((await lastPayment())['asset_balance_changes']).toEqual([
      { asset_type: 'native', type: 'transfer', from: alice.publicKey(), to: bob.publicKey(), amount: '1.0000000' },
    ]);
    expect((await sandbox.horizon.loadAccount(bob.publicKey())).balances).toMatchObject([{ balance: '3.0000000' }]);
  });

  it('to a muxed address has its id in the record and in the event', async () => {
    const [alice, bob] = [await sandbox.wallet(20), await sandbox.wallet()];
    const muxed = new MuxedAccount(new Account(bob.publicKey(), '0'), '77').accountId();
    expect((await callToken(sandbox, alice, transfer(alice, muxed, 10_000_000n))).status).toBe(200);
    expect((await lastPayment())['asset_balance_changes']).toMatchObject([
      { type: 'transfer', to: bob.publicKey(), destination_muxed_id: '77', amount: '1.0000000' },
    ]);
    expect((await effects())[1]).toMatchObject({ account: bob.publicKey(), account_muxed: muxed, account_muxed_id: '77' });
    expect(await sandbox.balance(bob.publicKey())).toBe(1);
  });

  it('to an escrow contract raises its balance', async () => {
    const parties = await createParties(sandbox);
    const contractId = await fundedEscrow(sandbox, parties);
    const alice = await sandbox.wallet(20);
    expect((await callToken(sandbox, alice, transfer(alice, contractId, 50_000_000n))).status).toBe(200);
    expect((await lastPayment())['asset_balance_changes']).toMatchObject([{ from: alice.publicKey(), to: contractId }]);
    expect((await effects())[1]).toMatchObject({ type: 'contract_credited', account: alice.publicKey(), contract: contractId });
    const { body } = await sandbox.read(`/helper/get-multiple-escrow-balance?addresses[]=${contractId}`);
    expect(body).toEqual([{ address: contractId, balance: 105 }]);
  });

  it.each([
    ['more than the balance', (to: Keypair) => ({ to: to.publicKey(), units: 200_000_001n })],
    ['a negative amount', (to: Keypair) => ({ to: to.publicKey(), units: -1n })],
    ['an unknown account', () => ({ to: Keypair.random().publicKey(), units: 1n })],
    ['a contract without a balance', () => ({ to: Asset.native().contractId(sandbox.networkPassphrase), units: 1n })],
    ['an account without a trustline', () => ({ to: sandbox.faucetAddress, units: 1n })],
  ])('fails for %s', async (_name, given) => {
    const [alice, bob] = [await sandbox.wallet(20), await sandbox.wallet()];
    const { to, units } = given(bob);
    const { status, body } = await callToken(sandbox, alice, transfer(alice, to, units));
    expect([status, body.message]).toEqual([400, expect.stringContaining('tx_failed: function_trapped')]);
    expect(await sandbox.balance(alice.publicKey())).toBe(20);
  });

  it('fails without the authorization of the sender', async () => {
    const [alice, bob] = [await sandbox.wallet(20), await sandbox.wallet(20)];
    const stolen = await callToken(sandbox, bob, transfer(alice, bob.publicKey(), 1n));
    const unauthorized = await callToken(sandbox, alice, transfer(alice, bob.publicKey(), 1n), { auth: [] });
    for (const { body } of [stolen, unauthorized]) expect(body.message).toContain('has not authorized the call');
    expect(await sandbox.balance(alice.publicKey())).toBe(20);
  });
});

describe("the token's contract", () => {
  it('burns the tokens of their holder: the change has no receiver', async () => {
    const alice = await sandbox.wallet(20);
    const args = [address(alice.publicKey()), i128(10_000_000n)];
    expect((await callToken(sandbox, alice, { name: 'burn', args })).status).toBe(200);
    expect((await lastPayment())['asset_balance_changes']).toEqual([
      { ...usdcFields(), type: 'burn', from: alice.publicKey(), amount: '1.0000000' },
    ]);
    expect(await effects()).toMatchObject([{ type: 'account_debited', account: alice.publicKey() }]);
    expect(await sandbox.balance(alice.publicKey())).toBe(19);
  });

  it('burns what is sent to the issuer', async () => {
    const alice = await sandbox.wallet(20);
    await callToken(sandbox, alice, transfer(alice, sandbox.usdcIssuer, 10_000_000n));
    expect((await lastPayment())['asset_balance_changes']).toMatchObject([{ type: 'burn', from: alice.publicKey() }]);
    expect(await sandbox.balance(alice.publicKey())).toBe(19);
  });

  it('mints and claws back for the issuer only, and never the native asset', async () => {
    const alice = await sandbox.wallet(20);
    const args = [address(alice.publicKey()), i128(10_000_000n)];
    for (const name of ['mint', 'clawback']) {
      const { body } = await callToken(sandbox, alice, { name, args });
      expect(body.message).toContain('has not authorized the call');
    }
    const native = await callToken(sandbox, alice, { asset: Asset.native(), name: 'burn', args });
    expect(native.body.message).toContain('not supported for the native asset');
    expect(await sandbox.balance(alice.publicKey())).toBe(20);
  });
});
