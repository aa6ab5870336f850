import { StrKey, xdr } from '@stellar/stellar-sdk';

type Decoded = { readonly kind: 'account' | 'contract'; readonly bytes: Buffer };

const keptMax = 50_000;

/** Addresses are few and come up in every call, while reading and writing them is slow: each is done once. */
const decodings = new Map<string, Decoded>();
const encodings = new Map<string, string>();

function kept<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  if (map.size >= keptMax) map.clear();
  const made = make();
  map.set(key, made);
  return made;
}

function decoded(address: string): Decoded {
  return kept(decodings, address, () =>
    address.startsWith('C')
      ? { kind: 'contract', bytes: StrKey.decodeContract(address) }
      : { kind: 'account', bytes: StrKey.decodeEd25519PublicKey(address) },
  );
}

export function isAddress(text: string, kind: Decoded['kind']): boolean {
  try {
    return decoded(text).kind === kind;
  } catch {
    return false;
  }
}

/** The key of an account, or the hash of a contract. */
export function addressBytes(address: string): Buffer {
  return decoded(address).bytes;
}

export function accountAddress(key: Buffer): string {
  return kept(encodings, `G${key.toString('latin1')}`, () => StrKey.encodeEd25519PublicKey(key));
}

function contractAddress(hash: Buffer): string {
  return kept(encodings, `C${hash.toString('latin1')}`, () => StrKey.encodeContract(hash));
}

export function toScAddress(address: string): xdr.ScAddress {
  const { kind, bytes } = decoded(address);
  return kind === 'contract'
    ? xdr.ScAddress.scAddressTypeContract(contractHash(bytes))
    : xdr.ScAddress.scAddressTypeAccount(xdr.PublicKey.publicKeyTypeEd25519(bytes));
}

/** The SDK's types want a hash that knows how to write itself; at run time it is the bytes alone. */
function contractHash(bytes: Buffer): xdr.Hash {
  return bytes as unknown as xdr.Hash; // eslint-disable-line holdfast/no-type-assertion -- the SDK's declaration is wrong here
}

/** Undefined for kinds of addresses that nobody has here. */
export function fromScAddress(address: xdr.ScAddress): string | undefined {
  const kind = address.switch();
  if (kind === xdr.ScAddressType.scAddressTypeAccount()) return accountAddress(address.accountId().ed25519());
  if (kind !== xdr.ScAddressType.scAddressTypeContract()) return undefined;
  const hash: unknown = address.contractId();
  return Buffer.isBuffer(hash) ? contractAddress(hash) : undefined;
}
