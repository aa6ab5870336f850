import { Account, Address, Keypair, MuxedAccount, nativeToScVal, StrKey, xdr } from '@stellar/stellar-sdk';
import {
  absent,
  address,
  addressAmounts,
  anyBytes,
  bool,
  bytes,
  i128,
  string,
  struct,
  symbol,
  u32,
  vec,
} from './expected-values.js';

const account = Keypair.random().publicKey();
const { ScVal } = xdr;

/** One value of every wire type. */
const values: Readonly<Record<string, xdr.ScVal>> = {
  bool: ScVal.scvBool(true),
  void: ScVal.scvVoid(),
  error: ScVal.scvError(xdr.ScError.sceContract(7)),
  u32: ScVal.scvU32(7),
  i32: ScVal.scvI32(7),
  u64: nativeToScVal(7n, { type: 'u64' }),
  i64: nativeToScVal(7n, { type: 'i64' }),
  timepoint: ScVal.scvTimepoint(new xdr.Uint64(7)),
  duration: ScVal.scvDuration(new xdr.Uint64(7)),
  u128: nativeToScVal(7n, { type: 'u128' }),
  i128: nativeToScVal(7n, { type: 'i128' }),
  u256: nativeToScVal(7n, { type: 'u256' }),
  i256: nativeToScVal(7n, { type: 'i256' }),
  bytes: ScVal.scvBytes(Buffer.from('seven')),
  string: ScVal.scvString('seven'),
  symbol: ScVal.scvSymbol('seven'),
  vec: ScVal.scvVec([ScVal.scvU32(7)]),
  map: ScVal.scvMap([new xdr.ScMapEntry({ key: ScVal.scvSymbol('seven'), val: ScVal.scvU32(7) })]),
  'address map': ScVal.scvMap([
    new xdr.ScMapEntry({ key: new Address(account).toScVal(), val: nativeToScVal(7n, { type: 'i128' }) }),
  ]),
  address: new Address(account).toScVal(),
  'muxed address': new Address(new MuxedAccount(new Account(account, '1'), '7').accountId()).toScVal(),
  'contract address': new Address(StrKey.encodeContract(Buffer.alloc(32, 7))).toScVal(),
  'pool address': new Address(StrKey.encodeLiquidityPool(Buffer.alloc(32, 7))).toScVal(),
  'claimable balance': new Address(StrKey.encodeClaimableBalance(Buffer.alloc(33))).toScVal(),
  instance: ScVal.scvContractInstance(
    new xdr.ScContractInstance({ executable: xdr.ContractExecutable.contractExecutableStellarAsset(), storage: null }),
  ),
  'instance key': ScVal.scvLedgerKeyContractInstance(),
  nonce: ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce: new xdr.Int64(7) })),
};

describe('an expected value equals only the same value of its wire type:', () => {
  it.each([
    ['bool', bool(true)],
    ['void', absent()],
    ['u32', u32(7)],
    ['i128', i128(7n)],
    ['bytes', bytes(Buffer.from('seven').toString('hex'))],
    ['bytes', anyBytes(5)],
    ['string', string('seven')],
    ['symbol', symbol('seven')],
    ['vec', vec([u32(7)])],
    ['map', struct({ seven: u32(7) })],
    ['address map', addressAmounts([{ address: account, units: 7n }])],
    ['address', address(account)],
  ])('%s', (type, expected) => {
    const equal = Object.entries(values).filter(([, value]) => expected.compare('argument', value) === undefined);
    expect(equal.map(([name]) => name)).toEqual([type]);
  });

  it('every wire type is tried', () => {
    const tried = new Set(Object.values(values).map((value) => value.switch().value));
    expect([...tried].sort((one, other) => one - other)).toEqual(Array.from({ length: 22 }, (_, type) => type));
  });
});

describe('an expected value', () => {
  it('of text is compared by its bytes, because different bytes can be shown as the same text', () => {
    const notUtf8 = Buffer.from([0x61, 0xff]);
    expect(string('a\uFFFD').compare('title', ScVal.scvString('a\uFFFD'))).toBeUndefined();
    expect(string(notUtf8.toString()).compare('title', ScVal.scvString(notUtf8))).toMatchObject({ field: 'title' });
  });

  it('of amounts by address has the order of the network, which sorts the keys and not their texts', () => {
    const accounts = Array.from({ length: 256 }, (_, byte) => StrKey.encodeEd25519PublicKey(Buffer.alloc(32, byte)));
    const entryOf = (id: string): xdr.ScMapEntry =>
      new xdr.ScMapEntry({ key: new Address(id).toScVal(), val: nativeToScVal(7n, { type: 'i128' }) });
    const byText = accounts.toSorted();
    expect(byText).not.toEqual(accounts);
    const expected = addressAmounts(byText.map((id) => ({ address: id, units: 7n })));
    expect(expected.compare('distributions', ScVal.scvMap(accounts.map(entryOf)))).toBeUndefined();
    expect(expected.compare('distributions', ScVal.scvMap(byText.map(entryOf)))).toBeDefined();
  });
});

describe('a mismatch', () => {
  it('names the field, the expected and the found value with their types', () => {
    const escrow = struct({ amount: i128(7n), roles: struct({ receiver: address(account) }) });
    const other = Keypair.random().publicKey();
    const found = ScVal.scvMap([
      new xdr.ScMapEntry({ key: ScVal.scvSymbol('amount'), val: nativeToScVal(7n, { type: 'i128' }) }),
      new xdr.ScMapEntry({
        key: ScVal.scvSymbol('roles'),
        val: ScVal.scvMap([new xdr.ScMapEntry({ key: ScVal.scvSymbol('receiver'), val: new Address(other).toScVal() })]),
      }),
    ]);
    expect(escrow.compare('escrow', found)).toEqual({
      field: 'escrow.roles.receiver',
      expected: `address ${account}`,
      found: `address ${other}`,
    });
  });

  it('quotes and shortens what others wrote', () => {
    const found = ScVal.scvString(`line\n${'x'.repeat(1_000)}`);
    const mismatch = string('title').compare('title', found);
    expect(mismatch?.found).toMatch(/^string "line\\nx+"$/);
    expect(mismatch?.found.length).toBeLessThan(100);
  });

  it.each([
    ['vec', vec([]), ScVal.scvVec(null), 'vec without content'],
    ['vec', vec([]), ScVal.scvMap([]), 'map'],
    ['map', struct({}), ScVal.scvMap(null), 'map without content'],
    ['map', struct({}), ScVal.scvVec([]), 'vec'],
    ['map', struct({}), ScVal.scvVoid(), 'void'],
  ])('names the container: expected %s', (type, expected, value, found) => {
    expect(expected.compare('terms', value)).toEqual({ field: 'terms', expected: type, found });
  });

  it('names a key that comes twice', () => {
    const entry = new xdr.ScMapEntry({ key: ScVal.scvSymbol('amount'), val: ScVal.scvU32(7) });
    const found = ScVal.scvMap([entry, entry]);
    expect(struct({ amount: u32(7), title: string('x') }).compare('escrow', found)).toEqual({
      field: 'escrow.title (key)',
      expected: 'symbol "title"',
      found: 'symbol "amount"',
    });
    expect(struct({ amount: u32(7) }).compare('escrow', found)).toEqual({
      field: 'escrow.length',
      expected: '1',
      found: '2',
    });
  });
});
