import { createHash, hkdfSync } from 'node:crypto';
import { sealing, type Sealing } from '@holdfast/kernel/secrets';

/** Wraps the data keys of wallets. During a rotation the current key wraps, and both keys unwrap. */
export type MasterKeys = {
  readonly currentId: string;
  readonly wrap: (dataKey: Buffer, userId: string) => Buffer;
  /** Throws for an unknown master key id, and for a wrapped key of another user. */
  readonly unwrap: (wrapped: Buffer, masterKeyId: string, userId: string) => Buffer;
};

const keyBytes = 32;

export function masterKeys({
  current,
  previous,
}: {
  readonly current: string;
  readonly previous?: string | undefined;
}): MasterKeys {
  const currentKey = masterKey(current);
  const known = [currentKey, ...(previous === undefined ? [] : [masterKey(previous)])];
  const byId = new Map(known.map(({ id, seal }) => [id, seal]));
  return {
    currentId: currentKey.id,
    wrap: (dataKey, userId) => currentKey.seal.close(dataKey, userId),
    unwrap: (wrapped, masterKeyId, userId) => {
      const seal = byId.get(masterKeyId);
      if (seal === undefined) throw new Error(`The master key ${masterKeyId} is not among the wallet master keys given.`);
      return seal.open(wrapped, userId);
    },
  };
}

/** The id is a digest of a key derived for this purpose only, so it reveals nothing about the master key. */
function masterKey(secret: string): { readonly id: string; readonly seal: Sealing } {
  const keyFor = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, 'holdfast', purpose, keyBytes));
  const id = createHash('sha256').update(keyFor('wallet master key id')).digest('hex').slice(0, 16);
  return { id, seal: sealing(keyFor('wallet data keys')) };
}
