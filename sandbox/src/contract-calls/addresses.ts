import { StrKey, xdr } from '@stellar/stellar-sdk';
import { LRUCache } from 'lru-cache';
import type { ByteText } from './xdr-bytes.js';

type Kind = 'account' | 'contract';

/** The bytes are no buffer: a small one would keep the whole block that it was cut from. */
type Decoded = { readonly address: string; readonly kind: Kind; readonly bytes: ByteText };

const keptMax = 50_000;
const rawBytes = 32;

/** Addresses are few and come up in every call, while reading and writing them is slow: each is done once. */
const decodings = new LRUCache<string, Decoded>({ max: keptMax, memoMethod: decode });
const encodings = new LRUCache<string, string>({ max: keptMax });

export function decodedAddress(address: string): Decoded {
  return decodings.memo(address);
}

function decode(address: string): Decoded {
  const isContract = address.startsWith('C');
  const bytes = isContract ? StrKey.decodeContract(address) : StrKey.decodeEd25519PublicKey(address);
  if (bytes.length !== rawBytes) throw new Error('an address has 32 bytes');
  return { address, kind: isContract ? 'contract' : 'account', bytes: bytes.toString('latin1') };
}

/** The address that a text spells, always as the same string, so that what is kept for long shares it; undefined for any other text. */
export function addressIn(text: string, kind: Kind): string | undefined {
  try {
    const decoded = decodedAddress(text);
    return decoded.kind === kind ? decoded.address : undefined;
  } catch {
    return undefined;
  }
}

/** The key of an account, or the hash of a contract. */
export function addressBytes(address: string): Buffer {
  return Buffer.from(decodedAddress(address).bytes, 'latin1');
}

export function accountAddress(key: Buffer): string {
  return encoded('account', key.toString('latin1'));
}

export function contractAddress(hash: ByteText): string {
  return encoded('contract', hash);
}

function encoded(kind: Kind, bytes: ByteText): string {
  const key = `${kind}${bytes}`;
  const known = encodings.get(key);
  if (known !== undefined) return known;
  const raw = Buffer.from(bytes, 'latin1');
  const address = kind === 'contract' ? StrKey.encodeContract(raw) : StrKey.encodeEd25519PublicKey(raw);
  encodings.set(key, address);
  // Whoever is told an address soon comes back with it.
  decodings.set(address, { address, kind, bytes });
  return address;
}

/** Undefined for kinds of addresses that nobody has here. */
export function fromScAddress(address: xdr.ScAddress): string | undefined {
  const kind = address.switch();
  if (kind === xdr.ScAddressType.scAddressTypeAccount()) return accountAddress(address.accountId().ed25519());
  if (kind !== xdr.ScAddressType.scAddressTypeContract()) return undefined;
  const hash: unknown = address.contractId();
  return Buffer.isBuffer(hash) ? contractAddress(hash.toString('latin1')) : undefined;
}
