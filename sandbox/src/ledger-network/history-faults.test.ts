import { Asset, Operation, type Keypair } from '@stellar/stellar-sdk';
import { eventually } from '@holdfast/testing/eventually';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
let [alice, bob]: [Keypair, Keypair] | [] = [];
let cursor: string;

beforeAll(async () => {
  sandbox = await runSandbox();
  [alice, bob] = [await sandbox.wallet(), await sandbox.wallet()];
  const { body } = await sandbox.request('GET', `${sandbox.url}/operations?order=desc&limit=1`);
  cursor = body._embedded.records[0].paging_token;
  const pay = Operation.payment({ destination: bob.publicKey(), asset: Asset.native(), amount: '2' });
  await sandbox.horizon.submitTransaction(
    await sandbox.transaction(alice, [Operation.changeTrust({ asset: new Asset('USDC', sandbox.usdcIssuer) }), pay, pay]),
  );
});
afterEach(() => sandbox.control('DELETE', '/faults'));
afterAll(() => sandbox.close());

const arm = (kind: string, more: object = {}) =>
  sandbox.control('POST', '/faults', { target: 'ledger-network', operation: 'history', kind, times: 1, ...more });
const list = (path = '/operations') => sandbox.request('GET', `${sandbox.url}${path}?cursor=${cursor}&join=transactions`);
const strikes = async (): Promise<unknown> => (await sandbox.control('GET', '/faults')).body[0].strikes;

describe('a fault of the history', () => {
  it('malformed: the fields of one record have other types, and the cursor can continue', async () => {
    const honest = (await list()).body._embedded.records;
    await arm('malformed');
    const { status, body } = await list();
    expect(status).toBe(200);
    const [trust, struck, other] = body._embedded.records;
    expect([trust, other]).toEqual([honest[0], honest[2]]);
    const { id, paging_token, type, transaction_hash, transaction } = honest[1];
    expect(struck).toMatchObject({ id, paging_token, type, transaction_hash, transaction });
    expect(struck).toMatchObject({ amount: { value: '2.0000000' }, to: { value: bob?.publicKey() } });
    expect((await list()).body._embedded.records).toEqual(honest);
  });

  it('unknown-operation: a new type, with the affected account and without an amount', async () => {
    const honest = (await list('/payments')).body._embedded.records;
    await arm('unknown-operation');
    const [struck, other] = (await list('/payments')).body._embedded.records;
    const { id, paging_token, transaction_hash } = honest[0];
    expect(struck).toMatchObject({ id, paging_token, transaction_hash, type: 'bestow_balance', beneficiary: bob?.publicKey() });
    expect(struck).not.toHaveProperty('amount');
    expect(other).toEqual(honest[1]);
  });

  it.each(['malformed', 'unknown-operation'])('%s is not used up by an empty list', async (kind) => {
    await arm(kind);
    const { body } = await sandbox.request('GET', `${sandbox.url}/operations?cursor=now`);
    expect([body._embedded.records, await strikes()]).toEqual([[], 0]);
  });

  it.each([
    ['rate-limited', 429, 'Rate Limit Exceeded'],
    ['error-before-effect', 503, 'Still Ingesting'],
  ])('%s is %i for all lists', async (kind, status, title) => {
    for (const path of ['/operations', '/payments', `/accounts/${bob?.publicKey() ?? ''}/payments`]) {
      await arm(kind);
      expect(await list(path)).toMatchObject({ status, body: { title } });
      await sandbox.control('DELETE', '/faults');
    }
  });

  it('latency delays a list until the faults are deleted', async () => {
    await arm('latency', { latencyMs: 600_000 });
    const delayed = list();
    await eventually(async () => expect(await strikes()).toBe(1));
    await sandbox.control('DELETE', '/faults');
    expect((await delayed).status).toBe(200);
  });

  it('does not strike other reads', async () => {
    await arm('rate-limited');
    const { hash } = (await list(`/accounts/${alice?.publicKey() ?? ''}/transactions`)).body._embedded.records[0];
    expect((await sandbox.request('GET', `${sandbox.url}/transactions/${hash}/operations`)).status).toBe(200);
    expect((await sandbox.horizon.loadAccount(sandbox.faucetAddress)).account_id).toBe(sandbox.faucetAddress);
    expect(await strikes()).toBe(0);
  });
});

describe('a fault of reads', () => {
  it.each([{ operation: 'read' }, { operation: undefined }])('also strikes the history, once: %o', async (given) => {
    await arm('malformed', given);
    const { body } = await list();
    expect([typeof body, await strikes()]).toEqual(['string', 1]);
    expect(typeof (await list()).body).toBe('object');
  });
});
