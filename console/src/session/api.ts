import { Holdfast } from '@holdfast/sdk';
import type { Session } from './session.js';

export type Api = {
  readonly client: Holdfast;
  /** A renewed token takes effect with the next request. */
  readonly setCredential: (credential: string) => void;
  /** Fetches a file with the credential, and hands it to the browser. */
  readonly downloadCsv: (path: string, fileName: string) => Promise<void>;
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
  const downloadCsv = async (path: string, fileName: string): Promise<void> => {
    const marketplace = marketplaceId === undefined ? {} : { 'x-marketplace-id': marketplaceId };
    const response = await send(path, { headers: { accept: 'text/csv', ...marketplace } });
    if (!response.ok) throw new Error(`The file was refused with status ${response.status}.`);
    save(await response.blob(), fileName);
  };
  return { client, setCredential: (next) => void (latest = next), downloadCsv };
}

function save(file: Blob, fileName: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
