import { Asset, Contract, Keypair, Networks, SorobanDataBuilder, StrKey, nativeToScVal, xdr } from '@stellar/stellar-sdk';
import { createLedgerRpc, type LifetimeChange } from '@holdfast/ledger-network/rpc';
import { withContracts } from './contract-entries.js';
import { startScriptedNode, type Scripted, type ScriptedNode } from '@holdfast/ledger-network/testing';

const networkPassphrase: string = Networks.TESTNET;
const latestLedger = 1_000_000;
const long = latestLedger + 3_000_000;
const short = latestLedger + 518_399;

const token = new Asset('USDC', Keypair.random().publicKey()).contractId(networkPassphrase);
const wasmHash = '7c'.repeat(32);
const refOf = (byte: number) => ({
  contractId: StrKey.encodeContract(Buffer.alloc(32, byte)),
  type: 'single-release' as const,
  token,
});
const [one, other] = [refOf(1), refOf(2)];
const archivable = { ...one, wasmHash, hasBalance: false };

function dataKey(owner: string, key: xdr.ScVal): xdr.LedgerKey {
  const durability = xdr.ContractDataDurability.persistent();
  const contract = new Contract(owner).address().toScAddress();
  return xdr.LedgerKey.contractData(new xdr.LedgerKeyContractData({ contract, key, durability }));
}
function keysOf({ contractId }: typeof one) {
  const address = new Contract(contractId).address().toScVal();
  return {
    instance: new Contract(contractId).getFootprint(),
    escrow: dataKey(contractId, xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Escrow')])),
    balance: dataKey(token, xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Balance'), address])),
  };
}
const code = xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: Buffer.from(wasmHash, 'hex') }));

/** The value does not matter for the life of an entry. */
function entryOf(key: xdr.LedgerKey, liveUntilLedgerSeq: number) {
  const durability = xdr.ContractDataDurability.persistent();
  const contract = new Contract(one.contractId).address().toScAddress();
  const value = { ext: new xdr.ExtensionPoint(0), contract, key: nativeToScVal(1), durability, val: nativeToScVal(1) };
  const data = xdr.LedgerEntryData.contractData(new xdr.ContractDataEntry(value));
  return { key: key.toXDR('base64'), xdr: data.toXDR('base64'), lastModifiedLedgerSeq: 1, liveUntilLedgerSeq };
}

type Lives = readonly (readonly [key: xdr.LedgerKey, liveUntilLedger: number])[];

const entries =
  (lives: Lives): Scripted =>
  (params) => {
    const { keys } = params as { readonly keys: readonly string[] };
    const found = lives.filter(([key]) => keys.includes(key.toXDR('base64')));
    return { result: { latestLedger, entries: found.map(([key, life]) => entryOf(key, life)) } };
  };

const resourcesOf = (data: SorobanDataBuilder) => ({
  transactionData: data.setResources(11, 22, 33).setResourceFee(4_444).build().toXDR('base64'),
  minResourceFee: '4444',
});
const value = { auth: [], xdr: xdr.ScVal.scvVoid().toXDR('base64') };

/** Names archived entries as the network does: those to restore first, or those that the call restores. */
function simulation({
  preamble = [],
  marked = [],
}: Partial<Record<'preamble' | 'marked', readonly xdr.LedgerKey[]>> = {}): Scripted {
  const data = new SorobanDataBuilder().setReadWrite([...marked]);
  const transactionData = xdr.SorobanTransactionData.fromXDR(resourcesOf(data).transactionData, 'base64');
  const archivedSorobanEntries = marked.map((_, index) => index);
  if (marked.length > 0)
    transactionData.ext(new xdr.SorobanTransactionDataExt(1, new xdr.SorobanResourcesExtV0({ archivedSorobanEntries })));
  const restorePreamble = resourcesOf(new SorobanDataBuilder().setReadWrite([...preamble]));
  return () => ({
    result: {
      latestLedger,
      minResourceFee: '4444',
      transactionData: transactionData.toXDR('base64'),
      results: [value],
      ...(preamble.length > 0 ? { restorePreamble } : {}),
    },
  });
}

let node: ScriptedNode;
async function rpcOf(lives: Lives, simulateTransaction: Scripted = simulation()) {
  const getNetwork: Scripted = () => ({ result: { passphrase: networkPassphrase, protocolVersion: '23' } });
  node = await startScriptedNode({ getNetwork, getLedgerEntries: entries(lives), simulateTransaction });
  const usdcIssuer = Keypair.random().publicKey();
  return withContracts(createLedgerRpc({ url: node.url, networkPassphrase, usdcIssuer }));
}
afterEach(() => node.close());

