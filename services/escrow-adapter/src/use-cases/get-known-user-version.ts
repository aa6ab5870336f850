import type { UserId } from '@holdfast/kernel/ids';
import type { Deps } from './ports.js';

/** Which version of a user counts here; zero where none does. */
export async function getKnownUserVersion(deps: Deps, { id }: { readonly id: UserId }): Promise<{ readonly version: number }> {
  return { version: await deps.users.knownVersion(id) };
}
