import { Account, Asset, Contract, Operation, SorobanDataBuilder, TransactionBuilder, rpc, xdr } from '@stellar/stellar-sdk';
import { systemClock } from '@holdfast/kernel/context';
import { approve, complete, createParties, fund, fundedEscrow, multiRelease, type Parties } from '../testing/parties.js';
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

const data = (contractId: string, key: xdr.ScVal): xdr.LedgerKey =>
  xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: new Contract(contractId).address().toScAddress(),
      key,
      durability: xdr.ContractDataDurability.persistent(),
    }),
  );
const token = (): string => new Asset('USDC', sandbox.usdcIssuer).contractId(sandbox.networkPassphrase);
const keysOf = (contractId: string): readonly xdr.LedgerKey[] => [
  new Contract(contractId).getFootprint(),
  data(contractId, scv.vec(scv.symbol('Escrow'))),
  data(token(), scv.vec(scv.symbol('Balance'), scv.address(contractId))),
];
/** Last ledger of each entry: of the instance, the escrow and the balance. */
const lastLedgers = async (contractId: string): Promise<readonly (number | undefined)[]> => {
  const { entries } = await server.getLedgerEntries(...keysOf(contractId));
  return entries.map(({ liveUntilLedgerSeq }) => liveUntilLedgerSeq);
};
const archive = (contractId: string) => sandbox.control('POST', `/contracts/${contractId}/archive`);
const setTtl = (contractId: string, ledgers: unknown) => sandbox.control('POST', `/contracts/${contractId}/ttl`, { ledgers });
const approval = (contractId: string) => ({ contractId, milestoneIndex: '0', approver: parties.buyer.publicKey() });
const buildApproval = (contractId: string) => sandbox.escrow('/escrow/single-release/approve-milestone', approval(contractId));

/** A transaction with one operation on the entries of its footprint. */
async function footprintTransaction(operation: xdr.Operation, footprint: SorobanDataBuilder, fee = '100') {
  const { sequence } = await sandbox.horizon.loadAccount(parties.buyer.publicKey());
  const maxTime = Math.floor(systemClock().epochMs() / 1_000) + 300;
  const transaction = new TransactionBuilder(new Account(parties.buyer.publicKey(), sequence), {
    fee,
    networkPassphrase: sandbox.networkPassphrase,
    timebounds: { minTime: 0, maxTime },
    sorobanData: footprint.setResourceFee('50000').build(),
  })
    .addOperation(operation)
    .build();
  transaction.sign(parties.buyer);
  return transaction;
}

async function statusOf(...given: Parameters<typeof footprintTransaction>): Promise<string> {
  const { hash, status } = await server.sendTransaction(await footprintTransaction(...given));
  return status === 'PENDING' ? (await server.getTransaction(hash)).status : status;
}

const extend = (extendTo: number, keys: readonly xdr.LedgerKey[]) =>
  statusOf(Operation.extendFootprintTtl({ extendTo }), new SorobanDataBuilder().setReadOnly([...keys]));
const restore = (keys: readonly xdr.LedgerKey[]) =>
  statusOf(Operation.restoreFootprint({}), new SorobanDataBuilder().setReadWrite([...keys]));

