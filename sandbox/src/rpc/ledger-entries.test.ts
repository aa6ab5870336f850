import { createHash } from 'node:crypto';
import { Address, Asset, Contract, Keypair, Operation, contract, rpc, scValToNative, xdr } from '@stellar/stellar-sdk';
import { complete, createParties, fund, fundedEscrow, multiRelease, singleRelease, type Parties } from '../testing/parties.js';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
let server: rpc.Server;
let parties: Parties;
beforeAll(async () => {
  sandbox = await runSandbox();
  server = new rpc.Server(sandbox.rpcUrl, { allowHttp: true });
  parties = await createParties(sandbox);
});
afterAll(() => sandbox.close());

const usdc = (): Asset => new Asset('USDC', sandbox.usdcIssuer);
const escrowKey = xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Escrow')]);
const storedEscrow = async (contractId: string): Promise<xdr.ScVal> => {
  const { val } = await server.getContractData(contractId, escrowKey, rpc.Durability.Persistent);
  return val.contractData().val();
};
const instanceOf = async (contractId: string): Promise<xdr.ScContractInstance> => {
  const { val } = await server.getLedgerEntry(new Contract(contractId).getFootprint());
  return val.contractData().val().instance();
};

describe('accounts through the SDK', () => {
  it('returns an account with its sequence number and balance', async () => {
    const key = await sandbox.wallet(12);
    const shown = await sandbox.horizon.loadAccount(key.publicKey());
    expect((await server.getAccount(key.publicKey())).sequenceNumber()).toBe(shown.sequence);
    const entry = await server.getAccountEntry(key.publicKey());
    expect([entry.balance().toString(), entry.numSubEntries()]).toEqual(['999999900', 1]);
  });

  it('returns the balance of an account, which is its trustline', async () => {
    const key = await sandbox.wallet(12);
    expect((await server.getAssetBalance(key.publicKey(), usdc())).balanceEntry).toMatchObject({ amount: '120000000' });
    const other = new Asset('EURC', sandbox.usdcIssuer);
    await expect(server.getAssetBalance(key.publicKey(), other)).rejects.toThrow('not found');
  });

  it('says in which ledger an account has changed last', async () => {
    const key = await sandbox.wallet();
    const transaction = await sandbox.transaction(key, [Operation.changeTrust({ asset: usdc(), limit: '5' })]);
    const { ledger } = await sandbox.horizon.submitTransaction(transaction);
    const ledgerKey = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: key.xdrAccountId() }));
    expect((await server.getLedgerEntry(ledgerKey)).lastModifiedLedgerSeq).toBe(ledger);
  });

  it('leaves missing entries out', async () => {
    const missing = Keypair.random();
    await expect(server.getAccount(missing.publicKey())).rejects.toThrow('Account not found');
    const keys = [missing, parties.buyer].map((key) =>
      xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: key.xdrAccountId() })),
    );
    const { entries, latestLedger } = await server.getLedgerEntries(...keys);
    expect(entries.map(({ key }) => key.toXDR('base64'))).toEqual([keys[1]?.toXDR('base64')]);
    expect(latestLedger).toBeGreaterThan(1);
  });
});

