import { useState, type ReactNode } from 'react';
import { Button, PasswordInput } from '@mantine/core';
import { isHoldfastError } from '@holdfast/sdk';
import { ErrorBox } from '../ui/error-box.js';
import { Logo } from '../ui/logo.js';
import { createApi } from './api.js';
import { useSignIn } from './session-provider.js';

/** The key is checked with the platform before it is kept for this tab. */
export function SignInPage() {
  const { notice, signIn } = useSignIn();
  const [key, setKey] = useState('');
  const [isChecking, setChecking] = useState(false);
  const [error, setError] = useState<unknown>();
  const check = async (): Promise<void> => {
    setChecking(true);
    setError(undefined);
    try {
      const credential = key.trim();
      await createApi({ credential, marketplaceId: undefined, renewal: undefined }).client.apiKeys.getCurrent({ retriesMax: 0 });
      signIn(credential);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setChecking(false);
    }
  };
  return (
    <main className="hf-sign-in">
      <title>Sign in · Holdfast</title>
      <form
        className="hf-sign-in-card"
        onSubmit={(event) => {
          event.preventDefault();
          if (key.trim() !== '' && !isChecking) check().catch(setError);
        }}
      >
        <Logo />
        <h1>Sign in to Holdfast</h1>
        <p className="hf-dimmed">
          With an API key of your marketplace. It stays in this tab, and is forgotten when you close it.
        </p>
        {notice === undefined ? null : <Notice>{notice}</Notice>}
        <PasswordInput
          label="API key"
          placeholder="hk_live_…"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          required
        />
        <Button type="submit" size="sm" fullWidth loading={isChecking} disabled={key.trim() === ''}>
          Sign in
        </Button>
        {error === undefined ? null : <Refusal error={error} />}
        <p className="hf-hint">
          Running <code>npm start</code> on this machine? It prints an address that signs you in.
        </p>
      </form>
    </main>
  );
}

function Notice({ children }: { readonly children: ReactNode }) {
  return (
    <p className="hf-notice" role="status">
      {children}
    </p>
  );
}

function Refusal({ error }: { readonly error: unknown }) {
  const isWrong = isHoldfastError(error) && error.status === 401;
  return (
    <>
      {isWrong ? <Notice>The platform does not know this key: it is wrong, revoked or expired.</Notice> : null}
      <ErrorBox error={error} />
    </>
  );
}