describe('an archived contract', () => {
  it('is left out of the ledger entries, and a call without its entries fails', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await complete(sandbox, parties, contractId);
    const built = signed(await buildApproval(contractId), parties.buyer, sandbox.networkPassphrase);
    expect(await archive(contractId)).toMatchObject({ status: 200 });

    expect(await lastLedgers(contractId)).toEqual([]);
    const found = await server.getTransaction((await server.sendTransaction(built)).hash);
    if (found.status !== rpc.Api.GetTransactionStatus.FAILED) throw new Error(`the transaction is ${found.status}`);
    const [result] = found.resultXdr.result().results();
    expect(result?.tr().invokeHostFunctionResult().switch().name).toBe('invokeHostFunctionEntryArchived');
  });

  it('is restored by a call of the provider, which names the archived entries and costs more', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await complete(sandbox, parties, contractId);
    const usual = signed(await buildApproval(contractId), parties.buyer, sandbox.networkPassphrase);
    await archive(contractId);

    const transaction = signed(await buildApproval(contractId), parties.buyer, sandbox.networkPassphrase);
    const resources = transaction.toEnvelope().v1().tx().ext().sorobanData();
    const readWrite = resources.resources().footprint().readWrite();
    const restored = resources.ext().resourceExt().archivedSorobanEntries();
    const [instance, escrow] = keysOf(contractId).map((key) => key.toXDR('base64'));
    expect(restored.map((index) => readWrite[index]?.toXDR('base64')).sort()).toEqual([instance, escrow].sort());
    expect(Number(transaction.fee)).toBeGreaterThan(Number(usual.fee));
    expect(Number(transaction.fee)).toBeLessThan(10_000_000);

    const { hash } = await server.sendTransaction(transaction);
    expect((await server.getTransaction(hash)).status).toBe('SUCCESS');
    // The call has not used the balance, so that is still archived.
    expect(await lastLedgers(contractId)).toHaveLength(2);
  });

  it('pays out after its balance was archived', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await complete(sandbox, parties, contractId);
    await approve(sandbox, parties, contractId);
    await archive(contractId);
    const before = await sandbox.balance(parties.seller.publicKey());

    const body = { contractId, releaseSigner: parties.buyer.publicKey() };
    const released = await sandbox.write('/escrow/single-release/release-funds', body, parties.buyer);

    expect(released).toMatchObject({ status: 200 });
    expect((await sandbox.balance(parties.seller.publicKey())) - before).toBeCloseTo(94.7);
    const balance = await server.getAssetBalance(contractId, new Asset('USDC', sandbox.usdcIssuer), sandbox.networkPassphrase);
    expect(balance.balanceEntry?.amount).toBe('0');
  });

  it('is restored by the operation RestoreFootprint', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await archive(contractId);
    expect(await restore(keysOf(contractId))).toBe('SUCCESS');
    expect(await lastLedgers(contractId)).toHaveLength(3);
    expect((await complete(sandbox, parties, contractId)).status).toBe(200);
  });

  it('of the type multi-release is restored with its instance', async () => {
    const { body } = await sandbox.write('/deployer/multi-release', multiRelease(sandbox, parties, [1]), parties.buyer);
    await archive(body.contractId);
    expect(await lastLedgers(body.contractId)).toEqual([]);
    expect((await complete(sandbox, parties, body.contractId, { type: 'multi-release' })).status).toBe(200);
    expect(await lastLedgers(body.contractId)).toHaveLength(1);
  });
});

describe('the life of entries', () => {
  it('is extended by the operation ExtendFootprintTTL, never shortened', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await setTtl(contractId, 1_000);
    const { sequence } = await server.getLatestLedger();

    expect(await extend(500_000, keysOf(contractId))).toBe('SUCCESS');

    const [instance = 0, escrow = 0, balance = 0] = await lastLedgers(contractId);
    expect(Math.min(instance, escrow, balance)).toBeGreaterThan(sequence + 500_000);
    expect(await extend(10, keysOf(contractId))).toBe('SUCCESS');
    expect(await lastLedgers(contractId)).toEqual([instance, escrow, balance]);
  });

  it('is extended by a write when it is short, except for a single-release instance', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await setTtl(contractId, 17_000);
    const [instance, escrow = 0, balance = 0] = await lastLedgers(contractId);

    await fund(sandbox, parties, contractId, 1);

    const after = await lastLedgers(contractId);
    expect(after[0]).toBe(instance);
    expect(after[1]).toBeGreaterThan(escrow + 3_000_000);
    expect(after[2]).toBeGreaterThan(balance + 500_000);
  });

  it('cannot be extended beyond the maximum of the network', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    expect(await extend(3_110_400, keysOf(contractId))).toBe('FAILED');
    expect(await extend(3_110_399, keysOf(contractId))).toBe('SUCCESS');
  });

  it('of archived, missing and other entries is left as it is', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await archive(contractId);
    const accountId = parties.buyer.xdrAccountId();
    const account = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId }));
    expect(await extend(5_000, [...keysOf(contractId), account, new Contract(token()).getFootprint()])).toBe('SUCCESS');
    expect(await lastLedgers(contractId)).toEqual([]);
  });

  it('ends after the set number of ledgers', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await setTtl(contractId, 0);
    await sandbox.wallet();
    expect(await lastLedgers(contractId)).toEqual([]);
  });

  it("is shown in Horizon's list of operations", async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await extend(5_000, keysOf(contractId));
    await restore(keysOf(contractId));
    const { records } = await sandbox.horizon.operations().order('desc').limit(2).call();
    expect(records.map(({ type }) => type)).toEqual(['restore_footprint', 'extend_footprint_ttl']);
  });
});

describe('POST /_sandbox/contracts/{contractId}/ttl', () => {
  it('404 for an unknown contract', async () => {
    expect(await archive(sandbox.contracts['single-release'].factory)).toMatchObject({ status: 404 });
    expect(await setTtl('C', 5)).toMatchObject({ status: 404 });
  });

  it('400 for another number than of ledgers', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    for (const ledgers of [-1, 1.5, '5', undefined, 10 ** 9]) expect((await setTtl(contractId, ledgers)).status).toBe(400);
  });
});
