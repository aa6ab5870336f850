import { Asset, Keypair, Operation, rpc, type xdr } from '@stellar/stellar-sdk';
import { changesOf } from '../testing/entry-changes.js';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
let server: rpc.Server;
let [alice, wallet]: readonly [Keypair, Keypair] = [Keypair.random(), Keypair.random()];
/** An asset that a stranger issues in the name of another person's wallet. */
let foreign: Asset;
beforeAll(async () => {
  sandbox = await runSandbox();
  server = new rpc.Server(sandbox.rpcUrl, { allowHttp: true });
});
beforeEach(async () => {
  [alice, wallet] = [await sandbox.wallet(50), await sandbox.wallet(50)];
  foreign = new Asset('XYZ', wallet.publicKey());
});
afterAll(() => sandbox.close());

const native = Asset.native();
const usdc = (): Asset => new Asset('USDC', sandbox.usdcIssuer);
const price = { n: 2, d: 3 };
const trust = (limit?: string) => Operation.changeTrust({ asset: foreign, ...(limit === undefined ? {} : { limit }) });
const sell = (more: object = {}) =>
  Operation.manageSellOffer({ selling: native, buying: foreign, amount: '12.5', price, offerId: '0', ...more });
const buy = (more: object = {}) =>
  Operation.manageBuyOffer({ selling: native, buying: foreign, buyAmount: '3', price: '2', offerId: '0', ...more });
const passive = () => Operation.createPassiveSellOffer({ selling: native, buying: foreign, amount: '1', price });

async function land(...operations: readonly xdr.Operation[]): Promise<string> {
  const transaction = await sandbox.transaction(alice, operations);
  return (await sandbox.horizon.submitTransaction(transaction, { skipMemoRequiredCheck: true })).hash;
}

async function refusal(operation: xdr.Operation, key = alice): Promise<unknown> {
  const transaction = await sandbox.transaction(key, [operation]);
  const url = `${sandbox.url}/transactions`;
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ tx: transaction.toXDR() }) });
  const body = (await response.json()) as { readonly extras?: { readonly result_codes?: { readonly operations?: unknown } } };
  return body.extras?.result_codes?.operations;
}

async function results(hash: string): Promise<readonly xdr.OperationResultTr[]> {
  const found = await server.getTransaction(hash);
  if (found.status === rpc.Api.GetTransactionStatus.NOT_FOUND) throw new Error('the transaction must be known');
  return found.resultXdr
    .result()
    .results()
    .map((result) => result.tr());
}

/** The last record of the list through the SDK, without its links. */
async function lastOperation(): Promise<Record<string, unknown>> {
  const { records } = await sandbox.horizon.operations().order('desc').limit(1).call();
  const { _links, self, transaction, ...record } = { ...records[0] } as Record<string, unknown>;
  return record;
}

const balances = async (key: Keypair): Promise<readonly string[]> =>
  (await sandbox.horizon.loadAccount(key.publicKey())).balances.map(({ balance }) => balance);

async function createdOffer(): Promise<xdr.OfferEntry> {
  const [result] = await results(await land(sell()));
  if (result === undefined) throw new Error('an operation must have a result');
  return result.manageSellOfferResult().success().offer().offer();
}

