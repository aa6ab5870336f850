import { Address, Keypair, nativeToScVal, StrKey, xdr } from '@stellar/stellar-sdk';
import { parseEscrow } from './escrow-entry.js';

const [buyer, seller, platform] = [Keypair.random(), Keypair.random(), Keypair.random()].map((key) => key.publicKey());
const token = StrKey.encodeContract(Buffer.alloc(32, 1));

const text = (value: string) => xdr.ScVal.scvString(value);
const address = (value = '') => new Address(value).toScVal();
const i128 = (value: bigint) => nativeToScVal(value, { type: 'i128' });
const bool = (value: boolean) => xdr.ScVal.scvBool(value);
const u32 = (value: number) => xdr.ScVal.scvU32(value);
const vec = (values: xdr.ScVal[]) => xdr.ScVal.scvVec(values);
const struct = (fields: Readonly<Record<string, xdr.ScVal>>) =>
  xdr.ScVal.scvMap(
    Object.keys(fields)
      .sort()
      .map((name) => new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(name), val: fields[name] ?? xdr.ScVal.scvVoid() })),
  );

const roles = {
  approver: address(buyer),
  dispute_resolver: address(platform),
  platform: address(platform),
  release_signer: address(buyer),
  service_provider: address(seller),
};
const common = {
  description: text('With drafts'),
  engagement_id: text('ord_1'),
  platform_fee: u32(500),
  receiver_memo: u32(0),
  title: text('Ein Logo für Zoë'),
  trustline: struct({ address: address(token) }),
};
const milestone = { description: text('Drafts'), evidence: text(''), status: text('pending') };
const single = {
  ...common,
  amount: i128(1_000n),
  flags: struct({ disputed: bool(true), released: bool(false), resolved: bool(false) }),
  milestones: vec([
    struct({ ...milestone, approved: bool(false) }),
    struct({ ...milestone, approved: bool(true), status: text('COMPLETED') }),
  ]),
  roles: struct({ ...roles, receiver: address(seller) }),
};
const flagsOf = (resolved: boolean) =>
  struct({ approved: bool(true), disputed: bool(false), released: bool(false), resolved: bool(resolved) });
const multi = {
  ...common,
  milestones: vec([struct({ ...milestone, amount: i128(400n), flags: flagsOf(true), receiver: address(seller) })]),
  roles: struct(roles),
};
const terms = {
  engagementId: 'ord_1',
  title: 'Ein Logo für Zoë',
  description: 'With drafts',
  platformFeeBasisPoints: 500,
  receiverMemo: 0,
  token,
  approver: buyer,
  serviceProvider: seller,
  releaseSigner: buyer,
  disputeResolver: platform,
  platform,
};
const noFlags = { isDisputed: false, isReleased: false, isResolved: false };

describe('the struct of a contract', () => {
  it('has the terms and the flags of a single-release contract', () => {
    expect(parseEscrow('single-release', struct(single))).toEqual({
      terms: { ...terms, receiver: seller, units: 1_000n, milestones: [{ description: 'Drafts' }, { description: 'Drafts' }] },
      state: {
        ...noFlags,
        isDisputed: true,
        milestones: [
          { ...noFlags, isCompleted: false, isApproved: false },
          { ...noFlags, isCompleted: true, isApproved: true },
        ],
      },
    });
  });

  it('has the flags of each milestone of a multi-release contract', () => {
    expect(parseEscrow('multi-release', struct(multi))).toEqual({
      terms: { ...terms, milestones: [{ description: 'Drafts', receiver: seller, units: 400n }] },
      state: { ...noFlags, milestones: [{ ...noFlags, isResolved: true, isCompleted: false, isApproved: true }] },
    });
  });

  const twice = () => {
    const entry = new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol('title'), val: text('Another') });
    return xdr.ScVal.scvMap([...(struct(single).map() ?? []), entry]);
  };

  it.each<readonly [string, () => xdr.ScVal]>([
    ['of another type of contract', () => struct(multi)],
    ['with a field more', () => struct({ ...single, admin: address(buyer) })],
    ['with a field of another type', () => struct({ ...single, amount: u32(1_000) })],
    ['with a field that comes twice', twice],
    ['with keys that are texts', () => xdr.ScVal.scvMap([new xdr.ScMapEntry({ key: text('title'), val: text('A logo') })])],
    ['with a value of an unknown type', () => struct({ ...single, title: xdr.ScVal.scvVoid() })],
    ['that is not a struct', () => i128(1n)],
  ])('%s is refused', (_, stored) => {
    expect(() => parseEscrow('single-release', stored())).toThrow();
  });
});
