import {
  Account,
  Asset,
  Contract,
  Operation,
  SorobanDataBuilder,
  TransactionBuilder,
  rpc,
  scValToNative,
  type xdr,
} from '@stellar/stellar-sdk';
import { systemClock } from '@holdfast/kernel/context';
import { complete, createParties, fundedEscrow, singleRelease, type Parties } from '../testing/parties.js';
import { runSandbox, signed, type RunningSandbox } from '../testing/running-sandbox.js';
import { scv } from '../testing/scvals.js';

let sandbox: RunningSandbox;
let server: rpc.Server;
let parties: Parties;
beforeAll(async () => {
  sandbox = await runSandbox();
  server = new rpc.Server(sandbox.rpcUrl, { allowHttp: true });
  parties = await createParties(sandbox, 5_000);
});
afterAll(() => sandbox.close());

async function transactionOf(operation: xdr.Operation, sorobanData?: xdr.SorobanTransactionData) {
  const { sequence } = await sandbox.horizon.loadAccount(parties.buyer.publicKey());
  const maxTime = Math.floor(systemClock().epochMs() / 1_000) + 300;
  return new TransactionBuilder(new Account(parties.buyer.publicKey(), sequence), {
    fee: '100',
    networkPassphrase: sandbox.networkPassphrase,
    timebounds: { minTime: 0, maxTime },
    ...(sorobanData === undefined ? {} : { sorobanData }),
  })
    .addOperation(operation)
    .build();
}

async function simulated(contractId: string, name: string, ...args: readonly xdr.ScVal[]) {
  return server.simulateTransaction(await transactionOf(new Contract(contractId).call(name, ...args)));
}

async function valueOf(...given: Parameters<typeof simulated>): Promise<unknown> {
  const simulation = await simulated(...given);
  if (!rpc.Api.isSimulationSuccess(simulation)) throw new Error(JSON.stringify(simulation));
  return simulation.result === undefined ? undefined : scValToNative(simulation.result.retval);
}

const errorOf = async (...given: Parameters<typeof simulated>): Promise<string> => {
  const simulation = await simulated(...given);
  return rpc.Api.isSimulationError(simulation) ? simulation.error : 'no error';
};

describe('reads of a contract', () => {
  it('return its struct', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    expect(await valueOf(contractId, 'get_escrow')).toMatchObject({ engagement_id: 'ord_1', amount: 1_000_000_000n });
    const { factory } = sandbox.contracts['single-release'];
    const byId = await valueOf(factory, 'get_escrow_by_contract_id', scv.address(contractId));
    expect(byId).toMatchObject({ engagement_id: 'ord_1' });
  });

  it('return balances of up to 20 contracts', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const balances = await valueOf(contractId, 'get_multiple_escrow_balances', scv.vec(scv.address(contractId)));
    expect(balances).toEqual([{ address: contractId, balance: 1_000_000_000n, trustline_decimals: 7 }]);
    const many = scv.vec(...Array.from({ length: 21 }, () => scv.address(contractId)));
    expect(await errorOf(contractId, 'get_multiple_escrow_balances', many)).toMatch('Too many');
  });

  it('fail where there is no escrow, and for other arguments', async () => {
    const { factory } = sandbox.contracts['single-release'];
    expect(await errorOf(factory, 'get_escrow')).toMatch('not found');
    expect(await errorOf(factory, 'get_escrow', scv.u32(1))).toMatch('0 arguments');
    expect(await errorOf(factory, 'get_escrow_by_contract_id', scv.string(factory))).toMatch('scvString');
  });

  it('leave no trace', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const before = await sandbox.control('GET', '/state');
    await simulated(contractId, 'get_escrow');
    const after = await sandbox.control('GET', '/state');
    expect(after.body.contracts).toEqual(before.body.contracts);
    expect(after.body.accounts).toEqual(before.body.accounts);
  });
});

