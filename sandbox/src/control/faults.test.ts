import { request } from 'node:http';
import { Asset, Operation } from '@stellar/stellar-sdk';
import { eventually } from '@holdfast/testing/eventually';
import { createParties, fund, fundedEscrow, singleRelease, type Parties } from '../testing/parties.js';
import { runSandbox, signed, type RunningSandbox } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
let parties: Parties;
beforeAll(async () => {
  sandbox = await runSandbox();
  parties = await createParties(sandbox, 5_000);
});
afterEach(() => sandbox.control('DELETE', '/faults'));
afterAll(() => sandbox.close());

const fault = (kind: string, more: object = {}) =>
  sandbox.control('POST', '/faults', { target: 'escrow-provider', operation: 'fund', kind, times: 1, ...more });
const balanceOf = async (contractId: string): Promise<number> =>
  (await sandbox.read(`/helper/get-multiple-escrow-balance?addresses[]=${contractId}`)).body[0].balance;
const buildFund = (contractId: string) =>
  sandbox.escrow('/escrow/single-release/fund-escrow', { contractId, signer: parties.buyer.publicKey(), amount: 1 });

describe('faults of the escrow provider', () => {
  it('are added once for a reference', async () => {
    const [first, again] = [await fault('malformed', { reference: 'one' }), await fault('malformed', { reference: 'one' })];
    expect([first.status, again.body]).toEqual([201, first.body]);
    expect((await sandbox.control('GET', '/faults')).body).toHaveLength(1);
  });

  it.each([
    ['error-before-effect', 500],
    ['rate-limited', 429],
    ['malformed', 200],
  ])('%s applies to the build call, once', async (kind, status) => {
    const contractId = await fundedEscrow(sandbox, parties);
    await fault(kind);
    const faulty = await buildFund(contractId);
    expect(faulty.status).toBe(status);
    expect(faulty.body?.unsignedTransaction).toBeUndefined();
    expect(await buildFund(contractId)).toMatchObject({ status: 200, body: { status: 'SUCCESS' } });
  });

  it('error-after-effect responds with an unknown result although the transaction has landed', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await fault('error-after-effect');
    const transaction = signed(await buildFund(contractId), parties.buyer, sandbox.networkPassphrase);
    expect(await sandbox.send(transaction)).toMatchObject({
      status: 500,
      body: { message: expect.stringContaining('not available') },
    });
    expect(await balanceOf(contractId)).toBe(101);
    expect(await sandbox.send(transaction)).toMatchObject({ status: 200, body: { status: 'SUCCESS' } });
    expect(await balanceOf(contractId)).toBe(101);
  });

  it('timeout-after-effect holds the connection until the faults are deleted', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await fault('timeout-after-effect');
    let hasResponded = false;
    const sending = fund(sandbox, parties, contractId, 1).then((response) => {
      hasResponded = true;
      return response;
    });
    await eventually(async () => expect(await balanceOf(contractId)).toBe(101));
    expect(hasResponded).toBe(false);
    await sandbox.control('DELETE', '/faults');
    expect(await sending).toMatchObject({ status: 200 });
  });

  it('timeout-after-effect releases the connection of a client that disconnects', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await fault('timeout-after-effect');
    const signedXdr = signed(await buildFund(contractId), parties.buyer, sandbox.networkPassphrase).toXDR();
    const headers = { 'x-api-key': sandbox.escrowApiKey };
    const clientRequest = request(`${sandbox.escrowProviderUrl}/helper/send-transaction`, { method: 'POST', headers });
    clientRequest.on('error', () => undefined);
    clientRequest.end(JSON.stringify({ signedXdr }));
    await eventually(async () => expect(await balanceOf(contractId)).toBe(101));
    clientRequest.destroy();
    await new Promise((resolve) => clientRequest.once('close', resolve));
    expect(await sandbox.read(`/helper/get-escrow-by-contract-ids?contractIds[]=${contractId}`)).toMatchObject({ status: 200 });
  });

  it('no-contract-id deploys the contract, which only a look-up finds', async () => {
    await fault('no-contract-id', { operation: 'deploy' });
    const body = singleRelease(sandbox, parties, { engagementId: 'ord_nameless' });
    const deployed = await sandbox.write('/deployer/single-release', body, parties.buyer);
    expect(deployed).toMatchObject({ status: 200, body: { status: 'SUCCESS' } });
    expect(Object.keys(deployed.body)).toEqual(['status', 'message']);
    const path = `/helper/get-escrows-by-signer?signer=${parties.buyer.publicKey()}&engagementId=ord_nameless`;
    expect((await sandbox.read(path)).body).toHaveLength(1);
  });

  it('latency delays a call, and faults apply to reads', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await fault('latency', { latencyMs: 60 });
    const startedAt = performance.now();
    await buildFund(contractId);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(55);
    await fault('error-before-effect', { operation: 'read' });
    const path = `/helper/get-escrow-by-contract-ids?contractIds[]=${contractId}`;
    expect((await sandbox.read(path)).status).toBe(500);
    expect((await sandbox.read(path)).status).toBe(200);
  });
});

