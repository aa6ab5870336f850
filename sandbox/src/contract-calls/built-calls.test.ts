import { Asset, type Keypair, type xdr } from '@stellar/stellar-sdk';
import { calledIn } from '../testing/invocations.js';
import {
  approve,
  complete,
  createParties,
  fund,
  fundedEscrow,
  multiRelease,
  singleRelease,
  type Parties,
} from '../testing/parties.js';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';
import { base64, scv } from '../testing/scvals.js';
import { contractVersions } from './contract-versions.js';

const unitsOf100 = '1000000000';

describe.each(contractVersions)('the calls that the provider builds on the version %s', (contractVersion) => {
  let sandbox: RunningSandbox;
  let parties: Parties;
  let token: xdr.ScVal;
  /** The mainnet contracts have the address in their code. */
  let feesAddress: readonly xdr.ScVal[];
  beforeAll(async () => {
    sandbox = await runSandbox({ contractVersion });
    parties = await createParties(sandbox, 5_000);
    token = scv.address(new Asset('USDC', sandbox.usdcIssuer).contractId(sandbox.networkPassphrase));
    feesAddress = contractVersion === 'v1' ? [scv.address(sandbox.providerFeesAddress)] : [];
  });
  afterAll(() => sandbox.close());

  async function build(path: string, body: object) {
    const built = await sandbox.escrow(path, body);
    expect(built).toMatchObject({ status: 200 });
    return calledIn(String(built.body.unsignedTransaction), sandbox.networkPassphrase);
  }

  /** Expects a call of the contract with exactly these arguments. */
  async function expectCall(path: string, body: object, functionName: string, args: readonly xdr.ScVal[]) {
    const called = await build(path, body);
    expect([called.functionName, base64(called.args)]).toEqual([functionName, base64(args)]);
    if ('contractId' in body) expect(called.contractId).toBe(body.contractId);
  }

  const noFlags = () => scv.struct({ disputed: scv.bool(false), released: scv.bool(false), resolved: scv.bool(false) });

  const singleStruct = (milestone: { approved?: boolean; evidence?: string; status?: string } = {}) =>
    scv.struct({
      amount: scv.i128(unitsOf100),
      description: scv.string('Made to measure'),
      engagement_id: scv.string('ord_1'),
      flags: noFlags(),
      milestones: scv.vec(
        scv.struct({
          approved: scv.bool(milestone.approved ?? false),
          description: scv.string('all of it'),
          evidence: scv.string(milestone.evidence ?? ''),
          status: scv.string(milestone.status ?? 'pending'),
        }),
      ),
      platform_fee: scv.u32(500),
      receiver_memo: scv.u32(0),
      roles: scv.struct({
        approver: scv.address(parties.buyer),
        dispute_resolver: scv.address(parties.arbiter),
        platform: scv.address(parties.platform),
        receiver: scv.address(parties.seller),
        release_signer: scv.address(parties.buyer),
        service_provider: scv.address(parties.seller),
      }),
      title: scv.string('A website'),
      trustline: scv.struct({ address: token }),
    });

  const multiMilestone = (index: number, units: string) =>
    scv.struct({
      amount: scv.i128(units),
      description: scv.string(`part ${index}`),
      evidence: scv.string(''),
      flags: scv.struct({
        approved: scv.bool(false),
        disputed: scv.bool(false),
        released: scv.bool(false),
        resolved: scv.bool(false),
      }),
      receiver: scv.address(parties.seller),
      status: scv.string('pending'),
    });

  const multiStruct = () =>
    scv.struct({
      description: scv.string('Made to measure'),
      engagement_id: scv.string('ord_1'),
      milestones: scv.vec(multiMilestone(0, '600000000'), multiMilestone(1, '400000000')),
      platform_fee: scv.u32(500),
      receiver_memo: scv.u32(0),
      roles: scv.struct({
        approver: scv.address(parties.buyer),
        dispute_resolver: scv.address(parties.arbiter),
        platform: scv.address(parties.platform),
        release_signer: scv.address(parties.buyer),
        service_provider: scv.address(parties.seller),
      }),
      title: scv.string('A website'),
      trustline: scv.struct({ address: token }),
    });

  it.each([
    ['single-release', 'tw_new_single_release_escrow'],
    ['multi-release', 'tw_new_multi_release_escrow'],
  ] as const)('deploy a %s contract by its factory', async (type, functionName) => {
    const body = type === 'single-release' ? singleRelease(sandbox, parties) : multiRelease(sandbox, parties, [60, 40]);
    const called = await build(`/deployer/${type}`, body);
    const struct = type === 'single-release' ? singleStruct() : multiStruct();
    const { factory, wasmHash } = sandbox.contracts[type];
    const salt = called.args[2]?.bytes().toString('hex') ?? '';
    expect(salt).toMatch(/^[0-9a-f]{64}$/);
    expect([called.contractId, called.functionName]).toEqual([factory, functionName]);
    expect(base64(called.args)).toEqual(
      base64([
        scv.address(parties.buyer),
        scv.bytes(wasmHash),
        scv.bytes(salt),
        scv.symbol('initialize_escrow'),
        scv.vec(struct),
        scv.vec(),
      ]),
    );
  });

  it('fund with the stored struct, also after a change', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const path = '/escrow/single-release/fund-escrow';
    const body = { contractId, signer: parties.seller.publicKey(), amount: 0.0000001 };
    await sandbox.control('POST', '/faucet', { address: parties.seller.publicKey(), asset: 'USDC', amount: 1 });
    const args = (struct: xdr.ScVal) => [scv.address(parties.seller), struct, scv.i128('1')];
    await expectCall(path, body, 'fund_escrow', args(singleStruct()));
    await complete(sandbox, parties, contractId);
    await approve(sandbox, parties, contractId);
    await expectCall(path, body, 'fund_escrow', args(singleStruct({ approved: true, status: 'completed' })));
  });

  it('change, approve and release single-release contracts', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const status = { contractId, milestoneIndex: '0', newStatus: 'done', serviceProvider: parties.seller.publicKey() };
    const path = '/escrow/single-release';
    const texts = [scv.u32(0), scv.string('done')];
    const seller = scv.address(parties.seller);
    await expectCall(`${path}/change-milestone-status`, status, 'change_milestone_status', [...texts, scv.void(), seller]);
    const proven = { ...status, newEvidence: 'Grüße' };
    const withEvidence = [...texts, scv.string('Grüße'), seller];
    await expectCall(`${path}/change-milestone-status`, proven, 'change_milestone_status', withEvidence);
    const approval = { contractId, milestoneIndex: '0', approver: parties.buyer.publicKey() };
    await expectCall(`${path}/approve-milestone`, approval, 'approve_milestone', [scv.u32(0), scv.address(parties.buyer)]);
    await approve(sandbox, parties, contractId);
    const release = { contractId, releaseSigner: parties.buyer.publicKey() };
    await expectCall(`${path}/release-funds`, release, 'release_funds', [scv.address(parties.buyer), ...feesAddress]);
  });

  /** The keys of the map are in the order of the public keys. */
  const distributionsOf = (entries: readonly (readonly [Keypair, string])[]) =>
    scv.map(
      ...[...entries]
        .sort(([a], [b]) => a.rawPublicKey().compare(b.rawPublicKey()))
        .map(([key, units]) => [scv.address(key), scv.i128(units)] as const),
    );

  it('dispute and resolve single-release contracts', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const { buyer, seller, arbiter } = parties;
    const path = '/escrow/single-release';
    const dispute = { contractId, signer: seller.publicKey() };
    await expectCall(`${path}/dispute-escrow`, dispute, 'dispute_escrow', [scv.address(seller)]);
    await sandbox.write(`${path}/dispute-escrow`, dispute, seller);
    const distributions = [
      { address: buyer.publicKey(), amount: 30 },
      { address: seller.publicKey(), amount: 70 },
    ];
    const map = distributionsOf([
      [buyer, '300000000'],
      [seller, '700000000'],
    ]);
    for (const given of [distributions, distributions.toReversed()]) {
      const resolve = { contractId, disputeResolver: arbiter.publicKey(), distributions: given };
      await expectCall(`${path}/resolve-dispute`, resolve, 'resolve_dispute', [scv.address(arbiter), ...feesAddress, map]);
    }
  });

  it('release, dispute, resolve and empty multi-release contracts', async () => {
    const { buyer, seller, arbiter } = parties;
    const { body } = await sandbox.write('/deployer/multi-release', multiRelease(sandbox, parties, [60, 40]), buyer);
    const contractId = String(body.contractId);
    const path = '/escrow/multi-release';
    const funding = { contractId, signer: buyer.publicKey(), amount: 100 };
    await expectCall(`${path}/fund-escrow`, funding, 'fund_escrow', [scv.address(buyer), multiStruct(), scv.i128(unitsOf100)]);
    await sandbox.write(`${path}/fund-escrow`, funding, buyer);
    await approve(sandbox, parties, contractId, { type: 'multi-release' });
    const release = { contractId, milestoneIndex: '0', releaseSigner: buyer.publicKey() };
    const releaseArgs = [scv.address(buyer), ...feesAddress, scv.u32(0)];
    await expectCall(`${path}/release-milestone-funds`, release, 'release_milestone_funds', releaseArgs);
    await sandbox.write(`${path}/release-milestone-funds`, release, buyer);

    const dispute = { contractId, milestoneIndex: '1', signer: seller.publicKey() };
    await expectCall(`${path}/dispute-milestone`, dispute, 'dispute_milestone', [scv.u32(1), scv.address(seller)]);
    await sandbox.write(`${path}/dispute-milestone`, dispute, seller);
    const share = { disputeResolver: arbiter.publicKey(), distributions: [{ address: buyer.publicKey(), amount: 40 }] };
    const map = distributionsOf([[buyer, '400000000']]);
    const resolve = { contractId, milestoneIndex: '1', ...share };
    const resolveArgs = [scv.address(arbiter), scv.u32(1), ...feesAddress, map];
    await expectCall(`${path}/resolve-milestone-dispute`, resolve, 'resolve_milestone_dispute', resolveArgs);
    const rest = { contractId, ...share };
    const restArgs = [scv.address(arbiter), ...feesAddress, map];
    await expectCall(`${path}/withdraw-remaining-funds`, rest, 'withdraw_remaining_funds', restArgs);
  });

  it('pay the provider when they land', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const before = await sandbox.balance(sandbox.providerFeesAddress);
    await approve(sandbox, parties, contractId);
    const release = { contractId, releaseSigner: parties.buyer.publicKey() };
    expect(await sandbox.write('/escrow/single-release/release-funds', release, parties.buyer)).toMatchObject({ status: 200 });
    expect((await sandbox.balance(sandbox.providerFeesAddress)) - before).toBeCloseTo(0.3, 7);
    expect(await fund(sandbox, parties, contractId, 1)).toMatchObject({ status: 200 });
  });
});
