import { approve, createParties, complete, fund, fundedEscrow, multiRelease, singleRelease } from '../testing/parties.js';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await runSandbox();
});
afterAll(() => sandbox.close());

async function escrowOf(contractId: string) {
  const { body } = await sandbox.read(`/helper/get-escrow-by-contract-ids?contractIds[]=${contractId}`);
  return body[0];
}

describe('a single-release contract', () => {
  it('pays seller, platform and provider when it is released', async () => {
    const parties = await createParties(sandbox);
    const feesBefore = await sandbox.balance(sandbox.providerFeesAddress);

    const deployed = await sandbox.write('/deployer/single-release', singleRelease(sandbox, parties), parties.buyer);
    const contractId = String(deployed.body.contractId);
    const responses = [
      await fund(sandbox, parties, contractId, 100),
      await complete(sandbox, parties, contractId),
      await approve(sandbox, parties, contractId),
      await sandbox.write(
        '/escrow/single-release/release-funds',
        { contractId, releaseSigner: parties.buyer.publicKey() },
        parties.buyer,
      ),
    ];

    expect(deployed).toMatchObject({ status: 200, body: { status: 'SUCCESS', escrow: { contractId, engagementId: 'ord_1' } } });
    expect(contractId).toMatch(/^C[A-Z2-7]{55}$/);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await escrowOf(contractId)).toMatchObject({
      balance: 0,
      engagementId: 'ord_1',
      flags: { disputed: false, released: true, resolved: false },
      milestones: [{ status: 'completed', approved: true }],
    });
    expect(await sandbox.balance(parties.buyer.publicKey())).toBe(900);
    expect(await sandbox.balance(parties.seller.publicKey())).toBe(94.7);
    expect(await sandbox.balance(parties.platform.publicKey())).toBe(5);
    expect((await sandbox.balance(sandbox.providerFeesAddress)) - feesBefore).toBeCloseTo(0.3, 7);
  });

  it('deducts both fees from a refund and from each part of a split', async () => {
    const parties = await createParties(sandbox);
    const [buyer, seller] = [parties.buyer.publicKey(), parties.seller.publicKey()];
    const resolve = async (distributions: unknown): Promise<void> => {
      const contractId = await fundedEscrow(sandbox, parties);
      await sandbox.write('/escrow/single-release/dispute-escrow', { contractId, signer: buyer }, parties.buyer);
      const body = { contractId, disputeResolver: parties.arbiter.publicKey(), distributions };
      expect(await sandbox.write('/escrow/single-release/resolve-dispute', body, parties.arbiter)).toMatchObject({ status: 200 });
      expect((await escrowOf(contractId)).flags).toEqual({ disputed: false, released: false, resolved: true });
    };

    await resolve([{ address: buyer, amount: 100 }]);
    expect(await sandbox.balance(buyer)).toBe(994.7);
    await resolve([
      { address: seller, amount: 66.6666666 },
      { address: buyer, amount: 33.3333334 },
    ]);

    expect(await sandbox.balance(seller)).toBe(63.1333334);
    expect(await sandbox.balance(buyer)).toBe(926.2666668);
    expect(await sandbox.balance(parties.platform.publicKey())).toBe(9.9999999);
  });

  it('can hold XLM', async () => {
    const parties = await createParties(sandbox);
    const trustline = { address: 'native', symbol: 'XLM' };
    const { body } = await sandbox.write(
      '/deployer/single-release',
      singleRelease(sandbox, parties, { trustline, amount: 10 }),
      parties.buyer,
    );
    await fund(sandbox, parties, String(body.contractId), 10);
    expect(await escrowOf(String(body.contractId))).toMatchObject({
      balance: 10,
      trustline: { address: 'native', name: 'XLM' },
    });
  });
});

describe('a multi-release contract', () => {
  it('releases one milestone, resolves another, and pays back the remaining funds', async () => {
    const parties = await createParties(sandbox);
    const [buyer, arbiter] = [parties.buyer.publicKey(), parties.arbiter.publicKey()];
    const { body } = await sandbox.write('/deployer/multi-release', multiRelease(sandbox, parties, [60, 40]), parties.buyer);
    const contractId = String(body.contractId);
    const write = (call: string, request: object, key = parties.buyer) =>
      sandbox.write(`/escrow/multi-release/${call}`, { contractId, ...request }, key);

    await write('fund-escrow', { signer: buyer, amount: 100 });
    await complete(sandbox, parties, contractId, { type: 'multi-release' });
    await approve(sandbox, parties, contractId, { type: 'multi-release' });
    await write('release-milestone-funds', { milestoneIndex: '0', releaseSigner: buyer });
    expect((await escrowOf(contractId)).milestones[0].flags).toMatchObject({ approved: true, released: true });

    await write('dispute-milestone', { milestoneIndex: '1', signer: buyer });
    expect((await escrowOf(contractId)).flags.disputed).toBe(true);
    const distributions = [{ address: buyer, amount: 30 }];
    await write('resolve-milestone-dispute', { milestoneIndex: '1', disputeResolver: arbiter, distributions }, parties.arbiter);
    const rest = { disputeResolver: arbiter, distributions: [{ address: buyer, amount: 10 }] };
    expect(await write('withdraw-remaining-funds', rest, parties.arbiter)).toMatchObject({ status: 200 });

    expect(await escrowOf(contractId)).toMatchObject({ balance: 0, flags: { released: false, resolved: true, disputed: false } });
    expect(await sandbox.balance(parties.seller.publicKey())).toBe(56.82);
    expect(await sandbox.balance(buyer)).toBe(937.88);
  });
});

describe('the look-up of contracts', () => {
  it('finds them by signer and engagement, newest first, with their balances', async () => {
    const parties = await createParties(sandbox);
    const first = await fundedEscrow(sandbox, parties);
    const other = singleRelease(sandbox, parties, { engagementId: 'ord_2' });
    const second = String((await sandbox.write('/deployer/single-release', other, parties.buyer)).body.contractId);
    const bySigner = `/helper/get-escrows-by-signer?signer=${parties.buyer.publicKey()}`;

    const all = await sandbox.read(bySigner);
    const one = await sandbox.read(`${bySigner}&engagementId=ord_2`);
    const balances = await sandbox.read(`/helper/get-multiple-escrow-balance?addresses[]=${first}&addresses[]=${second}`);

    expect(all.body.map(({ contractId }: { contractId: string }) => contractId)).toEqual([second, first]);
    expect(one.body).toHaveLength(1);
    expect(one.body[0].contractId).toBe(second);
    expect(balances.body).toEqual([
      { address: first, balance: 100 },
      { address: second, balance: 0 },
    ]);
  });
});
