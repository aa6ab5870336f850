import {
  Account,
  Asset,
  FeeBumpTransaction,
  Keypair,
  Memo,
  MuxedAccount,
  Operation,
  TransactionBuilder,
  type Transaction,
  type xdr,
} from '@stellar/stellar-sdk';
import { manualClock } from '@holdfast/testing/clock';
import type { Expectation } from '../expectations/index.js';
import { requireEnvelope } from '../testing/index.js';
import { encodeEnvelope, type ParsedEnvelope } from '../envelopes/index.js';
import { signingKeyOf } from './keys/ed25519.js';
import { platformKeys } from './keys/platform-keys.js';
import { signerWith, type SignerDeps, type SigningRole } from './signer.js';
import type { TreasuryPurpose } from './treasury-part.js';

const networkPassphrase = 'a network of the tests';
const wallet = Keypair.random();
const address = wallet.publicKey();
const keys = platformKeys({
  treasurySeed: Keypair.random().secret(),
  platformSeed: Keypair.random().secret(),
  channelCount: 2,
});
const clock = manualClock();
const openKey = jest.fn(() => signingKeyOf(wallet.rawSecretKey()));
const usdcIssuer = Keypair.random().publicKey();
const usdc = new Asset('USDC', usdcIssuer);
const deps: SignerDeps = {
  networkPassphrase,
  usdcIssuer,
  platformKeys: keys,
  assertNotStopped: () => Promise.resolve(),
  findWallet: async (owner) => {
    if (owner !== 'an owner') throw new Error('there is no wallet');
    return { address, openKey };
  },
  clock,
  validForMsMax: 60_000,
  feeBidUnitsMax: 5_000n,
};
const { sign, signForTreasury, signFeeBump } = signerWith(deps);
const user = { wallet: 'an owner' } as const;
const payee = Keypair.random().publicKey();
const treasury = keys.treasury.address;
const channel = keys.channels[1]?.address ?? '';

const validSeconds = 30;
const memoHash = 'ab'.repeat(32);

function envelope(
  source: string,
  operations: readonly xdr.Operation[],
  changes: { maxTime?: number; fee?: string } = {},
): string {
  const { maxTime = Math.floor(clock.epochMs() / 1_000) + validSeconds, fee = '100' } = changes;
  const options = { fee, networkPassphrase, timebounds: { minTime: 0, maxTime }, memo: Memo.hash(memoHash) };
  const builder = new TransactionBuilder(new Account(source, '1'), options);
  for (const operation of operations) builder.addOperation(operation);
  return builder.build().toXDR();
}

const pay = (more: object = {}) => Operation.payment({ destination: payee, asset: Asset.native(), amount: '1', ...more });

function paymentBy(signer: string): Expectation {
  const payment = { to: payee, asset: 'XLM', units: 10_000_000n, isNewAccount: false, memoHash } as const;
  return { networkPassphrase, signer, feeUnitsMax: 10_000n, payment, assetName: 'native' };
}

/** The signing accounts among `addresses`, in the order of the signatures. */
function signersOf(envelopeXdr: string, addresses: readonly string[]): readonly (string | undefined)[] {
  const transaction = TransactionBuilder.fromXDR(envelopeXdr, networkPassphrase) as Transaction;
  const verifies = (signer: string, signature: Buffer): boolean =>
    Keypair.fromPublicKey(signer).verify(transaction.hash(), signature);
  return transaction.signatures.map((each) => addresses.find((signer) => verifies(signer, each.signature())));
}

beforeEach(() => {
  openKey.mockClear();
});

describe('a transaction that is the expected one', () => {
  it.each([
    ['a user', user, address],
    ['the platform', 'platform', keys.platform.address],
    ['a channel of the treasury', { treasury: 1 }, channel],
  ] as const)('is signed by %s with a signature that the SDK accepts', async (_, role, signer) => {
    const result = await sign(role, envelope(signer, [pay()]), paymentBy(signer));
    const signedXdr = result.status === 'signed' ? encodeEnvelope(result.envelope) : '';
    expect(signersOf(signedXdr, [address, keys.platform.address, channel])).toEqual([signer]);
  });
});

describe('the signature is refused, and no key is opened,', () => {
  it.each([
    ['for another amount', envelope(address, [pay({ amount: '2' })]), paymentBy(address), 'payment.units'],
    ['for a second operation', envelope(address, [pay(), pay()]), paymentBy(address), 'operations.length'],
    ['for what is expected of another signer', envelope(channel, [pay()]), paymentBy(channel), 'signer'],
    ['on another network', envelope(address, [pay()]), { ...paymentBy(address), networkPassphrase: 'another' }, 'network'],
    ['for a validity beyond the limit', envelope(address, [pay()], { maxTime: 2_000_000_000 }), paymentBy(address), 'timeBounds'],
    ['for a text that is not a transaction', 'AAAA', paymentBy(address), 'envelope'],
  ] as const)('%s', async (_, unsigned, expectation, field) => {
    const result = await sign(user, unsigned, expectation);
    expect(result).toMatchObject({ status: 'refused', mismatch: { field: expect.stringContaining(field) } });
    expect(openKey).not.toHaveBeenCalled();
  });

  it('for an owner without a wallet', async () => {
    const signing = sign({ wallet: 'another owner' }, envelope(address, [pay()]), paymentBy(address));
    await expect(signing).rejects.toThrow('there is no wallet');
  });
});

