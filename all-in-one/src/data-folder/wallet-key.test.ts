import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSecrets, secretVariables } from './secrets.js';
import { rotateStoredWalletKey, type WalletKeys } from './wallet-key.js';

let dataDir: string;
beforeEach(() => void (dataDir = mkdtempSync(path.join(tmpdir(), 'holdfast-wallet-key-'))));
afterEach(() => rmSync(dataDir, { recursive: true }));

const givenOthers = {
  masterKey: 'one',
  internalSecret: 'two',
  treasurySeed: 'four',
  platformSeed: 'five',
  escrowWebhookSecret: 'six',
  paymentWebhookSecret: 'seven',
};
const fileOf = (name: string) => path.join(dataDir, name);
const keptKey = () => readFileSync(fileOf('wallet-master-key'), 'utf8').trim();
const keysOfStart = async (given = {}) => {
  const variables = secretVariables(await loadSecrets(dataDir, { ...givenOthers, ...given }));
  return { current: variables['WALLET_MASTER_KEY'], previous: variables['WALLET_MASTER_KEY_PREVIOUS'] };
};

describe('the rotation of the stored wallet key', () => {
  it('replaces the key and deletes the old one', async () => {
    const { current: old } = await keysOfStart();
    let seen: WalletKeys | undefined;
    await rotateStoredWalletKey(dataDir, async (keys) => void (seen = keys));
    expect(seen).toEqual({ current: keptKey(), previous: old });
    expect(seen?.current).not.toBe(old);
    expect(readdirSync(dataDir)).toEqual(['wallet-master-key']);
    expect(await keysOfStart()).toEqual({ current: keptKey(), previous: undefined });
  });

  it('stores both keys when it is interrupted while wallets are wrapped, and continues with them', async () => {
    const { current: old } = await keysOfStart();
    await expect(rotateStoredWalletKey(dataDir, () => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
    const begun = keptKey();
    expect(await keysOfStart()).toEqual({ current: begun, previous: old });
    const seen: WalletKeys[] = [];
    await rotateStoredWalletKey(dataDir, async (keys) => void seen.push(keys));
    expect(seen).toEqual([{ current: begun, previous: old }]);
    expect(readdirSync(dataDir)).toEqual(['wallet-master-key']);
  });

  it('generates the new key at the next attempt when it was interrupted before', async () => {
    const { current: old } = await keysOfStart();
    writeFileSync(fileOf('wallet-master-key-previous'), `${old ?? ''}\n`);
    expect(await keysOfStart()).toEqual({ current: old, previous: old });
    await rotateStoredWalletKey(dataDir, async ({ current, previous }) =>
      expect([previous, current === old]).toEqual([old, false]),
    );
    expect(keptKey()).not.toBe(old);
  });

  it('leaves a key of the environment alone, and is refused where no key is stored', async () => {
    writeFileSync(fileOf('wallet-master-key-previous'), 'kept\n');
    expect(await keysOfStart({ walletMasterKey: 'three' })).toEqual({ current: 'three', previous: undefined });
    await expect(rotateStoredWalletKey(dataDir, () => Promise.resolve())).rejects.toThrow('There is no wallet key in');
  });
});
