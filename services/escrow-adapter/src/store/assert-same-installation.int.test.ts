import { Keypair } from '@stellar/stellar-sdk';
import type { Database } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { collectingLog } from '@holdfast/testing/log';
import { aWalletTestbed, type WalletTestbed } from '../testing/running-wallets.js';
import { createWalletKeys } from '@holdfast/ledger-network/signing';
import { rotateWalletKeys } from '../operator/rotate-wallet-keys.js';

const [first, second, third] = ['the first master key', 'the second master key', 'the third master key'];
const idOf = (key: string): string => createWalletKeys({ current: key }).currentId;
let testbed: WalletTestbed;
let database: Database;

beforeAll(async () => {
  testbed = await aWalletTestbed();
  database = await testbed.openTables();
}, serverStartTimeoutMs);

/** A start finds the data of no installation. What the last one has on the network stays there. */
beforeEach(async () => {
  await testbed.database.asAdmin('truncate escrow_adapter.installation_identity, escrow_adapter.wallets cascade');
});

afterAll(async () => {
  await testbed.end();
});

/** The error text of a start that is refused, else undefined. */
async function refusal(env: Readonly<Record<string, string>>): Promise<string | undefined> {
  try {
    const started = await testbed.start(env);
    await started.stop();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

async function walletCount(): Promise<number> {
  return (await testbed.database.asAdmin('select from escrow_adapter.wallets')).length;
}

/** Leaves one wallet more. */
async function runOnce(env: Readonly<Record<string, string>>): Promise<void> {
  const started = await testbed.start(env);
  const before = await walletCount();
  await started.publishUserCreated(testbed.newUserId());
  await eventually(async () => expect(await walletCount()).toBe(before + 1));
  await started.stop();
}

function rotate(current: string, previous: string): Promise<number> {
  return rotateWalletKeys({ database, current, previous, log: collectingLog() });
}

describe('a start on the data of another installation', () => {
  it('is refused for each setting that differs, with both values and no secret', async () => {
    await runOnce({ WALLET_MASTER_KEY: first });
    const [treasury, platform, issuer] = [Keypair.random(), Keypair.random(), Keypair.random()];
    const addresses = [...testbed.platformAddresses()];
    const addressOf = (place: string): string => addresses.find(([, of]) => of === place)?.[0] ?? 'none';
    const text = await refusal({
      WALLET_MASTER_KEY: second,
      TREASURY_SEED: treasury.secret(),
      PLATFORM_SEED: platform.secret(),
      USDC_ISSUER: issuer.publicKey(),
      LEDGER_NETWORK_PASSPHRASE: 'another network',
    });
    expect(text).toContain(`TREASURY_SEED is the seed of ${treasury.publicKey()}`);
    expect(text).toContain(`the treasury of this installation is ${addressOf('treasury')}`);
    expect(text).toContain(`PLATFORM_SEED is the seed of ${platform.publicKey()}`);
    expect(text).toContain(`the platform's account of this installation is ${addressOf('platform')}`);
    expect(text).toContain(`USDC_ISSUER is ${issuer.publicKey()}`);
    expect(text).toContain(`USDC of ${testbed.sandbox.usdcIssuer}`);
    expect(text).toContain('LEDGER_NETWORK_PASSPHRASE is "another network"');
    expect(text).toContain(`the network "${testbed.sandbox.networkPassphrase}"`);
    expect(text).toContain(`WALLET_MASTER_KEY has the id ${idOf(second)}`);
    expect(text).toContain(`the key with the id ${idOf(first)}`);
    for (const secret of [first, second, treasury.secret(), platform.secret()]) expect(text).not.toContain(secret);
    expect(await walletCount()).toBe(1);
    expect(await refusal({ WALLET_MASTER_KEY: first })).toBeUndefined();
  });

  it('is refused before the first wallet exists', async () => {
    const started = await testbed.start({ WALLET_MASTER_KEY: first });
    await started.stop();
    expect(await refusal({ WALLET_MASTER_KEY: second })).toContain(idOf(first));
  });

  it('is refused for one of two replicas that start at the same time with different keys', async () => {
    const texts = await Promise.all([first, second].map((key) => refusal({ WALLET_MASTER_KEY: key })));
    expect(texts.filter((text) => text === undefined)).toHaveLength(1);
  });

  it('is accepted for two replicas that start at the same time with the same settings', async () => {
    const texts = await Promise.all([first, first].map((key) => refusal({ WALLET_MASTER_KEY: key })));
    expect(texts).toEqual([undefined, undefined]);
  });
});

describe('a rotation of the master key', () => {
  it('needs the old key until it has ended, and refuses it alone from then on', async () => {
    await runOnce({ WALLET_MASTER_KEY: first });
    await runOnce({ WALLET_MASTER_KEY: second, WALLET_MASTER_KEY_PREVIOUS: first });
    expect(await refusal({ WALLET_MASTER_KEY: second })).toContain(idOf(first));
    expect(await refusal({ WALLET_MASTER_KEY: first })).toContain(idOf(second));
    expect(await rotate(second, first)).toBe(1);
    expect(await refusal({ WALLET_MASTER_KEY: first })).toContain(idOf(second));
    expect(await refusal({ WALLET_MASTER_KEY: second, WALLET_MASTER_KEY_PREVIOUS: first })).toBeUndefined();
    expect(await refusal({ WALLET_MASTER_KEY: second })).toBeUndefined();
  });

  it('works where nothing has started with both keys', async () => {
    await runOnce({ WALLET_MASTER_KEY: first });
    expect(await rotate(second, first)).toBe(1);
    expect(await refusal({ WALLET_MASTER_KEY: second })).toBeUndefined();
  });

  it('with a wrong old key is refused, and the right key still starts', async () => {
    await runOnce({ WALLET_MASTER_KEY: first });
    await expect(rotate(second, third)).rejects.toThrow(idOf(first));
    expect(await refusal({ WALLET_MASTER_KEY: first })).toBeUndefined();
  });
});

describe('a start on data that are older than the stored identity', () => {
  beforeEach(async () => {
    await runOnce({ WALLET_MASTER_KEY: first });
    await testbed.database.asAdmin('delete from escrow_adapter.installation_identity');
  });

  it('is refused with a key that does not open the wallets, and stores nothing', async () => {
    expect(await refusal({ WALLET_MASTER_KEY: second })).toContain(idOf(first));
    expect(await refusal({ WALLET_MASTER_KEY: first })).toBeUndefined();
  });

  it('adopts both keys of a rotation that has not ended', async () => {
    expect(await refusal({ WALLET_MASTER_KEY: second, WALLET_MASTER_KEY_PREVIOUS: first })).toBeUndefined();
    expect(await refusal({ WALLET_MASTER_KEY: second })).toContain(idOf(first));
  });
});
