import { Asset, StrKey } from '@stellar/stellar-sdk';
import { manualClock } from '@holdfast/testing/clock';
import { authorized, calledIn } from '../testing/invocations.js';
import { createParties, fundedEscrow, singleRelease, type Parties } from '../testing/parties.js';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';
import { scv } from '../testing/scvals.js';

const clock = manualClock();
let sandbox: RunningSandbox;
let parties: Parties;
beforeAll(async () => {
  sandbox = await runSandbox({ clock });
  parties = await createParties(sandbox);
});
afterAll(() => sandbox.close());

async function build(path: string, body: object) {
  const built = await sandbox.escrow(path, body);
  return calledIn(String(built.body.unsignedTransaction), sandbox.networkPassphrase);
}

const stroopsPerXlm = 10_000_000;

describe('a built envelope', () => {
  it('has the signer as source, its next sequence number, 30 seconds, no memo and no signature', async () => {
    const { transaction } = await build('/deployer/single-release', singleRelease(sandbox, parties));
    const { sequence } = await sandbox.horizon.loadAccount(parties.buyer.publicKey());
    expect(transaction.source).toBe(parties.buyer.publicKey());
    expect(BigInt(transaction.sequence)).toBe(BigInt(sequence) + 1n);
    expect(transaction.timeBounds).toEqual({ minTime: '0', maxTime: String(Math.floor(clock.epochMs() / 1_000) + 30) });
    expect([transaction.memo.type, transaction.signatures.length, transaction.operations[0]?.source]).toEqual([
      'none',
      0,
      undefined,
    ]);
  });

  it('bids 1,000 stroops above the resource fee for a deployment, and the resource fee again for other calls', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const deployed = await build('/deployer/single-release', singleRelease(sandbox, parties));
    const disputed = await build('/escrow/single-release/dispute-escrow', { contractId, signer: parties.buyer.publicKey() });
    const [deployFee, otherFee] = [deployed, disputed].map(({ resources }) => Number(resources.resourceFee().toString()));
    expect(Number(deployed.transaction.fee)).toBe((deployFee ?? 0) + 1_000);
    expect(Number(disputed.transaction.fee)).toBe(2 * (otherFee ?? 0) + 100);
    expect(Number(deployed.transaction.fee)).toBeLessThan(3 * stroopsPerXlm);
    expect(Number(disputed.transaction.fee)).toBeLessThan(stroopsPerXlm);
    expect(disputed.resources.resources().footprint().readWrite().length).toBeGreaterThan(0);
  });

  it('authorizes the call itself with the credentials of the source account, and nothing below it', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const called = await build('/escrow/single-release/dispute-escrow', { contractId, signer: parties.buyer.publicKey() });
    expect(called.auth.map((entry) => entry.credentials().switch().name)).toEqual(['sorobanCredentialsSourceAccount']);
    expect(called.auth.map((entry) => entry.rootInvocation().toXDR('base64'))).toEqual([authorized(called).toXDR('base64')]);
  });

  it('of a funding authorizes exactly one transfer of the token to the contract', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const funding = { contractId, signer: parties.buyer.publicKey(), amount: 12.5 };
    const called = await build('/escrow/single-release/fund-escrow', funding);
    const token = new Asset('USDC', sandbox.usdcIssuer).contractId(sandbox.networkPassphrase);
    const args = [scv.address(parties.buyer), scv.address(contractId), scv.i128('125000000')];
    const tree = authorized(called, authorized({ contractId: token, functionName: 'transfer', args }));
    expect(called.auth.map((entry) => entry.rootInvocation().toXDR('base64'))).toEqual([tree.toXDR('base64')]);
  });
});

describe('the factories', () => {
  it('are the same for every seed, and differ by type', async () => {
    const other = await runSandbox({ seed: 'another' });
    expect(other.contracts).toEqual(sandbox.contracts);
    const { 'single-release': single, 'multi-release': multi } = sandbox.contracts;
    expect(StrKey.isValidContract(single.factory)).toBe(true);
    expect(single.factory).not.toBe(multi.factory);
    expect(single.wasmHash).not.toBe(multi.wasmHash);
    expect((await sandbox.control('GET', '/state')).body.network).toMatchObject({
      contractVersion: 'v1',
      contracts: sandbox.contracts,
    });
    await other.close();
  });
});
