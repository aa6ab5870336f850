import type { Clock } from '@holdfast/kernel/context';
import { allRoutes, type RouteDeclaration } from '@holdfast/contracts/http';
import { createRateLimit, type RateLimit, type RateWindows } from './rate-limit.js';

/** How many requests one caller may send to one route in a window. */
export type RouteLimit = {
  /** Method and path, such as `POST /topups`. */
  readonly route: string;
  readonly limit: number;
  readonly windowSeconds: number;
};

export const routeLimitsExample = 'POST /topups=10/60, POST /withdrawals=5/60';

const entryForm = /^([A-Z]+) +(\/\S*?) *= *(\d{1,7}) *\/ *(\d{1,5})$/;
const limitMax = 1_000_000;
const windowSecondsMax = 86_400;

/** Parses RATE_LIMIT_ROUTES, such as `POST /topups=10/60, POST /withdrawals=5/60`; undefined if it is malformed. */
export function parseRouteLimits(text: string): readonly RouteLimit[] | undefined {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const limits = entries.map(parseEntry).filter((limit) => limit !== undefined);
  const areAllValid = new Set(limits.map(({ route }) => route)).size === entries.length;
  return areAllValid ? limits : undefined;
}

function parseEntry(entry: string): RouteLimit | undefined {
  const [, method, path, limitText, secondsText] = entryForm.exec(entry) ?? [];
  const route = `${method ?? ''} ${path ?? ''}`;
  const [limit, windowSeconds] = [Number(limitText), Number(secondsText)];
  if (!allRoutes.some((declared) => mayBeLimited(declared) && nameOf(declared) === route)) return undefined;
  if (limit < 1 || limit > limitMax || windowSeconds < 1 || windowSeconds > windowSecondsMax) return undefined;
  return { route, limit, windowSeconds };
}

/** A webhook with a valid signature is never refused because of a limit, and the gateway cannot verify signatures. */
function mayBeLimited({ service, isCountedByService }: RouteDeclaration): boolean {
  return service !== 'gateway' && isCountedByService !== true;
}

type Options = { readonly windows: (windowMs: number) => RateWindows; readonly clock: Pick<Clock, 'epochMs'> };

/** Returns a function that finds the own limit of a route, if any. */
export function createRouteLimits(
  limits: readonly RouteLimit[],
  { windows, clock }: Options,
): (route: RouteDeclaration) => RateLimit | undefined {
  const byRoute = new Map(
    limits.map(({ route, limit, windowSeconds }) => [
      route,
      createRateLimit({
        rateLimitMax: limit,
        rateLimitWindowSeconds: windowSeconds,
        windows: windows(windowSeconds * 1_000),
        clock,
      }),
    ]),
  );
  return (route) => byRoute.get(nameOf(route));
}

function nameOf({ method, path }: RouteDeclaration): string {
  return `${method.toUpperCase()} ${path}`;
}
