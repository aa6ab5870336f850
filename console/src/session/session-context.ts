import { createContext, use } from 'react';
import type { AuthContext, Holdfast } from '@holdfast/sdk';

export type SessionState = {
  readonly api: Holdfast;
  /** The credential as the platform sees it: its scopes decide what is shown. */
  readonly me: AuthContext;
  /** Fetches a file with the credential, and hands it to the browser. */
  readonly downloadCsv: (path: string, fileName: string) => Promise<void>;
  /** With why the person has to sign in again, if it was not their wish. */
  readonly signOut: (notice?: string) => void;
  /** Set only with the master key. */
  readonly chooseMarketplace: (id: string) => void;
};

export const SessionContext = createContext<SessionState | undefined>(undefined);

export function useSession(): SessionState {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('useSession needs a signed-in person');
  return session;
}

export type Scope = AuthContext['scopes'][number] | 'master';

/** Whether the credential may do what needs the scope. The platform decides in any case; this only hides what it would refuse. */
export function useMay(scope: Scope): boolean {
  const { me } = useSession();
  return may(me, scope);
}

export function may({ type, scopes }: Pick<AuthContext, 'type' | 'scopes'>, scope: Scope): boolean {
  if (type === 'master') return true;
  return scope !== 'master' && scopes.includes(scope);
}
