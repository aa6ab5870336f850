import { readObject, textIn } from '../data/read-json.js';

/** The person who uses this tab. A token of a one-time code ends after 15 minutes, unless the page renews it. */
export type Session = {
  readonly credential: string;
  /** With the master key: the marketplace that the person looks at. */
  readonly marketplaceId: string | undefined;
  readonly renewal: Renewal | undefined;
};

type Renewal = { readonly expiresAt: string; readonly nextCode: string };

/** What a person reads after a 401. */
export const credentialRefused = 'Your key or token is no longer valid. Sign in again.';

/** Ends with the tab, and no other tab reads it. */
const storageKey = 'holdfast-console-session';

export function storedSession(): Session | undefined {
  return parseSession(sessionStorage.getItem(storageKey) ?? '');
}

export function storeSession(session: Session | undefined): void {
  if (session === undefined) sessionStorage.removeItem(storageKey);
  else sessionStorage.setItem(storageKey, JSON.stringify(session));
}

export function parseSession(text: string): Session | undefined {
  const stored = readObject(text);
  const credential = textIn(stored, 'credential');
  if (credential === undefined) return undefined;
  return { credential, marketplaceId: textIn(stored, 'marketplaceId'), renewal: renewalIn(stored?.['renewal']) };
}

function renewalIn(stored: unknown): Renewal | undefined {
  const expiresAt = textIn(stored, 'expiresAt');
  const nextCode = textIn(stored, 'nextCode');
  return expiresAt === undefined || nextCode === undefined ? undefined : { expiresAt, nextCode };
}

/** The code of `#code=…`, which is removed from the address and from the history at once. */
export function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return undefined;
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  return code;
}

/** A one-time code for a token and the code of the next one. Undefined if it is wrong, used or expired. */
export async function exchange(code: string): Promise<Session | undefined> {
  const response = await fetch('/console/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const body = readObject(await response.text());
  const credential = textIn(body?.['data'], 'token');
  const renewal = renewalIn(body?.['data']);
  if (!response.ok || credential === undefined || renewal === undefined) return undefined;
  return { credential, marketplaceId: undefined, renewal };
}

/** After two thirds of the token's life, and at once if they are over. */
export function renewalDelayMs({ expiresAt }: Renewal, nowMs: number): number {
  return Math.max(0, ((Date.parse(expiresAt) - nowMs) * 2) / 3);
}
