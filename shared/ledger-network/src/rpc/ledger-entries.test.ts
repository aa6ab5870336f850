import { Keypair, Networks, xdr } from '@stellar/stellar-sdk';
import { accountEntry } from './testing/entries.js';
import { entryKey } from './ledger-entries.js';
import type { EntryKey } from './ledger-rpc-port.js';
import { createLedgerRpc } from './ledger-rpc.js';
import { startScriptedNode, type ScriptedNode } from '../testing/index.js';

const networkPassphrase = Networks.TESTNET;
const addressOne = Keypair.random().publicKey();
const [one, other] = [addressOne, Keypair.random().publicKey()].map((address) =>
  entryKey(xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: Keypair.fromPublicKey(address).xdrAccountId() }))),
) as [EntryKey, EntryKey];
const shown = { key: one, xdr: accountEntry(addressOne, 30n).data().toXDR('base64'), lastModifiedLedgerSeq: 1 };

let node: ScriptedNode | undefined;
let close: (() => Promise<void>) | undefined;

async function entriesFrom(result: unknown) {
  node = await startScriptedNode({
    getNetwork: () => ({ result: { passphrase: networkPassphrase, protocolVersion: '23' } }),
    getLedgerEntries: () => ({ result }),
  });
  const rpc = createLedgerRpc({ url: node.url, networkPassphrase, usdcIssuer: Keypair.random().publicKey() });
  close = rpc.close;
  return rpc.entries([other, one]);
}

afterEach(async () => {
  await close?.();
  await node?.close();
});

describe('entries of a ledger', () => {
  it('are found by their keys; those that the node does not have are left out', async () => {
    const { latestLedger, entries } = await entriesFrom({ latestLedger: 600, entries: [shown] });
    expect(latestLedger).toBe(600);
    expect([...entries.keys()]).toEqual([one]);
    expect(entries.get(one)?.data.account().balance().toString()).toBe('30');
    expect(entries.get(one)?.liveUntilLedger).toBeUndefined();
  });

  it('have the last ledger of their life', async () => {
    const { entries } = await entriesFrom({ latestLedger: 600, entries: [{ ...shown, liveUntilLedgerSeq: 700 }] });
    expect(entries.get(one)?.liveUntilLedger).toBe(700);
  });

  it.each([
    ['has none', { latestLedger: 600, entries: null }],
    ['leaves the list out', { latestLedger: 600 }],
  ])('are none where the node %s', async (_, result) => {
    expect(await entriesFrom(result)).toEqual({ latestLedger: 600, entries: new Map() });
  });

  it.each([
    ['an entry that cannot be decoded', { latestLedger: 600, entries: [{ ...shown, xdr: 'AAAA' }] }],
    ['an entry without its key', { latestLedger: 600, entries: [{ ...shown, key: undefined }] }],
    ['no ledger', { entries: [shown] }],
  ])('are unavailable from a node that returns %s', async (_, result) => {
    await expect(entriesFrom(result)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
