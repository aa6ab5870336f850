import { CannotStart } from '@holdfast/all-in-one/commands';
import { z } from 'zod';

/** The control routes of the sandbox. */
export type SandboxControl = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: Readonly<Record<string, unknown>>,
) => Promise<unknown>;

const timeoutMs = 10_000;
const refusal = z.looseObject({ message: z.string() });

export function sandboxAt(url: string): SandboxControl {
  return async (method, path, body) => {
    const response = await fetch(`${url}/_sandbox${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((cause: unknown) => {
      throw new CannotStart(
        `The sandbox at ${url} does not respond: start the platform with "npm start", or correct --sandbox.`,
        { cause },
      );
    });
    const text = await response.text();
    if (!response.ok) throw new CannotStart(`The sandbox refuses ${method} ${path} with ${response.status}: ${reasonIn(text)}`);
    const found: unknown = text === '' ? {} : JSON.parse(text);
    return found;
  };
}

function reasonIn(text: string): string {
  try {
    return refusal.parse(JSON.parse(text)).message;
  } catch {
    return text.slice(0, 200);
  }
}