describe('faults', () => {
  it('without times apply until they are deleted, and count their strikes', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await fault('rate-limited', { times: undefined });
    for (let call = 0; call < 3; call += 1) expect((await buildFund(contractId)).status).toBe(429);
    expect((await sandbox.control('GET', '/faults')).body).toMatchObject([{ kind: 'rate-limited', strikes: 3 }]);
    await sandbox.control('DELETE', '/faults');
    expect((await buildFund(contractId)).status).toBe(200);
  });

  it('with a probability of zero never apply', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await fault('rate-limited', { times: undefined, probability: 0 });
    expect((await buildFund(contractId)).status).toBe(200);
  });

  it.each([
    { target: 'nobody', kind: 'latency' },
    { target: 'escrow-provider', operation: 'submit', kind: 'latency' },
    { target: 'escrow-provider', operation: 'fund', kind: 'fire' },
    { target: 'escrow-provider', operation: 'fund', kind: 'latency', times: 0 },
  ])('400 for %j', async (body) => {
    expect((await sandbox.control('POST', '/faults', body)).status).toBe(400);
  });
});

describe('faults of the ledger network', () => {
  const strike = (kind: string, operation: string) =>
    sandbox.control('POST', '/faults', { target: 'ledger-network', operation, kind, times: 1 });

  it('hide the result of a landed submission', async () => {
    const key = await sandbox.wallet();
    const payment = Operation.payment({ destination: sandbox.faucetAddress, asset: Asset.native(), amount: '1' });
    const transaction = await sandbox.transaction(key, [payment]);
    await strike('error-after-effect', 'submit');
    await expect(sandbox.horizon.submitTransaction(transaction)).rejects.toMatchObject({ response: { status: 504 } });
    const hash = transaction.hash().toString('hex');
    expect(await sandbox.horizon.transactions().transaction(hash).call()).toMatchObject({ successful: true });
  });

  it('prevent a submission from landing', async () => {
    const key = await sandbox.wallet();
    const payment = Operation.payment({ destination: sandbox.faucetAddress, asset: Asset.native(), amount: '1' });
    const transaction = await sandbox.transaction(key, [payment]);
    await strike('error-before-effect', 'submit');
    await expect(sandbox.horizon.submitTransaction(transaction)).rejects.toMatchObject({ response: { status: 500 } });
    await expect(sandbox.horizon.transactions().transaction(transaction.hash().toString('hex')).call()).rejects.toThrow();
  });

  it('apply to reads', async () => {
    await strike('rate-limited', 'read');
    await expect(sandbox.horizon.loadAccount(sandbox.faucetAddress)).rejects.toThrow();
    expect((await sandbox.horizon.loadAccount(sandbox.faucetAddress)).account_id).toBe(sandbox.faucetAddress);
  });
});
