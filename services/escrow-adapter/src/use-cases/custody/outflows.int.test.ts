import { Account, Asset, Operation, rpc, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';
import type { Outbox } from '@holdfast/messaging/outbox';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { submitOutside } from '../../testing/submit-outside.js';
import { stolenKey } from '@holdfast/ledger-network/signing/testing';
import { walletStore } from '../../store/wallet-store.js';
import { custodyOf, landedIn } from '../../testing/custody.js';
import { aWalletTestbed, testMasterKey, type RunningWallets, type WalletTestbed } from '../../testing/running-wallets.js';
import { aStranger, type Stranger } from '../../testing/stranger.js';

let testbed: WalletTestbed;
let wallets: RunningWallets;
let stranger: Stranger;

beforeAll(async () => {
  testbed = await aWalletTestbed();
  wallets = await testbed.start({ UNKNOWN_OUTFLOW_STOPS: 'true', TREASURY_TRANSFER_APPROVAL_AMOUNT: '50' });
  stranger = await aStranger(testbed.sandbox);
}, serverStartTimeoutMs);

afterAll(() => testbed.end());

const noOutbox: Outbox = {
  add: () => {
    throw new Error('nothing is published here');
  },
  addEnvelopes: () => Promise.reject(new Error('nothing is published here')),
  republish: () => Promise.reject(new Error('nothing is published here')),
  writeWithMessages: () => undefined,
};

const outflows = () => testbed.published.filter(({ type }) => type === 'custody.unknown_outflow_found');
const audits = (action: string) =>
  testbed.published.filter(({ type, payload }) => type === 'audit.recorded' && JSON.stringify(payload).includes(action));

const payment = (amount: string): xdr.Operation =>
  Operation.payment({ destination: stranger.address, asset: new Asset('USDC', testbed.sandbox.usdcIssuer), amount });

const spendAsTreasury = (operation: xdr.Operation): Promise<string> => {
  const { treasury } = testbed;
  return spend(treasury.publicKey(), operation, (hash) => treasury.sign(hash));
};

/** Pays from an account with a stolen key, and returns the hash of the transaction. */
async function spend(address: string, operation: xdr.Operation, sign: (hash: Buffer) => Buffer): Promise<string> {
  const { sandbox } = testbed;
  const { networkPassphrase } = sandbox;
  const server = new rpc.Server(sandbox.rpcUrl, { allowHttp: true });
  return eventually(async () => {
    const account = new Account(address, (await server.getAccount(address)).sequenceNumber());
    const transaction = new TransactionBuilder(account, { fee: '1000', networkPassphrase })
      .addOperation(operation)
      .setTimeout(30)
      .build();
    transaction.addSignature(address, sign(transaction.hash()).toString('base64'));
    return submitOutside(sandbox, transaction.toXDR());
  });
}

const landed = (hash: string) =>
  eventually(() => {
    const found = landedIn(testbed.published).find(({ transactionHash }) => transactionHash === hash);
    if (found === undefined) throw new Error('the transaction is not published yet');
    return found;
  });

const expectTransfer = (amount: string, by: string, to = stranger.address) =>
  wallets.post(
    '/internal/treasury/expected-transfers',
    { to, asset: 'USDC', amount, by, reason: 'dividend' },
    { type: 'system' },
  );

describe('tokens that leave the treasury in a transaction that the platform has not made', () => {
  it('are reported with their amount and receiver, and turn the emergency stop on', async () => {
    const hash = await spendAsTreasury(payment('12.5'));
    await landed(hash);
    await eventually(() => expect(outflows()).toHaveLength(1));
    const payload = { sourceId: `${hash}-1`, place: 'treasury', userId: null, amount: '12.50', currency: 'USDC' };
    expect(outflows()).toMatchObject([{ payload: { ...payload, to: stranger.address, stopsPayouts: true } }]);
  });

  it('are reported also where an offer hides how many', async () => {
    const usdc = new Asset('USDC', testbed.sandbox.usdcIssuer);
    const before = outflows().length;
    await spendAsTreasury(Operation.manageSellOffer({ selling: usdc, buying: Asset.native(), amount: '5', price: '1' }));
    await eventually(() => expect(outflows()).toHaveLength(before + 1));
    expect(outflows().at(-1)).toMatchObject({ payload: { place: 'treasury', amount: '0.00', to: null, stopsPayouts: true } });
  });
});

describe('tokens that leave a wallet in a transaction that the platform has not made', () => {
  it('are reported with the owner of the wallet, and turn the emergency stop on', async () => {
    const { userId, address } = await wallets.aWallet();
    testbed.setOwned(userId, '3.00', 'XLM');
    await testbed.pay(address, 'XLM', '3');
    const database = await testbed.openTables();
    const sealed = await walletStore({ database, outbox: noOutbox }).findSealed(userId);
    if (sealed === undefined) throw new Error('there is no wallet');
    const theft = Operation.payment({ destination: stranger.address, asset: Asset.native(), amount: '1' });
    const hash = await spend(address, theft, stolenKey(testMasterKey, sealed, userId));
    await landed(hash);
    await eventually(() => expect(outflows().some(({ correlationId }) => correlationId === hash)).toBe(true));
    expect(outflows().filter(({ correlationId }) => correlationId === hash)).toMatchObject([
      { payload: { place: 'wallet', userId, amount: '1.00', currency: 'XLM', to: stranger.address, stopsPayouts: true } },
    ]);
  });
});

describe('a transfer that a person has announced', () => {
  it('does not count as an unknown outflow, once, and belongs to the capital', async () => {
    const before = outflows().length;
    expect((await expectTransfer('20', 'Ada')).data).toEqual({ status: 'EXPECTED', announcedBy: 'Ada' });
    const { legs } = await landed(await spendAsTreasury(payment('20')));
    expect(legs).toContainEqual({ place: 'capital', asset: 'USDC', amount: '20.00' });
    expect(legs.filter(({ place }) => place === 'world')).toEqual([]);
    expect(outflows()).toHaveLength(before);
    expect(audits('TREASURY_TRANSFER_EXPECTED')).toHaveLength(1);
    await landed(await spendAsTreasury(payment('20')));
    await eventually(() => expect(outflows()).toHaveLength(before + 1));
  });

  it('needs a second person above the amount', async () => {
    const before = outflows().length;
    const waiting = { status: 'PENDING_APPROVAL', announcedBy: 'Ada' };
    expect((await expectTransfer('60', 'Ada')).data).toEqual(waiting);
    expect((await expectTransfer('60', ' ada ')).data).toEqual(waiting);
    await landed(await spendAsTreasury(payment('60')));
    await eventually(() => expect(outflows()).toHaveLength(before + 1));
    expect((await expectTransfer('60', 'Grace')).data).toEqual({ status: 'EXPECTED', announcedBy: 'Ada' });
    await landed(await spendAsTreasury(payment('60')));
    expect(outflows()).toHaveLength(before + 1);
  });

  it('400 for a text that is not an address, and nothing is stored', async () => {
    expect((await expectTransfer('20', 'Ada', 'nowhere')).status).toBe(400);
    expect(await testbed.database.asAdmin(`select from escrow_adapter.expected_transfers where receiver = 'nowhere'`)).toEqual(
      [],
    );
  });
});

describe('custody', () => {
  it('equals the network, but for the fee of the offer', async () => {
    await eventually(async () => {
      const { wrong } = await custodyOf(testbed);
      expect(wrong.map(({ account, published, onNetwork }) => [account, published - onNetwork])).toEqual([
        ['treasury XLM', 100n],
      ]);
    });
  });
});
