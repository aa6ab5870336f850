import { Account, MuxedAccount, type Keypair } from '@stellar/stellar-sdk';
import { createParties, fundedEscrow } from '../testing/parties.js';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
let wallet: Keypair;
beforeAll(async () => {
  sandbox = await runSandbox();
});
beforeEach(async () => {
  wallet = await sandbox.wallet(20);
});
afterAll(() => sandbox.close());

const act = (body: object) => sandbox.control('POST', '/operations', { address: wallet.publicKey(), ...body });
const muxed = () => new MuxedAccount(new Account(wallet.publicKey(), '0'), '9').accountId();
const balancesOf = async (): Promise<readonly number[]> =>
  (await sandbox.horizon.loadAccount(wallet.publicKey())).balances.map(({ balance }) => Number(balance));

type Landed = { readonly asset_balance_changes: readonly [object, ...object[]] };

async function landed(body: object): Promise<Landed> {
  const response = await act(body);
  expect(response).toEqual({ status: 200, body: { hash: expect.any(String) } });
  const { body: list } = await sandbox.request('GET', `${sandbox.url}/transactions/${response.body.hash}/operations`);
  return list._embedded.records.at(-1);
}

describe('POST /_sandbox/operations', () => {
  it.each([
    ['payment', { asset: 'USDC' }, [27.5, 99.99999]],
    ['payment', { asset: 'XLM' }, [20, 107.49999]],
    ['path_payment_strict_send', { asset: 'USDC' }, [27.5, 99.99999]],
    ['path_payment_strict_receive', { asset: 'XLM' }, [20, 107.49999]],
    ['account_merge', { asset: 'XLM' }, [20, 107.49999]],
    ['create_claimable_balance', { asset: 'USDC' }, [20, 99.99999]],
    ['clawback', { asset: 'USDC' }, [12.5, 99.99999]],
  ])('200 lands a %s: %o', async (type, given, after) => {
    expect(await landed({ type, amount: 7.5, ...given })).toMatchObject({ type, transaction_successful: true });
    expect(await balancesOf()).toEqual(after);
  });

  it.each([
    ['contract_transfer', 'transfer', 27.5],
    ['contract_mint', 'mint', 27.5],
    ['contract_clawback', 'clawback', 12.5],
  ])("200 lands a %s by the token's contract", async (type, change, after) => {
    const record = await landed({ type, asset: 'USDC', amount: '7.5' });
    const party = type === 'contract_clawback' ? 'from' : 'to';
    expect(record).toMatchObject({ type: 'invoke_host_function' });
    expect(record.asset_balance_changes).toMatchObject([{ type: change, [party]: wallet.publicKey(), amount: '7.5000000' }]);
    expect('from' in record.asset_balance_changes[0]).toBe(change !== 'mint');
    expect(await sandbox.balance(wallet.publicKey())).toBe(after);
  });

  it('200 burns the tokens of the stranger', async () => {
    const record = await landed({ type: 'contract_burn', address: undefined, asset: 'USDC', amount: 3 });
    expect(record.asset_balance_changes).toMatchObject([{ type: 'burn', amount: '3.0000000' }]);
    expect(record.asset_balance_changes[0]).not.toHaveProperty('to');
  });

  it('200 pays muxed addresses and contracts', async () => {
    expect(await landed({ type: 'payment', address: muxed(), asset: 'USDC', amount: 1 })).toMatchObject({ to_muxed_id: '9' });
    const record = await landed({ type: 'contract_transfer', address: muxed(), asset: 'USDC', amount: 1 });
    expect(record.asset_balance_changes).toMatchObject([{ to: wallet.publicKey(), destination_muxed_id: '9' }]);
    const contractId = await fundedEscrow(sandbox, await createParties(sandbox));
    const given = await landed({ type: 'contract_transfer', address: contractId, asset: 'USDC', amount: 1 });
    expect(given.asset_balance_changes).toMatchObject([{ to: contractId }]);
    expect(await sandbox.balance(wallet.publicKey())).toBe(22);
  });

  it('400 for what cannot land, and for addresses and assets that the type does not take', async () => {
    expect(await act({ type: 'clawback', asset: 'USDC', amount: 21 })).toMatchObject({
      status: 400,
      body: { codes: ['op_underfunded'] },
    });
    for (const wrong of [
      { type: 'teleport', asset: 'USDC', amount: 1 },
      { type: 'payment', address: 'G', asset: 'USDC', amount: 1 },
      { type: 'create_claimable_balance', address: muxed(), asset: 'USDC', amount: 1 },
      { type: 'account_merge', asset: 'USDC', amount: 1 },
      { type: 'contract_mint', asset: 'XLM', amount: 1 },
      { type: 'contract_burn', asset: 'USDC', amount: 1 },
      { type: 'payment', asset: 'USDC', amount: 0 },
    ]) {
      expect((await act(wrong)).status).toBe(400);
    }
    expect(await balancesOf()).toEqual([20, 99.99999]);
  });
});

describe('the faucet', () => {
  it.each(['XLM', 'USDC'])('pays many orders of the largest allowed size in %s', async (asset) => {
    const give = (amount: number | string) => sandbox.control('POST', '/faucet', { address: wallet.publicKey(), asset, amount });
    for (const amount of [50_000, '50000.00', 1_000_000_000, '10000000000']) {
      expect((await give(amount)).status).toBe(200);
    }
    const total = (await balancesOf())[asset === 'XLM' ? 1 : 0];
    expect(Math.floor(total ?? 0)).toBe(11_000_100_000 + (asset === 'XLM' ? 99 : 20));
  });

  it('400 beyond what an account can hold', async () => {
    const give = (amount: unknown) => sandbox.control('POST', '/faucet', { address: wallet.publicKey(), asset: 'USDC', amount });
    expect((await give('900000000000')).status).toBe(200);
    expect(await give('900000000000')).toMatchObject({ status: 400, body: { codes: ['op_line_full'] } });
    for (const amount of [1e12, 1e21, '1e9', '0.00000001', -1]) expect((await give(amount)).status).toBe(400);
  });
});