describe('an offer of a stranger', () => {
  beforeEach(() => land(trust()).then(() => undefined));

  it("manage_sell_offer for an asset of another's wallet has Horizon's record, and moves no balance", async () => {
    const [own, others] = [await balances(alice), await balances(wallet)];
    const hash = await land(sell());

    const record = await lastOperation();

    expect(record).toEqual({
      id: record['paging_token'],
      paging_token: record['paging_token'],
      transaction_successful: true,
      source_account: alice.publicKey(),
      type: 'manage_sell_offer',
      type_i: 3,
      created_at: expect.any(String),
      transaction_hash: hash,
      amount: '12.5000000',
      price: '0.6666667',
      price_r: { n: 2, d: 3 },
      buying_asset_type: 'credit_alphanum4',
      buying_asset_code: 'XYZ',
      buying_asset_issuer: wallet.publicKey(),
      selling_asset_type: 'native',
      offer_id: '0',
    });
    expect(await balances(wallet)).toEqual(others);
    const [before = '', after = ''] = [own.at(-1), (await balances(alice)).at(-1)];
    // Only the fee is gone.
    expect(Math.round((Number(before) - Number(after)) * 1e7)).toBe(100);
    expect((await balances(alice)).slice(0, -1)).toEqual(own.slice(0, -1));
    const { body } = await sandbox.request('GET', `${sandbox.url}/payments?cursor=${String(BigInt(String(record['id'])) - 1n)}`);
    expect(body._embedded.records).toEqual([]);
    expect((await sandbox.request('GET', `${sandbox.url}/operations/${String(record['id'])}/effects`)).body).toMatchObject({
      _embedded: { records: [] },
    });
  });

  it('manage_buy_offer and create_passive_sell_offer have their own records and results', async () => {
    const bought = await land(buy());
    expect(await lastOperation()).toMatchObject({
      type: 'manage_buy_offer',
      type_i: 12,
      amount: '3.0000000',
      price: '2.0000000',
      price_r: { n: 2, d: 1 },
      offer_id: '0',
    });
    const [buyResult] = await results(bought);
    const offer = buyResult?.manageBuyOfferResult().success().offer().offer();
    // The entry is the same as after the equal sale.
    expect([offer?.amount().toString(), offer?.price().n(), offer?.price().d()]).toEqual(['60000000', 1, 2]);

    const created = await land(passive());
    const record = await lastOperation();
    expect(record).toMatchObject({ type: 'create_passive_sell_offer', type_i: 4, amount: '1.0000000' });
    expect(record).not.toHaveProperty('offer_id');
    const [passiveResult] = await results(created);
    expect(passiveResult?.createPassiveSellOfferResult().success().offer().offer().flags()).toBe(1);
  });

  it('is created, updated and deleted, as the results and entry changes say', async () => {
    const created = await createdOffer();
    expect([created.amount().toString(), created.price().n(), created.flags()]).toEqual(['125000000', 2, 0]);
    expect(Asset.fromOperation(created.buying()).toString()).toBe(foreign.toString());
    const offerId = created.offerId().toString();
    expect((await sandbox.horizon.loadAccount(alice.publicKey())).subentry_count).toBe(3);

    const [updated] = await results(await land(sell({ offerId, amount: '1' })));
    expect(updated?.manageSellOfferResult().success().offer().switch().name).toBe('manageOfferUpdated');
    expect(await lastOperation()).toMatchObject({ offer_id: offerId });
    const removal = await land(sell({ offerId, amount: '0' }));
    const [deleted] = await results(removal);
    expect(deleted?.manageSellOfferResult().success().offer().switch().name).toBe('manageOfferDeleted');
    expect(await changesOf(server, removal)).toMatchObject([
      [
        { entry: 'account', change: 'updated', units: 0n },
        { entry: 'offer', change: 'removed', owner: alice.publicKey(), asset: offerId },
      ],
    ]);
    expect((await sandbox.horizon.loadAccount(alice.publicKey())).subentry_count).toBe(2);
    expect(await refusal(sell({ offerId, amount: '0' }))).toEqual(['op_offer_not_found']);
  });

  it('has ids that grow, and none after a failed transaction', async () => {
    const first = BigInt((await createdOffer()).offerId().toString());
    expect(await refusal(sell({ amount: '5000' }))).toEqual(['op_underfunded']);
    expect(BigInt((await createdOffer()).offerId().toString())).toBe(first + 1n);
  });

  it("cannot be changed by others, and counts as one of its account's entries", async () => {
    const offerId = (await createdOffer()).offerId().toString();
    const other = Operation.manageSellOffer({ selling: native, buying: usdc(), amount: '0', price: '1', offerId });
    expect(await refusal(other, wallet)).toEqual(['op_offer_not_found']);
    expect(await refusal(Operation.accountMerge({ destination: wallet.publicKey() }))).toEqual(['op_has_sub_entries']);
  });
});

describe('an offer that the network refuses', () => {
  it.each([
    ['of an asset for itself', () => sell({ buying: native }), 'op_malformed'],
    ['with the price 0', () => sell({ price: { n: 0, d: 1 } }), 'op_malformed'],
    ['with a price divided by 0', () => sell({ price: { n: 1, d: 0 } }), 'op_malformed'],
    ['that deletes a new one', () => sell({ amount: '0' }), 'op_malformed'],
    ['that deletes an unknown one', () => sell({ amount: '0', offerId: '77777' }), 'op_offer_not_found'],
    ['that deletes an unknown one by buying nothing', () => buy({ buyAmount: '0', offerId: '77777' }), 'op_offer_not_found'],
    ['that buys what it does not trust', () => sell(), 'op_buy_no_trust'],
    ['that sells what it does not trust', () => sell({ selling: foreign, buying: native }), 'op_sell_no_trust'],
    ['that buys without a trustline', () => buy(), 'op_buy_no_trust'],
    ['of a passive one without a trustline', () => passive(), 'op_buy_no_trust'],
  ])('%s', async (_what, operation, code) => {
    expect(await refusal(operation())).toEqual([code]);
  });

  it('for want of balance, limit or reserve', async () => {
    await land(trust('5'));
    expect(await refusal(sell({ selling: foreign, buying: native }))).toEqual(['op_underfunded']);
    expect(await refusal(sell({ amount: '99', price: '0.01' }))).toEqual(['op_underfunded']);
    expect(await refusal(sell({ price: '1' }))).toEqual(['op_line_full']);
    expect(await refusal(buy({ buyAmount: '6' }))).toEqual(['op_line_full']);
    const { balances: held } = await sandbox.horizon.loadAccount(alice.publicKey());
    const spare = (Number(held.at(-1)?.balance) - 2.1).toFixed(7);
    await land(Operation.payment({ destination: wallet.publicKey(), asset: native, amount: spare }));
    expect(await refusal(sell({ amount: '0.0000001' }))).toEqual(['op_low_reserve']);
  });

  it('and its failure has the result of its own operation', async () => {
    for (const [operation, resultOf] of [
      [sell(), (tr: xdr.OperationResultTr) => tr.manageSellOfferResult().switch().name],
      [passive(), (tr: xdr.OperationResultTr) => tr.createPassiveSellOfferResult().switch().name],
      [buy(), (tr: xdr.OperationResultTr) => tr.manageBuyOfferResult().switch().name],
    ] as const) {
      const transaction = await sandbox.transaction(alice, [operation]);
      await server.sendTransaction(transaction);
      const [result] = await results(transaction.hash().toString('hex'));
      expect(result === undefined ? '' : resultOf(result)).toMatch(/BuyNoTrust$/);
    }
  });

  it('but the issuer sells and buys its own asset without a trustline', async () => {
    const own = new Asset('OWN', alice.publicKey());
    await land(sell({ selling: own, buying: native }), sell({ buying: own, amount: '1' }));
    expect(await lastOperation()).toMatchObject({ buying_asset_code: 'OWN', transaction_successful: true });
  });
});
