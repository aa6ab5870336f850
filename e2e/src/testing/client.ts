/** A client of the API, such as a marketplace would have. */
export type Client = {
  readonly credit: (userId: string, amount: string, reference?: string) => Promise<ClientResponse>;
  readonly balance: (userId: string) => Promise<ClientResponse>;
};

export type ClientResponse = {
  readonly status: number;
  readonly headers: Headers;
  readonly data: { readonly available: string; readonly reserved: string };
  readonly code: string | undefined;
};

const requestTimeoutMs = 90_000;

export function clientOf(baseUrl: string, masterKey: string): Client {
  const request = async (path: string, body?: unknown): Promise<ClientResponse> => {
    const response = await fetch(`${baseUrl}${path}`, {
      headers: { authorization: `Bearer ${masterKey}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(requestTimeoutMs),
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    const { data, error } = (await response.json()) as {
      readonly data: ClientResponse['data'];
      readonly error?: { readonly code: string };
    };
    return { status: response.status, headers: response.headers, data, code: error?.code };
  };
  return {
    credit: (userId, amount, reference) =>
      request(`/users/${userId}/balance/credit`, { amount, ...(reference === undefined ? {} : { reference }) }),
    balance: (userId) => request(`/users/${userId}/balance`),
  };
}