const signTreasury = async (roles: readonly SigningRole[], purpose: TreasuryPurpose, envelopeXdr: string): Promise<string> =>
  encodeEnvelope(await signForTreasury(roles, purpose, requireEnvelope(envelopeXdr, networkPassphrase)));

function muxed(account: string): string {
  return new MuxedAccount(new Account(account, '1'), '7').accountId();
}

describe('a transaction of the treasury', () => {
  const own = { source: address };
  const trust = Operation.changeTrust({ asset: usdc, ...own });
  const endSponsoring = Operation.endSponsoringFutureReserves(own);
  const activation = [
    Operation.beginSponsoringFutureReserves({ sponsoredId: address }),
    Operation.createAccount({ destination: address, startingBalance: '0' }),
    trust,
    endSponsoring,
  ];
  const sweep = [Operation.payment({ destination: treasury, asset: usdc, amount: '1', ...own })];

  it.each([
    ['activate', activation],
    ['sweep', sweep],
  ] as const)('is also signed by the wallet to %s', async (purpose, operations) => {
    const signed = await signTreasury(['treasury', user], purpose, envelope(treasury, operations));
    expect(signersOf(signed, [treasury, address])).toEqual([treasury, address]);
  });

  const sponsorAnother = Operation.beginSponsoringFutureReserves({ sponsoredId: payee, ...own });
  const foreign: readonly (readonly [string, TreasuryPurpose, () => string])[] = [
    ['to sweep to another address than the treasury', 'sweep', () => envelope(treasury, [pay(own)])],
    ['to pay within an activation', 'activate', () => envelope(treasury, [...activation, pay(own)])],
    ['to sponsor within an activation', 'activate', () => envelope(treasury, [...activation, sponsorAnother])],
    ['to pay for its trustline itself', 'activate', () => envelope(treasury, [trust])],
    [
      'to trust another asset',
      'activate',
      () => envelope(treasury, [Operation.changeTrust({ asset: new Asset('USDC', payee), ...own }), endSponsoring]),
    ],
    [
      'to remove its trustline',
      'activate',
      () => envelope(treasury, [Operation.changeTrust({ asset: usdc, limit: '0', ...own }), endSponsoring]),
    ],
    ['to move money between accounts of the treasury', 'treasury', () => envelope(treasury, sweep)],
    ['from another source account than the treasury', 'sweep', () => envelope(keys.platform.address, sweep)],
    ['without an operation of the signer', 'sweep', () => envelope(treasury, [pay()])],
    ['without an upper time bound', 'sweep', () => envelope(treasury, sweep, { maxTime: 0 })],
    ['for a fee above the maximum', 'sweep', () => envelope(treasury, sweep, { fee: '100000001' })],
    [
      'to pay from a muxed address of its own account, beside an operation that it may sign',
      'activate',
      () => envelope(treasury, [trust, endSponsoring, pay({ source: muxed(address) })]),
    ],
    [
      'to sweep to a muxed address of the treasury',
      'sweep',
      () => envelope(treasury, [pay({ ...own, destination: muxed(treasury) })]),
    ],
  ];

  it.each(foreign)('is not signed by a wallet %s, and no key is opened', async (_, purpose, build) => {
    await expect(signTreasury([user], purpose, build())).rejects.toThrow(/signature was refused/);
    expect(openKey).not.toHaveBeenCalled();
  });

  const byChannel = { source: channel };
  const refill = [
    Operation.payment({ destination: keys.channels[0]?.address ?? '', asset: usdc, amount: '1', ...byChannel }),
    Operation.payment({ destination: treasury, asset: usdc, amount: '1', ...byChannel }),
    Operation.changeTrust({ asset: usdc, ...byChannel }),
  ];

  it('is also signed by a channel that pays to the treasury and to another channel', async () => {
    const signed = await signTreasury(['treasury', { treasury: 1 }], 'treasury', envelope(treasury, refill));
    expect(signersOf(signed, [treasury, channel])).toEqual([treasury, channel]);
  });

  it('is not signed by a channel that pays to another account', async () => {
    const unsigned = envelope(treasury, [...refill, pay(byChannel)]);
    await expect(signTreasury([{ treasury: 1 }], 'treasury', unsigned)).rejects.toThrow(/more than treasury/);
  });

  const lifetimes = { extend: Operation.extendFootprintTtl({ extendTo: 5 }), restore: Operation.restoreFootprint({}) };

  it.each(['extend', 'restore'] as const)('is signed by the treasury to %s entries', async (purpose) => {
    const signed = await signTreasury(['treasury'], purpose, envelope(treasury, [lifetimes[purpose]]));
    expect(signersOf(signed, [treasury])).toEqual([treasury]);
  });

  it.each([
    ['with a second operation', 'extend', () => envelope(treasury, [lifetimes.extend, pay()])],
    ['with another operation', 'extend', () => envelope(treasury, [pay()])],
    ['for the other purpose', 'restore', () => envelope(treasury, [lifetimes.extend])],
    ['for a fee above the maximum', 'restore', () => envelope(treasury, [lifetimes.restore], { fee: '50000001' })],
  ] as const)('is not signed by the treasury %s to %s entries', async (_, purpose, build) => {
    await expect(signTreasury(['treasury'], purpose, build())).rejects.toThrow(/signature was refused/);
  });

  it('that extends entries is not signed by a wallet', async () => {
    await expect(signTreasury([user], 'extend', envelope(treasury, [lifetimes.extend]))).rejects.toThrow(/signature was refused/);
    expect(openKey).not.toHaveBeenCalled();
  });

  it('is not signed when it was parsed for another network', async () => {
    const foreignNetwork = requireEnvelope(envelope(treasury, sweep), 'another network');
    await expect(signForTreasury([user], 'sweep', foreignNetwork)).rejects.toThrow(/for another network/);
    expect(openKey).not.toHaveBeenCalled();
  });
});