describe('contracts through the SDK', () => {
  it('returns the code of a contract, with the hash of its instance; the factory has the same code', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const { factory, wasmHash } = sandbox.contracts['single-release'];
    const wasm = await server.getContractWasmByContractId(contractId);
    expect(createHash('sha256').update(wasm).digest('hex')).toBe(wasmHash);
    expect(await server.getContractWasmByHash(wasmHash, 'hex')).toEqual(wasm);
    expect(await server.getContractWasmByContractId(factory)).toEqual(wasm);
    const names = contract.Spec.fromWasm(wasm)
      .funcs()
      .map((each) => each.name().toString());
    expect(names).toContain('release_funds');
  });

  it('returns the struct of a single-release contract in a persistent entry, as it is now', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await complete(sandbox, parties, contractId);
    const address = (key: Keypair): string => key.publicKey();

    const struct = await storedEscrow(contractId);

    expect(scValToNative(struct)).toEqual({
      amount: 1_000_000_000n,
      description: 'Made to measure',
      engagement_id: 'ord_1',
      flags: { disputed: false, released: false, resolved: false },
      milestones: [{ approved: false, description: 'all of it', evidence: '', status: 'completed' }],
      platform_fee: 500,
      receiver_memo: 0,
      roles: {
        approver: address(parties.buyer),
        dispute_resolver: address(parties.arbiter),
        platform: address(parties.platform),
        receiver: address(parties.seller),
        release_signer: address(parties.buyer),
        service_provider: address(parties.seller),
      },
      title: 'A website',
      trustline: { address: usdc().contractId(sandbox.networkPassphrase) },
    });
    expect((await instanceOf(contractId)).storage() ?? null).toBeNull();
  });

  it('returns the struct of a multi-release contract in the storage of its instance', async () => {
    const { body } = await sandbox.write('/deployer/multi-release', multiRelease(sandbox, parties, [30, 20]), parties.buyer);
    const instance = await instanceOf(body.contractId);
    expect(instance.executable().wasmHash().toString('hex')).toBe(sandbox.contracts['multi-release'].wasmHash);
    const [stored] = instance.storage() ?? [];
    expect(stored?.key().toXDR()).toEqual(escrowKey.toXDR());
    expect(scValToNative(stored?.val() ?? escrowKey)).toMatchObject({
      milestones: [{ amount: 300_000_000n }, { status: 'pending' }],
    });
    await expect(storedEscrow(body.contractId)).rejects.toMatchObject({ code: 404 });
  });

  it('returns the balance of a contract once it has one', async () => {
    const { body } = await sandbox.write('/deployer/single-release', singleRelease(sandbox, parties), parties.buyer);
    const balance = () => server.getAssetBalance(body.contractId, usdc(), sandbox.networkPassphrase);
    expect((await balance()).balanceEntry).toBeUndefined();
    await fund(sandbox, parties, body.contractId, 40);
    const { balanceEntry, latestLedger } = await balance();
    expect(balanceEntry).toMatchObject({ amount: '400000000', authorized: true, clawback: false });
    expect(balanceEntry?.liveUntilLedgerSeq).toBeGreaterThan(latestLedger);
    expect(
      (await server.getAssetBalance(body.contractId, Asset.native(), sandbox.networkPassphrase)).balanceEntry,
    ).toBeUndefined();
  });

  it('returns the instance of a token as an asset contract', async () => {
    for (const asset of [usdc(), Asset.native()]) {
      const instance = await instanceOf(asset.contractId(sandbox.networkPassphrase));
      expect(instance.executable().switch().name).toBe('contractExecutableStellarAsset');
    }
  });

  it('returns instance, struct and balance in one response', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const data = (id: string, key: xdr.ScVal): xdr.LedgerKey =>
      xdr.LedgerKey.contractData(
        new xdr.LedgerKeyContractData({
          contract: new Address(id).toScAddress(),
          key,
          durability: xdr.ContractDataDurability.persistent(),
        }),
      );
    const balanceKey = xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Balance'), new Address(contractId).toScVal()]);
    const keys = [
      new Contract(contractId).getFootprint(),
      data(contractId, escrowKey),
      data(usdc().contractId(sandbox.networkPassphrase), balanceKey),
    ];
    const { entries } = await server.getLedgerEntries(...keys);
    expect(entries.map(({ key }) => key.toXDR('base64'))).toEqual(keys.map((key) => key.toXDR('base64')));
    expect(entries.map(({ val }) => val.contractData().key().switch().name)).toEqual([
      'scvLedgerKeyContractInstance',
      'scvVec',
      'scvVec',
    ]);
  });
});

describe('getLedgerEntries', () => {
  const call = (keys: unknown) =>
    sandbox.request('POST', sandbox.rpcUrl, { jsonrpc: '2.0', id: 1, method: 'getLedgerEntries', params: { keys } });

  it('-32602 for no keys, too many and unreadable ones', async () => {
    const key = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: parties.buyer.xdrAccountId() })).toXDR('base64');
    for (const keys of [[], Array.from({ length: 201 }, () => key), ['AAAA'], [5], 'AAAA']) {
      expect((await call(keys)).body).toMatchObject({ error: { code: -32_602 } });
    }
    expect((await call(Array.from({ length: 200 }, () => key))).body.result.entries).toHaveLength(200);
  });

  it('leaves keys of unknown kinds out', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const data = (key: xdr.ScVal, durability = xdr.ContractDataDurability.persistent()): string =>
      xdr.LedgerKey.contractData(
        new xdr.LedgerKeyContractData({ contract: new Address(contractId).toScAddress(), key, durability }),
      ).toXDR('base64');
    const keys = [
      data(xdr.ScVal.scvSymbol('Escrow')),
      data(xdr.ScVal.scvVec([xdr.ScVal.scvString('Escrow')])),
      data(xdr.ScVal.scvVec([])),
      data(escrowKey, xdr.ContractDataDurability.temporary()),
      xdr.LedgerKey.ttl(new xdr.LedgerKeyTtl({ keyHash: Buffer.alloc(32) })).toXDR('base64'),
    ];
    expect((await call(keys)).body.result.entries).toEqual([]);
  });
});
