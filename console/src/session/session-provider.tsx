import { createContext, use, useEffect, useRef, useState, type ReactNode } from 'react';
import { nowMs } from '../clock.js';
import { exchange, renewalDelayMs, storeSession, storedSession, takeCode, type Session } from './session.js';

export type SignIn = {
  readonly session: Session | undefined;
  /** True while a one-time code is exchanged. */
  readonly isExchanging: boolean;
  /** Why the person has to sign in again. */
  readonly notice: string | undefined;
  readonly signIn: (credential: string) => void;
  readonly signOut: (notice?: string) => void;
  readonly chooseMarketplace: (id: string) => void;
};

const SignInContext = createContext<SignIn | undefined>(undefined);

export function useSignIn(): SignIn {
  const value = use(SignInContext);
  if (value === undefined) throw new Error('useSignIn needs its provider');
  return value;
}

const codeRefused = 'This sign-in link was used already or has expired. Sign in with an API key, or start the platform again.';
const renewalRetryMs = 6_000;
const expired = 'Your session has ended. Sign in again.';

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [session, setSession] = useState(storedSession);
  const [notice, setNotice] = useState<string>();
  const keep = (next: Session | undefined, why?: string): void => {
    storeSession(next);
    setSession(next);
    setNotice(why);
  };
  const isExchanging = useCode(keep);
  useRenewal(session, keep);
  const signIn = (credential: string): void => keep({ credential, marketplaceId: undefined, renewal: undefined });
  const signOut = (why?: string): void => keep(undefined, why);
  const chooseMarketplace = (marketplaceId: string): void => {
    if (session !== undefined) keep({ ...session, marketplaceId });
  };
  return <SignInContext value={{ session, isExchanging, notice, signIn, signOut, chooseMarketplace }}>{children}</SignInContext>;
}

type Keep = (session: Session | undefined, why?: string) => void;

/** Exchanges the code of the address, if there is one, once. */
function useCode(keep: Keep): boolean {
  const [code] = useState(takeCode);
  const [isExchanging, setExchanging] = useState(code !== undefined);
  const isBegun = useRef(false);
  useEffect(() => {
    if (code === undefined || isBegun.current) return;
    isBegun.current = true;
    exchange(code)
      .catch(() => undefined)
      .then((session) => keep(session, session === undefined ? codeRefused : undefined))
      .finally(() => setExchanging(false))
      .catch(() => undefined);
  });
  return isExchanging;
}

/** Renews a token before it ends, as long as the tab is open. */
function useRenewal(session: Session | undefined, keep: Keep): void {
  const latest = useRef(keep);
  useEffect(() => {
    latest.current = keep;
  });
  useEffect(() => {
    const renewal = session?.renewal;
    if (renewal === undefined) return undefined;
    let timer = setTimeout(renew, renewalDelayMs(renewal, nowMs()));
    function renew(): void {
      exchange(renewal?.nextCode ?? '').then(
        (next) => latest.current(next, next === undefined ? expired : undefined),
        () => (timer = setTimeout(renew, renewalRetryMs)), // the platform is away, and may come back in time
      );
    }
    return () => clearTimeout(timer);
  }, [session]);
}
