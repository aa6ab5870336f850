import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Asset, Operation, type Keypair } from '@stellar/stellar-sdk';
import { createParties, fund, fundedEscrow } from './testing/parties.js';
import type { RunningSandbox } from './testing/running-sandbox.js';
import { killSpawned, spawnMain, spawnSandbox } from './testing/sandbox-process.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sandbox-kill-'));
});
afterEach(async () => {
  killSpawned();
  await rm(folder, { recursive: true });
});

/** Submits payments until the process is killed, and returns the hashes of those confirmed as landed. */
async function payUntilKilled(client: RunningSandbox, key: Keypair, onLanded: () => void): Promise<readonly string[]> {
  const hashes: string[] = [];
  let { sequence } = await client.horizon.loadAccount(key.publicKey());
  for (;;) {
    const payment = Operation.payment({ destination: client.faucetAddress, asset: Asset.native(), amount: '0.0000001' });
    const transaction = await client.transaction(key, [payment], { sequence });
    try {
      const { hash } = await client.horizon.submitTransaction(transaction, { skipMemoRequiredCheck: true });
      hashes.push(hash);
      onLanded();
      sequence = String(BigInt(sequence) + 1n);
    } catch {
      return hashes;
    }
  }
}

const landedMin = 25;
/** The test starts two processes from TypeScript sources, which is slow on a busy machine. */
const timeoutMs = 120_000;

const unitsOf = (decimal: string): bigint => BigInt(decimal.replace('.', ''));

async function nativeTotal(client: RunningSandbox): Promise<bigint> {
  const { body } = await client.control('GET', '/state');
  const accounts: readonly { balances: { XLM: string } }[] = body.accounts;
  return accounts.reduce((total, { balances }) => total + unitsOf(balances.XLM), unitsOf(body.network.feePool));
}

describe('a sandbox with a data folder that is killed with SIGKILL', () => {
  it(
    'has every transaction that it has confirmed, and conserves the money exactly',
    async () => {
      const env = { SANDBOX_DATA_DIR: folder };
      const first = await spawnSandbox(env);
      const parties = await createParties(first.client);
      const contractId = await fundedEscrow(first.client, parties);
      const payers = await Promise.all(Array.from({ length: 3 }, () => first.client.wallet()));
      const total = await nativeTotal(first.client);
      let landed = 0;
      let killing: Promise<void> | undefined;
      const onLanded = (): void => {
        landed += 1;
        if (landed >= landedMin) killing ??= first.kill();
      };
      const confirmed = (await Promise.all(payers.map((payer) => payUntilKilled(first.client, payer, onLanded)))).flat();
      await killing;

      const { client, kill } = await spawnSandbox(env);

      expect(confirmed.length).toBeGreaterThanOrEqual(landedMin);
      const found = await Promise.all(confirmed.map((hash) => client.horizon.transactions().transaction(hash).call()));
      expect(found.every(({ successful }) => successful)).toBe(true);
      const { body } = await client.read(`/helper/get-escrow-by-contract-ids?contractIds[]=${contractId}`);
      expect(body).toMatchObject([{ contractId, balance: 100 }]);
      expect(await nativeTotal(client)).toBe(total);
      // The contract compares its stored struct with the one in the call, so the struct has survived in every field.
      expect(await fund(client, parties, contractId, 1)).toMatchObject({ status: 200 });
      const again = await fundedEscrow(client, parties);
      expect(again).not.toBe(contractId);
      await kill();
    },
    timeoutMs,
  );
});

describe('a sandbox in production', () => {
  it('does not start', async () => {
    const { child, output } = spawnMain({ NODE_ENV: 'production', SANDBOX_PORT: '0' });
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect([code, output()]).toEqual([1, expect.stringContaining('NODE_ENV is production')]);
  });
});
