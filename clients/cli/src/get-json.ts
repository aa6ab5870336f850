export type JsonResponse = { readonly status: number; readonly headers: Headers; readonly body: unknown };

const timeoutMs = 5_000;

/** Reads an address that may be anything. The body is undefined if it is not JSON. */
export async function getJson(url: string, headers: Readonly<Record<string, string>> = {}): Promise<JsonResponse> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
