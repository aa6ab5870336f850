import { manualClock } from '@holdfast/testing/clock';
import { falsifyingKinds, faultKinds, type FalsifyingKind } from '../../control/fault-kinds.js';
import { differences } from '../../testing/envelope-differences.js';
import { approve, complete, createParties, multiRelease, singleRelease, type Parties } from '../../testing/parties.js';
import { runSandbox, signed, type RunningSandbox } from '../../testing/running-sandbox.js';

type EscrowType = 'single-release' | 'multi-release';
type Contracts = Readonly<Record<'funded' | 'approved' | 'disputed', string>>;

let sandbox: RunningSandbox;
let parties: Parties;
let contracts: Readonly<Record<EscrowType, Contracts>>;
beforeAll(async () => {
  // The time bounds of two builds of the same request are equal only at the same time.
  sandbox = await runSandbox({ clock: manualClock() });
  parties = await createParties(sandbox, 10_000);
  contracts = { 'single-release': await contractsOf('single-release'), 'multi-release': await contractsOf('multi-release') };
});
afterEach(() => sandbox.control('DELETE', '/faults'));
afterAll(() => sandbox.close());

async function contractsOf(type: EscrowType): Promise<Contracts> {
  const [funded, approved, disputed] = [await fundedContract(type), await fundedContract(type), await fundedContract(type)];
  await complete(sandbox, parties, approved, { type });
  await approve(sandbox, parties, approved, { type });
  const { path, body } = requests[type].dispute(disputed);
  expect(await sandbox.write(path, body, parties.buyer)).toMatchObject({ status: 200 });
  return { funded, approved, disputed };
}

async function fundedContract(type: EscrowType): Promise<string> {
  const deployment = requests[type].deploy();
  const { body } = await sandbox.write(deployment.path, deployment.body, parties.buyer);
  const { path, body: fundBody } = requests[type].fund(String(body.contractId));
  expect(await sandbox.write(path, fundBody, parties.buyer)).toMatchObject({ status: 200 });
  return String(body.contractId);
}

const address = (role: keyof Parties): string => parties[role].publicKey();
const at = { milestoneIndex: '0' };
const shares = () => [
  { address: address('buyer'), amount: 60 },
  { address: address('seller'), amount: 40 },
];

/** The steps that both types have under the same names. */
const commonSteps = (type: EscrowType) => ({
  fund: (contractId: string) => ({
    path: `/escrow/${type}/fund-escrow`,
    body: { contractId, signer: address('buyer'), amount: 100 },
  }),
  complete: (contractId: string) => ({
    path: `/escrow/${type}/change-milestone-status`,
    body: { contractId, ...at, newStatus: 'done', serviceProvider: address('seller') },
  }),
  approve: (contractId: string) => ({
    path: `/escrow/${type}/approve-milestone`,
    body: { contractId, ...at, approver: address('buyer') },
  }),
});

const requests = {
  'single-release': {
    ...commonSteps('single-release'),
    deploy: () => ({ path: '/deployer/single-release', body: singleRelease(sandbox, parties) }),
    release: (contractId: string) => ({
      path: '/escrow/single-release/release-funds',
      body: { contractId, releaseSigner: address('buyer') },
    }),
    dispute: (contractId: string) => ({
      path: '/escrow/single-release/dispute-escrow',
      body: { contractId, signer: address('buyer') },
    }),
    resolve: (contractId: string) => ({
      path: '/escrow/single-release/resolve-dispute',
      body: { contractId, disputeResolver: address('arbiter'), distributions: shares() },
    }),
  },
  'multi-release': {
    ...commonSteps('multi-release'),
    deploy: () => ({ path: '/deployer/multi-release', body: multiRelease(sandbox, parties, [100]) }),
    release: (contractId: string) => ({
      path: '/escrow/multi-release/release-milestone-funds',
      body: { contractId, ...at, releaseSigner: address('buyer') },
    }),
    dispute: (contractId: string) => ({
      path: '/escrow/multi-release/dispute-milestone',
      body: { contractId, ...at, signer: address('buyer') },
    }),
    resolve: (contractId: string) => ({
      path: '/escrow/multi-release/resolve-milestone-dispute',
      body: { contractId, ...at, disputeResolver: address('arbiter'), distributions: shares() },
    }),
  },
} as const;
type Step = keyof (typeof requests)['single-release'];

function requestOf(type: EscrowType, step: Step) {
  const { funded, approved, disputed } = contracts[type];
  if (step === 'release') return requests[type].release(approved);
  return requests[type][step](step === 'resolve' ? disputed : funded);
}