describe('a fee bump', () => {
  const ofPayment = (more?: Parameters<typeof envelope>[2]) => {
    const transaction = TransactionBuilder.fromXDR(envelope(address, [pay()], more), networkPassphrase);
    transaction.sign(wallet);
    return requireEnvelope(transaction.toXDR(), networkPassphrase);
  };
  const bumpOf = async (inner: ParsedEnvelope, bidUnits: bigint) =>
    new FeeBumpTransaction(await signFeeBump(inner, { hash: inner.hash, bidUnits }), networkPassphrase);

  it('of a stored transaction is signed and paid by the treasury', async () => {
    const inner = ofPayment();
    const bump = await bumpOf(inner, 5_000n);
    expect(bump.feeSource).toBe(treasury);
    expect(bump.fee).toBe('10000');
    expect(bump.innerTransaction.hash().toString('hex')).toBe(inner.hash);
    const [signature] = bump.signatures;
    expect(bump.signatures).toHaveLength(1);
    expect(Keypair.fromPublicKey(treasury).verify(bump.hash(), signature?.signature() ?? Buffer.alloc(0))).toBe(true);
    expect(openKey).not.toHaveBeenCalled();
  });

  it('may bid more than the limit only as far as the transaction itself does', async () => {
    const inner = ofPayment({ fee: '7000' });
    await expect(bumpOf(inner, 7_000n)).resolves.toBeInstanceOf(FeeBumpTransaction);
    await expect(bumpOf(inner, 7_001n)).rejects.toThrow(/the bid is too high/);
  });

  it.each([
    [
      'another than the stored transaction',
      () => signFeeBump(ofPayment(), { hash: 'another', bidUnits: 100n }),
      /not the stored/,
    ],
    [
      'a transaction without a signature',
      () => bumpOf(requireEnvelope(envelope(address, [pay()]), networkPassphrase), 100n),
      /not signed/,
    ],
    ['a bid below the bid of the transaction', () => bumpOf(ofPayment({ fee: '200' }), 199n), /the bid is too low/],
    ['a bid below the minimum of the network', () => bumpOf(ofPayment({ fee: '50' }), 99n), /the bid is too low/],
    ['a bid above the limit', () => bumpOf(ofPayment(), 5_001n), /the bid is too high/],
    ['a fee above the maximum', () => bumpOf(ofPayment({ fee: '100000001' }), 100n), /the fee is too high/],
    ['a transaction without an upper time bound', () => bumpOf(ofPayment({ maxTime: 0 }), 100n), /no upper time bound/],
    [
      'a transaction of another network',
      () => bumpOf(requireEnvelope(encodeEnvelope(ofPayment()), 'another network'), 100n),
      /for another network/,
    ],
  ])('is refused for %s', async (_, signing, reason) => {
    await expect(signing()).rejects.toThrow(reason);
  });

  it('is refused during an emergency stop', async () => {
    const stopped = signerWith({ ...deps, assertNotStopped: () => Promise.reject(new Error('the emergency stop is on')) });
    const inner = ofPayment();
    await expect(stopped.signFeeBump(inner, { hash: inner.hash, bidUnits: 100n })).rejects.toThrow(/emergency stop/);
  });
});
