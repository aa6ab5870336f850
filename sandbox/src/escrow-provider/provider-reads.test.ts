import { manualClock } from '@holdfast/testing/clock';
import { createParties, fund, fundedEscrow, multiRelease, singleRelease, type Parties } from '../testing/parties.js';
import { runSandbox, signed, type RunningSandbox } from '../testing/running-sandbox.js';

const clock = manualClock();
let sandbox: RunningSandbox;
let parties: Parties;
beforeAll(async () => {
  sandbox = await runSandbox({ clock });
});
beforeEach(async () => {
  parties = await createParties(sandbox, 5_000);
});
afterEach(() => sandbox.control('DELETE', '/faults'));
afterAll(() => sandbox.close());

const byIds = async (...ids: readonly string[]) =>
  sandbox.read(`/helper/get-escrow-by-contract-ids?${ids.map((id) => `contractIds[]=${id}`).join('&')}`);
const idsOf = ({ body }: { body: readonly { contractId: string }[] }) => body.map(({ contractId }) => contractId);

async function deployed(type: 'single-release' | 'multi-release', overrides: Readonly<Record<string, unknown>> = {}) {
  const body = type === 'single-release' ? singleRelease(sandbox, parties) : multiRelease(sandbox, parties, [60, 40]);
  const response = await sandbox.write(`/deployer/${type}`, { ...body, ...overrides }, parties.buyer);
  expect(response).toMatchObject({ status: 200 });
  return String(response.body.contractId);
}

describe('an escrow object', () => {
  it('has dates as objects, the name of its token, and no optional fields while it is new', async () => {
    const seconds = Math.floor(clock.epochMs() / 1_000);
    const contractId = await deployed('single-release');
    const { body } = await byIds(contractId);

    const { roles, ...request } = singleRelease(sandbox, parties);
    expect(body).toEqual([
      {
        contractId,
        type: 'single-release',
        engagementId: request.engagementId,
        title: request.title,
        description: request.description,
        roles,
        amount: 100,
        platformFee: 5,
        milestones: [{ description: 'all of it', status: 'pending', evidence: '', approved: false }],
        trustline: { address: sandbox.usdcIssuer, name: 'USDC' },
        createdAt: { _seconds: seconds, _nanoseconds: 0 },
        updatedAt: { _seconds: seconds, _nanoseconds: 0 },
      },
    ]);
  });

  it('has balance, flags and signer once it is used', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    expect((await byIds(contractId)).body).toMatchObject([
      {
        balance: 100,
        flags: { disputed: false, released: false, resolved: false },
        signer: parties.buyer.publicKey(),
      },
    ]);
  });

  it('of a multi-release contract has flags, amount and receiver for each milestone', async () => {
    const contractId = await deployed('multi-release');
    const flags = { approved: false, disputed: false, released: false, resolved: false };
    const common = { status: 'pending', evidence: '', flags, receiver: parties.seller.publicKey() };
    expect((await byIds(contractId)).body).toMatchObject([
      {
        amount: 100,
        milestones: [
          { ...common, description: 'part 0', amount: 60 },
          { ...common, description: 'part 1', amount: 40 },
        ],
      },
    ]);
  });
});

describe('GET /_sandbox/state', () => {
  it('shows contract id, engagement and balance of every escrow, also of a new one', async () => {
    const used = await fundedEscrow(sandbox, parties);
    const unused = await deployed('single-release', { engagementId: 'ord_new' });
    const { body } = await sandbox.control('GET', '/state');
    expect(body.contracts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ contractId: used, engagementId: 'ord_1', balance: '100.0000000' }),
        expect.objectContaining({ contractId: unused, engagementId: 'ord_new', balance: '0.0000000' }),
      ]),
    );
  });
});