/** Fields of a transaction that the kind may change; `*` stands for any text without a dot. */
function changedFields(kind: FalsifyingKind, step: Step, type: EscrowType): readonly string[] {
  const inCall = (field: string): readonly string[] => [`call.${field}`, `auth.0.${field}`];
  const below = ['contract', 'function', 'args.0', 'args.1', 'args.2'].map((field) => `auth.0.below.1.${field}`);
  const amounts = {
    deploy: inCall(type === 'single-release' ? 'args.4.0.amount' : 'args.4.0.milestones.0.amount'),
    fund: [...inCall('args.2'), 'auth.0.below.0.args.2'],
    resolve: inCall(type === 'single-release' ? 'args.2.*' : 'args.3.*'),
  };
  const receivers = {
    deploy: inCall(type === 'single-release' ? 'args.4.0.roles.receiver' : 'args.4.0.milestones.0.receiver'),
    fund: ['auth.0.below.0.args.1'],
    release: inCall('args.1'),
    resolve: [...amounts.resolve, ...amounts.resolve],
  };
  const byKind: Readonly<Record<FalsifyingKind, readonly string[] | undefined>> = {
    'wrong-contract': inCall('contract'),
    'wrong-function': inCall('function'),
    'extra-operation': ['operations.1'],
    'foreign-credential': ['auth.0.credentials'],
    'endless-bounds': ['maxTime'],
    'huge-fee': ['fee'],
    'wrong-amount': amounts[step as keyof typeof amounts],
    'wrong-receiver': receivers[step as keyof typeof receivers],
    'extra-transfer': below,
  };
  return byKind[kind] ?? [];
}

/** A deployment gets a new salt each time, from which the address of the contract follows. */
const newAtEachDeployment = ['call.args.2', 'auth.0.args.2', 'soroban'];

const pairs = falsifyingKinds.flatMap((kind) =>
  faultKinds[kind].only.operations.flatMap((step) =>
    (['single-release', 'multi-release'] as const).map((type) => ({ kind, step, type })),
  ),
);

describe('a build call under a falsifying fault', () => {
  it.each(pairs)('$kind changes only what it names in $step of a $type contract, once', async ({ kind, step, type }) => {
    const { path, body } = requestOf(type, step);
    const build = async (): Promise<string> => {
      const response = await sandbox.escrow(path, body);
      expect(response).toMatchObject({ status: 200, body: { status: 'SUCCESS' } });
      return String(response.body.unsignedTransaction);
    };
    await sandbox.control('POST', '/faults', { target: 'escrow-provider', operation: step, kind, times: 1 });
    const [falsified, honest] = [await build(), await build()];

    const fields = Object.keys(differences(honest, falsified))
      .filter((field) => step !== 'deploy' || !newAtEachDeployment.includes(field))
      .map((field) => field.replace(/[.]G[A-Z2-7]{55}$/, '.*'));
    expect(fields.toSorted()).toEqual(changedFields(kind, step, type).toSorted());
  });

  it('does not strike a refused build call', async () => {
    await sandbox.control('POST', '/faults', { target: 'escrow-provider', operation: 'release', kind: 'huge-fee', times: 1 });
    const { path, body } = requests['single-release'].release(contracts['single-release'].funded);
    expect(await sandbox.escrow(path, body)).toMatchObject({ status: 400 });
    expect((await sandbox.control('GET', '/faults')).body).toMatchObject([{ strikes: 0 }]);
  });
});

describe('a falsified transaction that was signed', () => {
  const fundings = falsifyingKinds.filter((kind) => faultKinds[kind].only.operations.some((step) => step === 'fund'));

  it.each(fundings)('of %s reaches the network, which lands or refuses it', async (kind) => {
    await sandbox.control('POST', '/faults', { target: 'escrow-provider', operation: 'fund', kind, times: 1 });
    const { path, body } = requests['single-release'].fund(contracts['single-release'].funded);
    const transaction = signed(await sandbox.escrow(path, body), parties.buyer, sandbox.networkPassphrase);
    expect([200, 400]).toContain((await sandbox.send(transaction)).status);
  });

  it('of wrong-amount moves the other amount', async () => {
    const contractId = await fundedContract('single-release');
    await sandbox.control('POST', '/faults', { target: 'escrow-provider', operation: 'fund', kind: 'wrong-amount', times: 1 });
    const { path, body } = requests['single-release'].fund(contractId);
    expect(await sandbox.write(path, body, parties.buyer)).toMatchObject({ status: 200 });
    const { body: state } = await sandbox.control('GET', '/state');
    expect(state.contracts.find((contract: { contractId: string }) => contract.contractId === contractId).balance).toBe(
      '200.0000001',
    );
  });
});
