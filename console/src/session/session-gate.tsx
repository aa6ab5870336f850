import { useEffect, useState, type ReactNode } from 'react';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { isHoldfastError } from '@holdfast/sdk';
import { LiveProvider } from '../live/live-provider.js';
import { ErrorBox } from '../ui/error-box.js';
import { createApi, type Api } from './api.js';
import { SessionContext } from './session-context.js';
import { useSignIn, type SignIn } from './session-provider.js';
import { credentialRefused, type Session } from './session.js';
import { SignInPage } from './sign-in-page.js';

/** Shows the sign-in page until there is a credential that the platform accepts. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const { session, isExchanging } = useSignIn();
  if (isExchanging) return <p className="hf-opening">Signing in …</p>;
  if (session === undefined) return <SignInPage />;
  // A token that was renewed belongs to the same session; another marketplace is another one.
  return (
    <SignedIn key={session.marketplaceId ?? ''} session={session}>
      {children}
    </SignedIn>
  );
}

const staleMs = 60_000;

/** What the platform refuses with 401 ends the session. The SDK repeats what is worth repeating. */
function createQueryClient(signOut: SignIn['signOut']): QueryClient {
  const onError = (error: unknown): void => {
    if (isUnauthorized(error)) signOut(credentialRefused);
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { retry: false, staleTime: staleMs, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  });
}

function isUnauthorized(error: unknown): boolean {
  return isHoldfastError(error) && error.status === 401;
}

type SignedInProps = { readonly session: Session; readonly children: ReactNode };

function SignedIn({ session, children }: SignedInProps) {
  const { signOut } = useSignIn();
  const [client] = useState(() => createQueryClient(signOut));
  const [api] = useState(() => createApi(session));
  useEffect(() => api.setCredential(session.credential), [api, session.credential]);
  return (
    <QueryClientProvider client={client}>
      <WithContext api={api}>{children}</WithContext>
    </QueryClientProvider>
  );
}

function WithContext({ api, children }: { readonly api: Api; readonly children: ReactNode }) {
  const { signOut, chooseMarketplace } = useSignIn();
  const {
    data: me,
    error,
    refetch,
  } = useQuery({
    queryKey: ['apiKeys.getCurrent'],
    queryFn: () => api.client.apiKeys.getCurrent(),
    staleTime: Infinity,
  });
  if (me !== undefined)
    return (
      <SessionContext value={{ api: api.client, me, downloadCsv: api.downloadCsv, signOut, chooseMarketplace }}>
        <LiveProvider>{children}</LiveProvider>
      </SessionContext>
    );
  if (error === null) return <p className="hf-opening">Loading …</p>;
  return (
    <main className="hf-opening">
      <ErrorBox error={error} onRetry={refetch} />
    </main>
  );
}
