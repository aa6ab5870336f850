import type { UserId } from '@holdfast/kernel/ids';
import type { Deps } from './ports.js';

/** Returns the version of a user that this service has stored; zero where it has none. */
export async function getKnownUserVersion(deps: Deps, { id }: { readonly id: UserId }): Promise<{ readonly version: number }> {
  return { version: await deps.users.knownVersion(id) };
}
