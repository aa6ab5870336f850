import { Asset, Operation, rpc, scValToNative, xdr } from '@stellar/stellar-sdk';
import { manualClock, type ManualClock } from '@holdfast/testing/clock';
import { complete, createParties, fund, fundedEscrow } from '../testing/parties.js';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';

let clock: ManualClock;
let sandbox: RunningSandbox;
let server: rpc.Server;
beforeEach(async () => {
  clock = manualClock();
  sandbox = await runSandbox({ clock });
  server = new rpc.Server(sandbox.rpcUrl, { allowHttp: true });
});
afterEach(() => sandbox.close());

const lag = (more: object = {}) =>
  sandbox.control('POST', '/faults', { target: 'ledger-network', operation: 'read', kind: 'lagging-node', ...more });
const pay = (amount: string): xdr.Operation =>
  Operation.payment({ destination: sandbox.faucetAddress, amount, asset: Asset.native() });

/** A landed payment of 1 XLM; the transaction and the payer's sequence number and balance before it. */
async function landedPayment() {
  const alice = await sandbox.wallet();
  const address = alice.publicKey();
  const { sequence, balances } = await sandbox.horizon.loadAccount(address);
  const maxTime = Math.floor(clock.epochMs() / 1_000) + 30;
  const transaction = await sandbox.transaction(alice, [pay('1')], { maxTime });
  const { hash } = await server.sendTransaction(transaction);
  return { address, transaction, hash, sequence, balance: balances.at(-1)?.balance };
}

describe('the fault lagging-node', () => {
  it('serves every second read of RPC from the ledger before, the first one too', async () => {
    const { hash } = await landedPayment();
    await lag();

    const [behind, current, behindAgain] = [
      await server.getTransaction(hash),
      await server.getTransaction(hash),
      await server.getTransaction(hash),
    ];

    expect([behind.status, current.status, behindAgain.status]).toEqual(['NOT_FOUND', 'SUCCESS', 'NOT_FOUND']);
    expect(behind.latestLedger).toBe(current.latestLedger - 1);
    const { sequence } = await server.getLatestLedger();
    expect(sequence).toBe(current.latestLedger);
    await sandbox.control('DELETE', '/faults');
    expect((await server.getTransaction(hash)).status).toBe('SUCCESS');
  });

  it('serves reads of Horizon from the ledger before', async () => {
    const { address, hash, sequence, balance } = await landedPayment();
    await lag({ probability: 1 });
    const { horizon } = sandbox;

    const account = await horizon.loadAccount(address);
    expect(account.sequence).toBe(sequence);
    expect(account.balances.at(-1)?.balance).toBe(balance);
    await expect(horizon.transactions().transaction(hash).call()).rejects.toMatchObject({ response: { status: 404 } });
    const operations = await horizon.operations().order('desc').limit(1).call();
    expect(operations.records[0]?.transaction_hash).not.toBe(hash);
    const transactions = await horizon.transactions().forAccount(address).call();
    expect(transactions.records.map((each) => each.hash)).not.toContain(hash);
    const asc = await horizon.payments().forAccount(address).call();
    expect(asc.records.map((each) => each.transaction_hash)).not.toContain(hash);
    await sandbox.control('DELETE', '/faults');
    expect((await horizon.operations().order('desc').limit(1).call()).records[0]?.transaction_hash).toBe(hash);
  });

  it('serves the entries of a contract from the ledger before', async () => {
    const parties = await createParties(sandbox);
    const contractId = await fundedEscrow(sandbox, parties);
    const usdc = new Asset('USDC', sandbox.usdcIssuer);
    const balance = async () => (await server.getAssetBalance(contractId, usdc, sandbox.networkPassphrase)).balanceEntry?.amount;
    const key = xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Escrow')]);
    const status = async () => {
      const { val } = await server.getContractData(contractId, key);
      return scValToNative(val.contractData().val()).milestones[0].status;
    };
    await fund(sandbox, parties, contractId, 5);
    await lag();
    expect([await balance(), await balance()]).toEqual(['1000000000', '1050000000']);

    await complete(sandbox, parties, contractId);

    expect([await status(), await status()]).toEqual(['pending', 'completed']);
  });

  it('is one empty ledger behind once an empty one has closed', async () => {
    const { hash } = await landedPayment();
    clock.advance(1_000);
    const { sequence } = await server.getLatestLedger();
    await lag();

    const behind = await server.getTransaction(hash);

    expect(behind).toMatchObject({ status: 'SUCCESS', latestLedger: sequence - 1 });
  });

  it('does not lag for ever: the ledgers of a lagging node close with time', async () => {
    const { hash } = await landedPayment();
    await lag({ probability: 1 });
    expect((await server.getTransaction(hash)).status).toBe('NOT_FOUND');
    clock.advance(2_000);
    expect((await server.getTransaction(hash)).status).toBe('SUCCESS');
  });

  it('never makes a landed transaction look expired', async () => {
    const { hash, transaction } = await landedPayment();
    await lag({ probability: 1 });
    clock.advance(1_999);

    const behind = await server.getTransaction(hash);

    expect(behind.status).toBe('NOT_FOUND');
    expect(Number(behind.latestLedgerCloseTime as unknown)).toBeLessThanOrEqual(Number(transaction.timeBounds?.maxTime));
  });

  it('strikes as often as `times` says', async () => {
    const { hash } = await landedPayment();
    await lag({ times: 1, probability: 1 });
    expect((await server.getTransaction(hash)).status).toBe('NOT_FOUND');
    expect((await server.getTransaction(hash)).status).toBe('SUCCESS');
  });

  it('does not concern submissions', async () => {
    const alice = await sandbox.wallet();
    const { sequence } = await sandbox.horizon.loadAccount(alice.publicKey());
    await lag({ probability: 1 });
    const numbers = [0n, 1n].map((offset) => (BigInt(sequence) + offset).toString());
    const maxTime = Math.floor(clock.epochMs() / 1_000) + 30;
    for (const number of numbers) {
      const transaction = await sandbox.transaction(alice, [pay('1')], { sequence: number, maxTime });
      expect((await server.sendTransaction(transaction)).status).toBe('PENDING');
    }
  });
});
