import { Address, MuxedAccount, Account, nativeToScVal, scValToBigInt, StrKey, xdr } from '@stellar/stellar-sdk';
import { stranger } from './parties.js';

/** A changed value and what was changed. */
export type Disguise = readonly [what: string, value: xdr.ScVal];

/** Every way to change one place in a value: another wire type with the same content, another content, another structure. */
export function disguisesOf(value: xdr.ScVal): readonly Disguise[] {
  switch (value.switch().name) {
    case 'scvVec':
      return vecDisguises(value.vec() ?? []);
    case 'scvMap':
      return mapDisguises(value.map() ?? []);
    default:
      return scalarDisguises(value);
  }
}

const { ScVal } = xdr;

function scalarDisguises(value: xdr.ScVal): readonly Disguise[] {
  switch (value.switch().name) {
    case 'scvU32':
      return [
        ...(['i128', 'u64', 'i32', 'u128'] as const).map((type): Disguise => [type, nativeToScVal(value.u32(), { type })]),
        ['other', ScVal.scvU32(value.u32() + 1)],
      ];
    case 'scvI128':
      return integerDisguises(scValToBigInt(value));
    case 'scvBool':
      return [
        ['u32', ScVal.scvU32(value.b() ? 1 : 0)],
        ['other', ScVal.scvBool(!value.b())],
      ];
    case 'scvString':
      return textDisguises(Buffer.from(value.str()));
    case 'scvSymbol':
      return [
        ['string', ScVal.scvString(value.sym())],
        ['other', ScVal.scvSymbol('other')],
      ];
    case 'scvBytes':
      return [
        ['string', ScVal.scvString(value.bytes())],
        ['longer', ScVal.scvBytes(Buffer.concat([value.bytes(), Buffer.alloc(1)]))],
        ['shorter', ScVal.scvBytes(value.bytes().subarray(1))],
      ];
    case 'scvVoid':
      return [
        ['empty string', ScVal.scvString('')],
        ['bool', ScVal.scvBool(false)],
      ];
    case 'scvAddress':
      return addressDisguises(Address.fromScVal(value));
    default:
      throw new Error(`no call has a value of the type ${value.switch().name}`);
  }
}

function integerDisguises(units: bigint): readonly Disguise[] {
  return [
    ...(['u128', 'u64', 'i64', 'i256'] as const).map((type): Disguise => [type, nativeToScVal(units, { type })]),
    ['negative', nativeToScVal(-units, { type: 'i128' })],
    ['one more', nativeToScVal(units + 1n, { type: 'i128' })],
    // The same lower half.
    ['2^64 more', nativeToScVal(units + 2n ** 64n, { type: 'i128' })],
  ];
}

/** The last one decodes to the same text as the content with a replacement character. */
function textDisguises(content: Buffer): readonly Disguise[] {
  return [
    ...(content.length <= 32 ? [['symbol', ScVal.scvSymbol(content)] as const] : []),
    ['bytes', ScVal.scvBytes(content)],
    ['void', ScVal.scvVoid()],
    ['a NUL more', ScVal.scvString(Buffer.concat([content, Buffer.alloc(1)]))],
    ['not UTF-8', ScVal.scvString(Buffer.concat([content, Buffer.from([0xff])]))],
  ];
}

function addressDisguises(address: Address): readonly Disguise[] {
  const id = address.toString();
  return [
    ['string', ScVal.scvString(id)],
    ['bytes', ScVal.scvBytes(address.toBuffer())],
    ['other account', new Address(stranger).toScVal()],
    // A contract whose hash has the bytes of the account's key, and the other way round.
    ['other kind', new Address(id.startsWith('G') ? StrKey.encodeContract(address.toBuffer()) : accountOf(address)).toScVal()],
    ...(id.startsWith('G') ? [['muxed', new Address(muxed(id)).toScVal()] as const] : []),
  ];
}

function accountOf(address: Address): string {
  return StrKey.encodeEd25519PublicKey(address.toBuffer());
}

function muxed(id: string): string {
  return new MuxedAccount(new Account(id, '1'), '7').accountId();
}

function vecDisguises(items: readonly xdr.ScVal[]): readonly Disguise[] {
  const [first] = items;
  return [
    ['vec without content', ScVal.scvVec(null)],
    ['map', ScVal.scvMap([])],
    ['one more item', ScVal.scvVec([...items, first ?? ScVal.scvVoid()])],
    ...items.flatMap((item, index): readonly Disguise[] => [
      [`[${index}] left out`, ScVal.scvVec(items.toSpliced(index, 1))],
      ...disguisesOf(item).map(([what, value]): Disguise => [`[${index}] ${what}`, ScVal.scvVec(items.with(index, value))]),
    ]),
  ];
}

function mapDisguises(entries: readonly xdr.ScMapEntry[]): readonly Disguise[] {
  const changed = (changedEntries: readonly xdr.ScMapEntry[]): xdr.ScVal => ScVal.scvMap([...changedEntries]);
  return [
    ['map without content', ScVal.scvMap(null)],
    ['vec', ScVal.scvVec([])],
    ['reversed', changed(entries.toReversed())],
    ['one more key', changed([...entries, new xdr.ScMapEntry({ key: ScVal.scvSymbol('zzz'), val: ScVal.scvVoid() })])],
    ...entries.flatMap((entry, index): readonly Disguise[] => {
      const name = `.${index}`;
      const withEntry = (key: xdr.ScVal, val: xdr.ScVal): xdr.ScVal =>
        changed(entries.with(index, new xdr.ScMapEntry({ key, val })));
      return [
        [`${name} left out`, changed(entries.toSpliced(index, 1))],
        [`${name} twice`, changed(entries.toSpliced(index, 0, entry))],
        ...disguisesOf(entry.key()).map(([what, key]): Disguise => [`${name} key ${what}`, withEntry(key, entry.val())]),
        ...disguisesOf(entry.val()).map(([what, val]): Disguise => [`${name} ${what}`, withEntry(entry.key(), val)]),
      ];
    }),
  ].filter(([what]) => entries.length > 1 || what !== 'reversed') as readonly Disguise[];
}
