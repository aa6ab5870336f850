import { manualClock } from '@holdfast/testing/clock';
import { fund, createParties, singleRelease, type Parties } from '../testing/parties.js';
import { runSandbox, signed, type RunningSandbox } from '../testing/running-sandbox.js';
import { createEscrowIndex } from './escrow-index.js';

const byIds = (sandbox: RunningSandbox, contractId: string) =>
  sandbox.read(`/helper/get-escrow-by-contract-ids?contractIds[]=${contractId}`);

describe('the limit of calls', () => {
  it('429 beyond a full bucket, which is refilled continuously', async () => {
    const clock = manualClock();
    const sandbox = await runSandbox({ clock, providerCallsPerMinute: 6 });
    const call = () => sandbox.read(`/helper/get-escrows-by-signer?signer=${sandbox.faucetAddress}`);
    const statuses = async (count: number) => {
      const found: number[] = [];
      for (let nth = 0; nth < count; nth += 1) found.push((await call()).status);
      return found;
    };

    expect(await statuses(7)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    clock.advance(9_999);
    expect(await call()).toEqual({ status: 429, body: { message: 'Too many requests' } });
    clock.advance(1);
    expect(await statuses(2)).toEqual([200, 429]);
    clock.advance(600_000);
    expect(await statuses(7)).toEqual([200, 200, 200, 200, 200, 200, 429]);

    const { providerCalls } = (await sandbox.control('GET', '/state')).body;
    expect(providerCalls).toEqual({ 'GET /helper/get-escrows-by-signer': { 200: 13, 429: 4 } });
    await sandbox.close();
  });

  it('applies to builds and to hints for the index, and not to the network', async () => {
    const sandbox = await runSandbox({ clock: manualClock(), providerCallsPerMinute: 1 });
    const keyed = { 'x-api-key': sandbox.escrowApiKey };
    const hint = () => sandbox.request('PUT', `${sandbox.escrowProviderUrl}/indexer/update-from-txhash`, {}, keyed);
    expect((await hint()).status).toBe(400);
    expect((await hint()).status).toBe(429);
    expect((await sandbox.escrow('/deployer/single-release', {})).status).toBe(429);
    expect((await sandbox.request('GET', `${sandbox.url}/accounts/${sandbox.faucetAddress}`)).status).toBe(200);
    expect((await sandbox.control('GET', '/state')).body.providerCalls).toEqual({
      'PUT /indexer/update-from-txhash': { 400: 1, 429: 1 },
      'POST /deployer/single-release': { 429: 1 },
    });
    await sandbox.close();
  });

  it('does not exist by default', async () => {
    const sandbox = await runSandbox({ clock: manualClock() });
    const all = await Promise.all(Array.from({ length: 100 }, () => byIds(sandbox, 'C')));
    expect(all.every(({ status }) => status === 200)).toBe(true);
    await sandbox.close();
  });
});

describe('the lag of the index', () => {
  const clock = manualClock();
  const lagMs = 3_600_000;
  let sandbox: RunningSandbox;
  let parties: Parties;
  beforeAll(async () => {
    sandbox = await runSandbox({ clock, indexLagMs: lagMs });
    parties = await createParties(sandbox);
  });
  afterAll(() => sandbox.close());

  const pastLag = () => clock.advance(lagMs + 1_000);

  async function deployed(): Promise<{ readonly contractId: string; readonly hash: string }> {
    const built = await sandbox.escrow('/deployer/single-release', singleRelease(sandbox, parties));
    const transaction = signed(built, parties.buyer, sandbox.networkPassphrase);
    const { body } = await sandbox.send(transaction);
    return { contractId: String(body.contractId), hash: transaction.hash().toString('hex') };
  }

  it('hides a deployment from reads and builds until it has passed', async () => {
    const { contractId } = await deployed();
    expect(await byIds(sandbox, contractId)).toEqual({ status: 200, body: [] });
    const bySigner = `/helper/get-escrows-by-signer?signer=${parties.buyer.publicKey()}`;
    expect((await sandbox.read(bySigner)).body).toEqual([]);
    expect(await fund(sandbox, parties, contractId, 1)).toEqual({ status: 500, body: { message: 'Escrow not found' } });

    pastLag();
    expect((await byIds(sandbox, contractId)).body).toMatchObject([{ contractId }]);
    expect((await fund(sandbox, parties, contractId, 1)).status).toBe(200);
    pastLag();
  });

  it('ends when the index is informed about the transaction', async () => {
    const { contractId, hash } = await deployed();
    const keyed = { 'x-api-key': sandbox.escrowApiKey };
    const inform = (txHash: string) =>
      sandbox.request('PUT', `${sandbox.escrowProviderUrl}/indexer/update-from-txhash`, { txHash }, keyed);
    expect((await inform('0'.repeat(64))).status).toBe(404);
    expect((await byIds(sandbox, contractId)).body).toEqual([]);
    expect((await inform(hash)).status).toBe(200);
    expect((await byIds(sandbox, contractId)).body).toMatchObject([{ contractId }]);
    expect((await fund(sandbox, parties, contractId, 1)).status).toBe(200);
  });

  it('shows earlier flags and balances in reads, while builds use the state of the network', async () => {
    const { contractId } = await deployed();
    pastLag();
    await fund(sandbox, parties, contractId, 60);
    expect((await byIds(sandbox, contractId)).body[0]).not.toHaveProperty('balance');
    expect((await fund(sandbox, parties, contractId, 40)).status).toBe(200);
    pastLag();
    expect((await byIds(sandbox, contractId)).body).toMatchObject([{ balance: 100 }]);
  });
});

describe('the lags of changes', () => {
  type Changed = Parameters<ReturnType<typeof createEscrowIndex>['changed']>[0];
  const escrow = (version: number) => ({ contractId: 'C1', balanceUnits: BigInt(version) }) as Changed['after'];

  it('are equal for equal seeds, at most the longest one, and never change the order of changes', () => {
    const knownAt = (seed: string): readonly (readonly [number, bigint | undefined])[] => {
      const clock = manualClock();
      const lag = createEscrowIndex({ clock, lagMs: 100, seed });
      for (const version of [1, 2, 3, 4, 5]) {
        lag.changed({ before: version === 1 ? undefined : escrow(version - 1), after: escrow(version), transfers: [] });
      }
      return Array.from({ length: 102 }, (_each, ms) => {
        const known = [ms, lag.known(escrow(5))?.balanceUnits] as const;
        clock.advance(1);
        return known;
      });
    };
    const first = knownAt('a');
    expect(knownAt('a')).toEqual(first);
    expect(knownAt('b')).not.toEqual(first);
    const versions = first.map(([, version]) => version ?? 0n);
    expect(versions.every((version, index) => index === 0 || version >= (versions[index - 1] ?? 0n))).toBe(true);
    expect(versions.at(-1)).toBe(5n);
    expect(versions[0]).toBe(0n);
  });
});