describe('look-ups', () => {
  it('200 only for lists in bracket form', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const status = async (path: string) => (await sandbox.read(path)).status;
    expect(await status(`/helper/get-escrow-by-contract-ids?contractIds[]=${contractId}`)).toBe(200);
    expect(await status(`/helper/get-escrow-by-contract-ids?contractIds=${contractId}`)).toBe(400);
    for (const path of ['/helper', '/escrow/single-release', '/escrow/multi-release']) {
      expect(await status(`${path}/get-multiple-escrow-balance?addresses[]=${contractId}`)).toBe(200);
      expect(await status(`${path}/get-multiple-escrow-balance?addresses=${contractId}`)).toBe(400);
    }
  });

  it('500 for the balance of an unknown escrow, and an empty list for its data', async () => {
    const [unknown] = Object.values(sandbox.contracts).map(({ factory }) => factory);
    expect(await sandbox.read(`/helper/get-multiple-escrow-balance?addresses[]=${unknown}`)).toEqual({
      status: 500,
      body: { message: 'Escrow not found' },
    });
    expect(await byIds(String(unknown))).toEqual({ status: 200, body: [] });
  });

  it('400 for more than 20 balances, or another value of validateOnChain than true or false', async () => {
    const contractId = await deployed('single-release');
    const many = Array.from({ length: 21 }, () => `addresses[]=${contractId}`).join('&');
    expect((await sandbox.read(`/helper/get-multiple-escrow-balance?${many}`)).status).toBe(400);
    const path = `/helper/get-escrow-by-contract-ids?contractIds[]=${contractId}&validateOnChain=`;
    expect((await sandbox.read(`${path}true`)).status).toBe(200);
    expect((await sandbox.read(`${path}1`)).status).toBe(400);
  });

  it('find the escrows of a signer, newest first, all of them or only the escrows of an engagement', async () => {
    const first = await deployed('single-release');
    const second = await deployed('multi-release', { engagementId: 'ord_2' });
    const found = async (filter: string) =>
      sandbox.read(`/helper/get-escrows-by-signer?signer=${parties.buyer.publicKey()}${filter}`);

    expect(idsOf(await found(''))).toEqual([second, first]);
    expect(idsOf(await found('&engagementId=ord_2'))).toEqual([second]);
    expect(idsOf(await found('&engagementId=ord_3'))).toEqual([]);
    expect(idsOf(await found('&page=2'))).toEqual([]);
    for (const wrong of ['&page=0', '&status=working', '&validateOnChain=maybe']) expect((await found(wrong)).status).toBe(400);
    expect((await sandbox.read('/helper/get-escrows-by-signer?signer=nobody')).status).toBe(400);
  });
});

describe('update-from-txhash', () => {
  const update = (method: string, path: string, txHash: unknown) =>
    sandbox.request(method, `${sandbox.escrowProviderUrl}${path}`, { txHash }, { 'x-api-key': sandbox.escrowApiKey });

  it.each([
    ['PUT', '/indexer/update-from-txhash'],
    ['POST', '/indexer/update-from-txHash'],
    ['PUT', '/indexer/update-from-txHash'],
    ['POST', '/indexer/update-from-txhash'],
  ])('200 for a landed transaction: %s %s', async (method, path) => {
    const built = await sandbox.escrow('/deployer/single-release', singleRelease(sandbox, parties));
    const transaction = signed(built, parties.buyer, sandbox.networkPassphrase);
    const hash = transaction.hash().toString('hex');
    expect((await update(method, path, hash)).status).toBe(404);
    await sandbox.horizon.submitTransaction(transaction);
    expect(await update(method, path, hash)).toMatchObject({ status: 200, body: { status: 'SUCCESS' } });
    expect((await update(method, path, 'abc')).status).toBe(400);
  });

  it('401 without the key', async () => {
    expect((await sandbox.request('PUT', `${sandbox.escrowProviderUrl}/indexer/update-from-txhash`, {})).status).toBe(401);
  });
});

describe('the fault indexer-behind', () => {
  const behind = (more: object = {}) =>
    sandbox.control('POST', '/faults', { target: 'escrow-provider', operation: 'read', kind: 'indexer-behind', ...more });

  it('shows each escrow before its last change, in every read', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await fund(sandbox, parties, contractId, 1);
    await behind();
    const bySigner = `/helper/get-escrows-by-signer?signer=${parties.buyer.publicKey()}`;
    expect((await byIds(contractId)).body).toMatchObject([{ balance: 100 }]);
    expect((await sandbox.read(bySigner)).body).toMatchObject([{ balance: 100 }]);
    const balances = `/helper/get-multiple-escrow-balance?addresses[]=${contractId}`;
    expect((await sandbox.read(balances)).body).toEqual([{ address: contractId, balance: 100 }]);

    await sandbox.control('DELETE', '/faults');
    expect((await byIds(contractId)).body).toMatchObject([{ balance: 101 }]);
  });

  it('hides a new escrow', async () => {
    const contractId = await deployed('single-release');
    await behind();
    expect(await byIds(contractId)).toEqual({ status: 200, body: [] });
    await fund(sandbox, parties, contractId, 1);
    expect(idsOf(await byIds(contractId))).toEqual([contractId]);
  });

  it('strikes as often as `times` says', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await behind({ times: 1 });
    expect((await byIds(contractId)).body[0].balance).toBeUndefined();
    expect((await byIds(contractId)).body[0].balance).toBe(100);
  });
});
