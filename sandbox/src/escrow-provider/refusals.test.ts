import { Asset, Keypair, Operation, StrKey } from '@stellar/stellar-sdk';
import { manualClock } from '@holdfast/testing/clock';
import { approve, createParties, complete, fund, fundedEscrow, singleRelease, type Parties } from '../testing/parties.js';
import { runSandbox, signed, type RunningSandbox } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
let parties: Parties;
beforeAll(async () => {
  sandbox = await runSandbox();
  parties = await createParties(sandbox, 5_000);
});
afterAll(() => sandbox.close());

const deploy = (overrides: Readonly<Record<string, unknown>>) =>
  sandbox.escrow('/deployer/single-release', singleRelease(sandbox, parties, overrides));

describe('building', () => {
  it('401 without the key', async () => {
    expect(await sandbox.request('POST', `${sandbox.escrowProviderUrl}/deployer/single-release`, {})).toMatchObject({
      status: 401,
    });
  });

  it.each([
    ['no milestones', { milestones: [] }],
    ['51 milestones', { milestones: Array.from({ length: 51 }, () => ({ description: '' })) }],
    ['a fee above 99 percent', { platformFee: 99.01 }],
    ['a fee with three decimals', { platformFee: 1.005 }],
    ['no amount', { amount: 0 }],
    ['eight decimals', { amount: 0.00000001 }],
    ['an amount in text', { amount: '100' }],
    ['a token without an issuer', { trustline: { address: Asset.native().getCode(), symbol: 'EUR' } }],
    ['a signer that is not an address', { signer: 'G123' }],
    ['a signer that is a contract', { signer: StrKey.encodeContract(Buffer.alloc(32)) }],
    ['a field that the interface does not have', { currency: 'USDC' }],
    ['an amount in a milestone', { milestones: [{ description: '', amount: 1 }] }],
  ])('400 for a contract with %s', async (_flaw, overrides) => {
    const response = await deploy(overrides);
    expect(response.status).toBe(400);
    expect(typeof response.body.message).toBe('string');
  });

  it('500 for a call on an unknown contract', async () => {
    const [contractId, signer] = [StrKey.encodeContract(Buffer.alloc(32)), parties.buyer.publicKey()];
    const notFound = { status: 500, body: { message: 'Escrow not found' } };
    const funding = { contractId, signer, amount: 1 };
    expect(await sandbox.escrow('/escrow/single-release/fund-escrow', funding)).toEqual(notFound);
    const dispute = { contractId, signer, milestoneIndex: '0' };
    expect(await sandbox.escrow('/escrow/multi-release/dispute-milestone', dispute)).toEqual(notFound);
  });

  it('400 for a milestone index that is a number, and for the path of the other type', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const approver = parties.buyer.publicKey();
    const at = (milestoneIndex: unknown) =>
      sandbox.escrow('/escrow/single-release/approve-milestone', { contractId, milestoneIndex, approver });
    expect((await at(0)).status).toBe(400);
    expect((await at('0')).status).toBe(200);
    const release = { contractId, releaseSigner: approver, milestoneIndex: '0' };
    expect((await sandbox.escrow('/escrow/multi-release/release-milestone-funds', release)).status).toBe(400);
  });

  it('400 for each call that the state of the contract does not allow', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const [buyer, seller] = [parties.buyer.publicKey(), parties.seller.publicKey()];
    const arbiter = parties.arbiter.publicKey();
    const single = (call: string, body: object) => sandbox.escrow(`/escrow/single-release/${call}`, { contractId, ...body });
    const refused = async (response: Promise<{ status: number; body: { message: string } }>) => (await response).body.message;

    expect(await refused(single('release-funds', { releaseSigner: buyer }))).toMatch('must be completed to release funds');
    expect(await refused(single('dispute-escrow', { signer: arbiter }))).toMatch('resolver cannot dispute');
    expect(await refused(single('dispute-escrow', { signer: sandbox.faucetAddress }))).toMatch('not authorized');
    const everything = [{ address: buyer, amount: 100 }];
    expect(await refused(single('resolve-dispute', { disputeResolver: arbiter, distributions: everything }))).toMatch(
      'not in dispute',
    );
    const status = { milestoneIndex: '0', newStatus: 'completed' };
    expect(await refused(single('change-milestone-status', { ...status, serviceProvider: buyer }))).toMatch('Only the service');
    expect(await refused(single('change-milestone-status', { ...status, milestoneIndex: '1', serviceProvider: seller }))).toMatch(
      'index',
    );

    await complete(sandbox, parties, contractId);
    await approve(sandbox, parties, contractId);
    expect(await refused(single('approve-milestone', { milestoneIndex: '0', approver: buyer }))).toMatch('already been approved');
    await sandbox.write('/escrow/single-release/release-funds', { contractId, releaseSigner: buyer }, parties.buyer);
    expect(await refused(single('release-funds', { releaseSigner: buyer }))).toMatch('already been released');
    expect(await refused(single('dispute-escrow', { signer: buyer }))).toMatch('already been released');
  });

  it('400 for a resolution that does not add up, or of the wrong type', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const [address, disputeResolver] = [parties.buyer.publicKey(), parties.arbiter.publicKey()];
    await sandbox.write('/escrow/single-release/dispute-escrow', { contractId, signer: address }, parties.buyer);
    const resolve = async (distributions: unknown, path = 'single-release/resolve-dispute') =>
      (await sandbox.escrow(`/escrow/${path}`, { contractId, disputeResolver, distributions })).body.message;
    const parts = (...amounts: number[]) => amounts.map((amount) => ({ address: Keypair.random().publicKey(), amount }));

    expect(await resolve(parts(99.9999999))).toMatch('must equal');
    expect(await resolve(parts(100, 0))).toMatch('greater than zero');
    expect(await resolve([50, 50].map((amount) => ({ address, amount })))).toMatch('address twice');
    expect(await resolve([])).toMatch('at least one');
    expect(await resolve(parts(...Array.from({ length: 51 }, () => 1)))).toMatch('at most 50');
    expect(await resolve(parts(100), 'multi-release/withdraw-remaining-funds')).toMatch('not a multi-release');
  });

  it('400 for missing tokens, or tokens that the receiver cannot hold', async () => {
    const { body } = await sandbox.write('/deployer/single-release', singleRelease(sandbox, parties), parties.buyer);
    const contractId = String(body.contractId);
    const fundEscrow = { contractId, signer: parties.seller.publicKey(), amount: 1_000_000 };
    expect((await sandbox.escrow('/escrow/single-release/fund-escrow', fundEscrow)).body.message).toMatch('enough tokens');

    await fund(sandbox, parties, contractId, 100);
    await sandbox.write(
      '/escrow/single-release/dispute-escrow',
      { contractId, signer: parties.buyer.publicKey() },
      parties.buyer,
    );
    const distributions = [{ address: sandbox.faucetAddress, amount: 100 }];
    const resolve = { contractId, disputeResolver: parties.arbiter.publicKey(), distributions };
    expect((await sandbox.escrow('/escrow/single-release/resolve-dispute', resolve)).body.message).toMatch('no trustline');
  });
});

