import { differences } from '../../testing/envelope-differences.js';
import { approve, createParties, multiRelease, singleRelease, type Parties } from '../../testing/parties.js';
import { runSandbox, type RunningSandbox } from '../../testing/running-sandbox.js';

let sandbox: RunningSandbox;
let parties: Parties;
beforeAll(async () => {
  sandbox = await runSandbox({ contractVersion: 'v1-mainnet' });
  parties = await createParties(sandbox);
});
afterAll(() => sandbox.close());

async function approvedContract(type: 'single-release' | 'multi-release'): Promise<string> {
  const request = type === 'single-release' ? singleRelease(sandbox, parties) : multiRelease(sandbox, parties, [100]);
  const { body } = await sandbox.write(`/deployer/${type}`, request, parties.buyer);
  const contractId = String(body.contractId);
  const funding = { contractId, signer: parties.buyer.publicKey(), amount: 100 };
  await sandbox.write(`/escrow/${type}/fund-escrow`, funding, parties.buyer);
  expect(await approve(sandbox, parties, contractId, { type })).toMatchObject({ status: 200 });
  return contractId;
}

/** What wrong-receiver changes in the arguments of a release. The time bounds of the two builds may differ. */
async function changedArguments(path: string, body: object): Promise<unknown> {
  const fault = { target: 'escrow-provider', operation: 'release', kind: 'wrong-receiver', times: 1 };
  expect((await sandbox.control('POST', '/faults', fault)).status).toBe(201);
  const build = async (): Promise<string> => String((await sandbox.escrow(path, body)).body.unsignedTransaction);
  const [falsified, honest] = [await build(), await build()];
  const { maxTime: _maxTime, ...changed } = differences(honest, falsified);
  return changed;
}

describe('wrong-receiver of a release without a fee address', () => {
  it('names another release signer of a single-release contract', async () => {
    const contractId = await approvedContract('single-release');
    const releaseSigner = parties.buyer.publicKey();
    const change = [`address ${releaseSigner}`, `address ${sandbox.usdcIssuer}`];
    expect(await changedArguments('/escrow/single-release/release-funds', { contractId, releaseSigner })).toEqual({
      'call.args.0': change,
      'auth.0.args.0': change,
    });
  });

  it('names another milestone of a multi-release contract', async () => {
    const contractId = await approvedContract('multi-release');
    const body = { contractId, releaseSigner: parties.buyer.publicKey(), milestoneIndex: '0' };
    expect(await changedArguments('/escrow/multi-release/release-milestone-funds', body)).toEqual({
      'call.args.1': ['u32 0', 'u32 1'],
      'auth.0.args.1': ['u32 0', 'u32 1'],
    });
  });
});
