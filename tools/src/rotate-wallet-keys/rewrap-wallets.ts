import type { Installation, WalletKeys } from '@holdfast/all-in-one';
import { escrowAdapter, rotateWalletKeys } from '@holdfast/escrow-adapter';
import { createLog } from '@holdfast/shared/observability';
import { connectDatabase, derivePassword, roleOf } from '@holdfast/shared/postgres';

/** Returns only once no wallet needs the previous key. */
export async function rewrapWallets({ title, databaseUrl, internalSecret }: Installation, keys: WalletKeys): Promise<void> {
  const { name } = escrowAdapter;
  const log = createLog({ service: 'rotate-wallet-keys', level: 'warn', pretty: true });
  const password = derivePassword(internalSecret, roleOf(name));
  const database = await connectDatabase({ adminUrl: databaseUrl, service: name, password, poolMax: 1, log });
  try {
    const wrapped = await rotateWalletKeys({ database, ...keys, log });
    console.log(`The wallets of ${title}: ${wrapped.toLocaleString('en')} wrapped with the new key.`);
  } finally {
    await database.close();
  }
}
