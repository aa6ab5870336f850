import { createHash } from 'node:crypto';
import { purposeKeys, sealing, type Sealing } from '@holdfast/kernel/secrets';

/** Wraps the data keys of wallets. During a rotation the current key wraps, and both keys unwrap. */
export type MasterKeys = {
  readonly currentId: string;
  /** The current one first. */
  readonly knownIds: readonly string[];
  readonly wrap: (dataKey: Buffer, owner: string) => Buffer;
  /** Throws for an unknown master key id, and for a wrapped key of another owner. */
  readonly unwrap: (wrapped: Buffer, masterKeyId: string, owner: string) => Buffer;
};

export function masterKeys({
  current,
  previous,
}: {
  readonly current: string;
  readonly previous?: string | undefined;
}): MasterKeys {
  const currentKey = masterKey(current);
  const known = [currentKey, ...(previous === undefined ? [] : [masterKey(previous)])];
  const byId = new Map(known.map(({ id, sealer }) => [id, sealer]));
  return {
    currentId: currentKey.id,
    knownIds: [...byId.keys()],
    wrap: (dataKey, owner) => currentKey.sealer.seal(dataKey, owner),
    unwrap: (wrapped, masterKeyId, owner) => {
      const sealer = byId.get(masterKeyId);
      if (sealer === undefined) throw new Error(`The master key ${masterKeyId} is not among the wallet master keys given.`);
      return sealer.open(wrapped, owner);
    },
  };
}

/** The id is a digest of a key derived for this purpose only, so it reveals nothing about the master key. */
function masterKey(secret: string): { readonly id: string; readonly sealer: Sealing } {
  const keyFor = purposeKeys(secret);
  const id = createHash('sha256').update(keyFor('wallet master key id')).digest('hex').slice(0, 16);
  return { id, sealer: sealing(keyFor('wallet data keys')) };
}
