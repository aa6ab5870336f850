/** Options of one call; the client's options are the defaults. */
export type CallOptions = {
  /** Ends the call, its retries and its waits. The call rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of each request of the call, and of the reads after a request whose outcome is unknown. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is repeated. */
  readonly retriesMax?: number | undefined;
  /** A UUID v4 in place of the one that the SDK makes, on routes that take one: for calls that you repeat yourself after a crash. */
  readonly idempotencyKey?: string | undefined;
  /** Only with the master key: the marketplace that the call is for. */
  readonly marketplaceId?: string | undefined;
  /** A UUID in place of the one that the SDK makes. All requests of the call carry it. */
  readonly requestId?: string | undefined;
};

export type HoldfastOptions = {
  /** An API key, an access token, or for the account API the token of a login. Routes that are open to everybody need none. */
  readonly apiKey?: string | undefined;
  /** Root of the platform; a trailing /api/v1 is accepted. */
  readonly baseUrl?: string | undefined;
  /** See CallOptions. */
  readonly timeoutMs?: number | undefined;
  /** See CallOptions. */
  readonly retriesMax?: number | undefined;
  /** See CallOptions. */
  readonly marketplaceId?: string | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
};

/** What every call of a client shares. */
export type Settings = {
  readonly apiKey: string | undefined;
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly retriesMax: number;
  readonly marketplaceId: string | undefined;
  readonly fetch: typeof fetch;
};

const baseUrlDefault = 'http://127.0.0.1:8080';
/** Longer than the 60 s after which the platform itself responds with 504. */
const timeoutMsDefault = 80_000;
const retriesMaxDefault = 3;

export function settingsOf(options: HoldfastOptions): Settings {
  const { apiKey, baseUrl = baseUrlDefault, marketplaceId } = options;
  return {
    apiKey,
    baseUrl: rootOf(baseUrl),
    timeoutMs: options.timeoutMs ?? timeoutMsDefault,
    retriesMax: options.retriesMax ?? retriesMaxDefault,
    marketplaceId,
    // Called as a method of another object, the fetch of a browser throws.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
  };
}

function rootOf(baseUrl: string): string {
  const { protocol } = new URL(baseUrl);
  if (!['http:', 'https:'].includes(protocol)) throw new TypeError(`baseUrl must begin with https:// or http://: ${baseUrl}`);
  return baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
}
