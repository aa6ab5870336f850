import { StrKey, xdr } from '@stellar/stellar-sdk';
import { boundedCache } from '../bounded-cache.js';

type Decoded = { readonly kind: 'account' | 'contract'; readonly bytes: Buffer };

const keptMax = 50_000;
const rawBytes = 32;

/** Addresses are few and come up in every call, while reading and writing them is slow: each is done once. */
const decodings = boundedCache<Decoded>(keptMax);
const encodings = boundedCache<string>(keptMax);

export function decodedAddress(address: string): Decoded {
  return decodings(address, () => {
    const isContract = address.startsWith('C');
    const bytes = isContract ? StrKey.decodeContract(address) : StrKey.decodeEd25519PublicKey(address);
    if (bytes.length !== rawBytes) throw new Error('an address has 32 bytes');
    return { kind: isContract ? 'contract' : 'account', bytes };
  });
}

export function isAddress(text: string, kind: Decoded['kind']): boolean {
  try {
    return decodedAddress(text).kind === kind;
  } catch {
    return false;
  }
}

/** The key of an account, or the hash of a contract. */
export function addressBytes(address: string): Buffer {
  return decodedAddress(address).bytes;
}

export function accountAddress(key: Buffer): string {
  return encoded({ kind: 'account', bytes: key });
}

export function contractAddress(hash: Buffer): string {
  return encoded({ kind: 'contract', bytes: hash });
}

function encoded({ kind, bytes }: Decoded): string {
  return encodings(`${kind}${bytes.toString('latin1')}`, () => {
    const address = kind === 'contract' ? StrKey.encodeContract(bytes) : StrKey.encodeEd25519PublicKey(bytes);
    // Whoever is told an address soon comes back with it. The bytes are copied, because they may be part of a larger buffer.
    decodings(address, () => ({ kind, bytes: Buffer.from(bytes) }));
    return address;
  });
}

/** Undefined for kinds of addresses that nobody has here. */
export function fromScAddress(address: xdr.ScAddress): string | undefined {
  const kind = address.switch();
  if (kind === xdr.ScAddressType.scAddressTypeAccount()) return accountAddress(address.accountId().ed25519());
  if (kind !== xdr.ScAddressType.scAddressTypeContract()) return undefined;
  const hash: unknown = address.contractId();
  return Buffer.isBuffer(hash) ? contractAddress(hash) : undefined;
}