describe('calls of the provider', () => {
  it('are simulated with the resources and the authorization with which they were built', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const body = { contractId, signer: parties.buyer.publicKey(), amount: 5 };
    const built = await sandbox.escrow('/escrow/single-release/fund-escrow', body);
    const transaction = signed(built, parties.buyer, sandbox.networkPassphrase);

    const simulation = await server.simulateTransaction(transaction);

    if (!rpc.Api.isSimulationSuccess(simulation)) throw new Error(simulation.error);
    const resources = transaction.toEnvelope().v1().tx().ext().sorobanData();
    expect(simulation.minResourceFee).toBe(resources.resourceFee().toString());
    expect(simulation.transactionData.build().toXDR('base64')).toBe(resources.toXDR('base64'));
    const root = simulation.result?.auth[0]?.rootInvocation();
    expect(root?.subInvocations()[0]?.function().contractFn().functionName().toString()).toBe('transfer');
    expect(rpc.Api.isSimulationRestore(simulation)).toBe(false);
  });

  it('can be built from nothing but the call, by prepareTransaction', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await complete(sandbox, parties, contractId);
    const call = new Contract(contractId).call('approve_milestone', scv.u32(0), scv.address(parties.buyer));
    const prepared = await server.prepareTransaction(await transactionOf(call));
    prepared.sign(parties.buyer);
    const { hash, status } = await server.sendTransaction(prepared);
    expect(status).toBe('PENDING');
    expect((await server.getTransaction(hash)).status).toBe('SUCCESS');
  });

  it('return the address of a deployment', async () => {
    const built = await sandbox.escrow('/deployer/single-release', singleRelease(sandbox, parties));
    const simulation = await server.simulateTransaction(signed(built, parties.buyer, sandbox.networkPassphrase));
    if (!rpc.Api.isSimulationSuccess(simulation) || simulation.result === undefined) throw new Error('no result');
    expect(scValToNative(simulation.result.retval)).toMatchObject([expect.stringMatching(/^C/), { engagement_id: 'ord_1' }]);
  });

  it('fail with the text of the contract', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    expect(await errorOf(contractId, 'approve_milestone', scv.u32(7), scv.address(parties.buyer))).toMatch('HostError: ');
    expect(await errorOf(contractId, 'do_something')).toMatch('no such function');
  });

  it('have a preamble that restores archived entries', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await sandbox.control('POST', `/contracts/${contractId}/archive`);

    const simulation = await simulated(contractId, 'get_escrow');

    if (!rpc.Api.isSimulationRestore(simulation)) throw new Error('no preamble');
    expect(scValToNative(simulation.result.retval)).toMatchObject({ engagement_id: 'ord_1' });
    expect(simulation.transactionData.build().ext().resourceExt().archivedSorobanEntries()).toHaveLength(2);
    const { transactionData, minResourceFee } = simulation.restorePreamble;
    const data = transactionData.setResourceFee(minResourceFee).build();
    const restoring = await transactionOf(Operation.restoreFootprint({}), data);
    restoring.sign(parties.buyer);
    expect((await server.sendTransaction(restoring)).status).toBe('PENDING');
    expect(rpc.Api.isSimulationRestore(await simulated(contractId, 'get_escrow'))).toBe(false);
  });
});

describe('other transactions', () => {
  it('that extend or restore need the footprint that they have', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const data = new SorobanDataBuilder().setReadOnly([new Contract(contractId).getFootprint()]).build();
    const prepared = await server.prepareTransaction(
      await transactionOf(Operation.extendFootprintTtl({ extendTo: 5_000 }), data),
    );
    prepared.sign(parties.buyer);
    const { hash } = await server.sendTransaction(prepared);
    expect((await server.getTransaction(hash)).status).toBe('SUCCESS');
  });

  it('cannot be simulated', async () => {
    const payment = Operation.payment({ destination: sandbox.faucetAddress, amount: '1', asset: Asset.native() });
    expect(await server.simulateTransaction(await transactionOf(payment))).toMatchObject({
      error: expect.stringMatching('payment cannot be simulated'),
    });
    const call = { jsonrpc: '2.0', id: 1, method: 'simulateTransaction', params: { transaction: 'AAAA' } };
    expect((await sandbox.request('POST', sandbox.rpcUrl, call)).body.result.error).toMatch('Could not unmarshal');
  });
});
