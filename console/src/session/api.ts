import { Holdfast } from '@holdfast/sdk';
import type { Session } from './session.js';

export type Api = {
  readonly client: Holdfast;
  /** A renewed token takes effect with the next request. */
  readonly setCredential: (credential: string) => void;
};

/** The platform's client of this tab. The page and the API have the same origin. */
export function createApi({ credential, marketplaceId }: Session): Api {
  let latest = credential;
  const send: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${latest}`);
    return fetch(input, { ...init, headers });
  };
  const client = new Holdfast({ apiKey: credential, baseUrl: location.origin, marketplaceId, fetch: send });
  return { client, setCredential: (next) => void (latest = next) };
}
