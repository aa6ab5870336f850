import { Asset, Operation, rpc, type Keypair, type xdr } from '@stellar/stellar-sdk';
import { feeBumpOf } from '../testing/fee-bumps.js';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
let server: rpc.Server;
let [alice, bob]: readonly Keypair[] = [];
beforeEach(async () => {
  sandbox = await runSandbox();
  server = new rpc.Server(sandbox.rpcUrl, { allowHttp: true });
  [alice, bob] = [await sandbox.wallet(), await sandbox.wallet()];
});
afterEach(() => sandbox.close());

const keys = (): readonly [Keypair, Keypair] => {
  if (alice === undefined || bob === undefined) throw new Error('two wallets were made');
  return [alice, bob];
};
const pay = (): xdr.Operation => Operation.payment({ destination: sandbox.faucetAddress, amount: '1', asset: Asset.native() });
const minimumBid = (bid: unknown) => sandbox.control('POST', '/fees', { minimumBid: bid });

describe('fee statistics', () => {
  it('show the lowest bid that gets into a ledger', async () => {
    await minimumBid(700);
    const stats = await server.getFeeStats();
    expect(stats.inclusionFee).toMatchObject({ max: '700', min: '700', mode: '700', p50: '700', p90: '700', p99: '700' });
    expect(stats.sorobanInclusionFee).toEqual(stats.inclusionFee);
    expect(await sandbox.horizon.feeStats()).toMatchObject({
      last_ledger_base_fee: '100',
      fee_charged: { max: '700', min: '700', mode: '700' },
      max_fee: { min: '700' },
    });
  });
});

describe('POST /_sandbox/fees', () => {
  it('sets the charge per operation; a fee bump has one more', async () => {
    const [payer, inner] = keys();
    await minimumBid(2_000);
    const transaction = await sandbox.transaction(inner, [pay()]);
    const landed = await sandbox.horizon.submitTransaction(feeBumpOf(sandbox, payer, transaction, '3000'));
    expect(landed).toMatchObject({ fee_charged: '4000', max_fee: '6000' });
  });

  it('400 for anything but whole stroops of at least the base fee', async () => {
    for (const wrong of [99, 100.5, '200', undefined, 10_000_000_000]) expect((await minimumBid(wrong)).status).toBe(400);
    expect(await minimumBid(100)).toEqual({ status: 200, body: { minimumBid: 100 } });
  });

  it('lets a transaction that bids less wait until the minimum is lower, also without a ledger timer', async () => {
    const [payer] = keys();
    await minimumBid(5_000);
    const transaction = await sandbox.transaction(payer, [pay()]);
    const hash = transaction.hash().toString('hex');
    expect((await server.sendTransaction(transaction)).status).toBe('PENDING');
    expect((await server.getTransaction(hash)).status).toBe('NOT_FOUND');
    expect((await server.sendTransaction(transaction)).status).toBe('DUPLICATE');
    await minimumBid(1_000);
    expect((await server.getTransaction(hash)).status).toBe('SUCCESS');
    expect(await sandbox.horizon.transactions().transaction(hash).call()).toMatchObject({ fee_charged: '1000' });
  });

  it('lets a fee bump with a higher bid land the transaction that waits', async () => {
    const [payer, inner] = keys();
    await minimumBid(5_000);
    const transaction = await sandbox.transaction(inner, [pay()]);
    expect((await server.sendTransaction(transaction)).status).toBe('PENDING');
    const bump = feeBumpOf(sandbox, payer, transaction, '10000');
    expect(await sandbox.horizon.submitTransaction(bump)).toMatchObject({ successful: true, fee_charged: '10000' });
    expect((await server.getTransaction(transaction.hash().toString('hex'))).status).toBe('SUCCESS');
  });
});
