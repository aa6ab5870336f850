import { StrKey, xdr } from '@stellar/stellar-sdk';
import { LRUCache } from 'lru-cache';
import type { ByteText } from './xdr-bytes.js';

type Kind = 'account' | 'contract';

/** The bytes are a string, because a small Buffer would keep its whole pooled block in memory. */
type Decoded = { readonly address: string; readonly kind: Kind; readonly bytes: ByteText };

const cachedMax = 50_000;
const rawBytes = 32;

/** Every call contains addresses, there are few of them, and converting them is slow, so conversions are cached. */
const decodings = new LRUCache<string, Decoded>({ max: cachedMax, memoMethod: decode });
const encodings = new LRUCache<string, string>({ max: cachedMax });

export function decodedAddress(address: string): Decoded {
  return decodings.memo(address);
}

function decode(address: string): Decoded {
  const isContract = address.startsWith('C');
  const bytes = isContract ? StrKey.decodeContract(address) : StrKey.decodeEd25519PublicKey(address);
  if (bytes.length !== rawBytes) throw new Error('an address must have 32 bytes');
  return { address, kind: isContract ? 'contract' : 'account', bytes: bytes.toString('latin1') };
}

/** The valid address in a text, or undefined. Always the same string instance, so that stored records share it. */
export function addressIn(text: string, kind: Kind): string | undefined {
  try {
    const decoded = decodedAddress(text);
    return decoded.kind === kind ? decoded.address : undefined;
  } catch {
    return undefined;
  }
}

/** The public key of an account, or the hash of a contract. */
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
  // A client that receives an address soon sends it back.
  decodings.set(address, { address, kind, bytes });
  return address;
}

/** Undefined for kinds of addresses that the sandbox does not support. */
export function fromScAddress(address: xdr.ScAddress): string | undefined {
  const kind = address.switch();
  if (kind === xdr.ScAddressType.scAddressTypeAccount()) return accountAddress(address.accountId().ed25519());
  if (kind !== xdr.ScAddressType.scAddressTypeContract()) return undefined;
  const hash: unknown = address.contractId();
  return Buffer.isBuffer(hash) ? contractAddress(hash.toString('latin1')) : undefined;
}