describe('submitting', () => {
  const buildFund = (contractId: string, amount = 1) =>
    sandbox.escrow('/escrow/single-release/fund-escrow', { contractId, signer: parties.buyer.publicKey(), amount });

  it('400 tx_bad_auth for the wrong signer', async () => {
    const built = await buildFund(await fundedEscrow(sandbox, parties));
    const response = await sandbox.send(signed(built, parties.seller, sandbox.networkPassphrase));
    expect(response).toMatchObject({ status: 400, body: { message: expect.stringContaining('tx_bad_auth') } });
  });

  it('400 tx_bad_seq for the second of two transactions with the same sequence number', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const [first, second] = [await buildFund(contractId, 1), await buildFund(contractId, 2)];
    expect(await sandbox.send(signed(first, parties.buyer, sandbox.networkPassphrase))).toMatchObject({ status: 200 });
    const response = await sandbox.send(signed(second, parties.buyer, sandbox.networkPassphrase));
    expect(response).toMatchObject({ status: 400, body: { message: expect.stringContaining('tx_bad_seq') } });
  });

  it('400 for unsupported operations', async () => {
    const bump = await sandbox.transaction(parties.buyer, [Operation.bumpSequence({ bumpTo: '0' })]);
    expect(await sandbox.send(bump)).toMatchObject({ status: 400, body: { message: expect.stringContaining('bumpSequence') } });
  });

  it('200 again for a landed transaction, without a second effect', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const transaction = signed(await buildFund(contractId), parties.buyer, sandbox.networkPassphrase);
    const responses = [await sandbox.send(transaction), await sandbox.send(transaction)];
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await sandbox.read(`/helper/get-multiple-escrow-balance?addresses[]=${contractId}`);
    expect(body).toEqual([{ address: contractId, balance: 101 }]);
  });

  it('200 when the transaction is submitted to the network directly', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const transaction = signed(await buildFund(contractId), parties.buyer, sandbox.networkPassphrase);
    const landed = await sandbox.horizon.submitTransaction(transaction);
    expect(landed.successful).toBe(true);
    expect(await sandbox.send(transaction)).toMatchObject({ status: 200, body: { status: 'SUCCESS' } });
  });

  it('400 for a call that the contract refuses since it was built, which lands as failed', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const body = { contractId, milestoneIndex: '0', newStatus: 'done', serviceProvider: parties.seller.publicKey() };
    await sandbox.write('/escrow/single-release/change-milestone-status', body, parties.seller);
    const release = { contractId, releaseSigner: parties.buyer.publicKey() };
    await approve(sandbox, parties, contractId);
    const built = await sandbox.escrow('/escrow/single-release/release-funds', release);
    const dispute = { contractId, signer: parties.seller.publicKey() };
    await sandbox.write('/escrow/single-release/dispute-escrow', dispute, parties.seller);

    const transaction = signed(built, parties.buyer, sandbox.networkPassphrase);
    const response = await sandbox.send(transaction);

    expect(response).toMatchObject({ status: 400, body: { message: expect.stringContaining('dispute resolution') } });
    const hash = transaction.hash().toString('hex');
    expect(await sandbox.horizon.transactions().transaction(hash).call()).toMatchObject({ successful: false });
  });

  it('400 tx_too_late after thirty seconds', async () => {
    const clock = manualClock();
    const slow = await runSandbox({ clock });
    const cast = await createParties(slow);
    const built = await slow.escrow('/deployer/single-release', singleRelease(slow, cast));
    clock.advance(31_000);
    const response = await slow.send(signed(built, cast.buyer, slow.networkPassphrase));
    expect(response).toMatchObject({ status: 400, body: { message: expect.stringContaining('tx_too_late') } });
    await slow.close();
  });

  it('400 for a malformed transaction', async () => {
    expect(await sandbox.escrow('/helper/send-transaction', { signedXdr: 'AAAA' })).toMatchObject({ status: 400 });
    expect(await sandbox.escrow('/helper/send-transaction', {})).toMatchObject({ status: 400 });
  });
});