function footprintOf(change: LifetimeChange | undefined) {
  if (change === undefined) throw new Error('nothing is planned');
  const data = xdr.SorobanTransactionData.fromXDR(change.resources, 'base64');
  const texts = (keys: readonly xdr.LedgerKey[]) => keys.map((key) => key.toXDR('base64'));
  const footprint = data.resources().footprint();
  return { fee: data.resourceFee().toString(), readOnly: texts(footprint.readOnly()), readWrite: texts(footprint.readWrite()) };
}
const textOf = (key: xdr.LedgerKey): string => key.toXDR('base64');

describe('an extension', () => {
  it('has all live entries of contracts with a short-lived entry, and the fee of the simulation', async () => {
    const { instance, escrow, balance } = keysOf(one);
    const longLived = Object.values(keysOf(other)).map((key) => [key, long] as const);
    // The node returns its own footprint, which is not used.
    const foreign = simulation({ marked: [keysOf(other).balance] });
    const rpc = await rpcOf([[instance, short], [escrow, long], [balance, latestLedger - 1], ...longLived], foreign);
    const change = await rpc.planContractExtension([one, other]);
    expect(change?.does).toBe('extend');
    expect(footprintOf(change)).toEqual({ fee: '4444', readOnly: [instance, escrow].map(textOf), readWrite: [] });
  });

  it('is not needed while all lives are long', async () => {
    const rpc = await rpcOf(Object.values(keysOf(one)).map((key) => [key, latestLedger + 518_400] as const));
    expect(await rpc.planContractExtension([one])).toBeUndefined();
    expect(node.calls).not.toContain('simulateTransaction');
  });

  it('of code has the code', async () => {
    const rpc = await rpcOf([[code, short]]);
    expect(footprintOf(await rpc.planCodeExtension([wasmHash])).readOnly).toEqual([textOf(code)]);
  });

  it('that the network refuses to simulate is not made', async () => {
    const refused: Scripted = () => ({ result: { latestLedger, error: 'extend_to is too large', events: [] } });
    const rpc = await rpcOf([[keysOf(one).instance, short]], refused);
    await expect(rpc.planContractExtension([one])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('a restoration', () => {
  const { instance, escrow, balance } = keysOf(one);

  it.each([
    ['that must be restored first', { preamble: [instance, escrow] }],
    ['that a call restores itself', { marked: [instance, escrow] }],
    ['that the node names in both ways', { preamble: [instance, escrow], marked: [instance, escrow] }],
  ])('has the entries %s', async (_, named) => {
    const rpc = await rpcOf([[balance, long]], simulation(named));
    const change = await rpc.planContractRestoration({ ...archivable, hasBalance: true });
    expect(change?.does).toBe('restore');
    expect(footprintOf(change)).toEqual({ fee: '4444', readOnly: [], readWrite: [instance, escrow].map(textOf) });
  });

  it.each([
    ['the node leaves out', []],
    ['the node shows after its last ledger', [[balance, latestLedger] as const]],
  ])('has the balance of a funded contract that %s', async (_, lives) => {
    const rpc = await rpcOf(lives);
    expect(await rpc.planContractRestoration(archivable)).toBeUndefined();
    const change = await rpc.planContractRestoration({ ...archivable, hasBalance: true });
    expect(footprintOf(change).readWrite).toEqual([textOf(balance)]);
  });

  it('may have the code of the contract', async () => {
    const rpc = await rpcOf([], simulation({ preamble: [code] }));
    expect(footprintOf(await rpc.planContractRestoration(archivable)).readWrite).toEqual([textOf(code)]);
  });

  it.each(Object.entries(keysOf(other)))('with the %s of another contract is refused', async (_, key) => {
    const rpc = await rpcOf([], simulation({ preamble: [instance, key] }));
    await expect(rpc.planContractRestoration(archivable)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('of a contract that does not exist is not made', async () => {
    const missing: Scripted = () => ({ result: { latestLedger, error: 'HostError: Error(Storage, MissingValue)', events: [] } });
    const rpc = await rpcOf([], missing);
    await expect(rpc.planContractRestoration({ ...archivable, hasBalance: true })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});
