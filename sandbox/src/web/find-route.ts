import type { Route } from './route.js';

type Found = { readonly route: Route; readonly params: Readonly<Record<string, string>> };
type Pattern = { readonly route: Route; readonly segments: readonly string[] };

/** Routes without placeholders are found in one lookup, the others among those with as many segments. */
export function routeFinder(routes: readonly Route[]): (method: string, path: string) => Found | undefined {
  const fixed = new Map<string, Route>();
  const patterns = new Map<string, Pattern[]>();
  for (const route of routes) {
    const segments = route.path.split('/');
    if (!route.path.includes('{')) fixed.set(`${route.method} ${route.path}`, route);
    else
      patterns.set(groupOf(route.method, segments), [
        ...(patterns.get(groupOf(route.method, segments)) ?? []),
        { route, segments },
      ]);
  }
  return (method, path) => {
    const route = fixed.get(`${method} ${path}`);
    if (route !== undefined) return { route, params: {} };
    const segments = path.split('/');
    for (const pattern of patterns.get(groupOf(method, segments)) ?? []) {
      const params = match(pattern.segments, segments);
      if (params !== undefined) return { route: pattern.route, params };
    }
    return undefined;
  };
}

function groupOf(method: string, segments: readonly string[]): string {
  return `${method} ${segments.length}`;
}

function match(pattern: readonly string[], segments: readonly string[]): Readonly<Record<string, string>> | undefined {
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (expected.startsWith('{') && segment !== '') params[expected.slice(1, -1)] = decoded(segment);
    else if (expected !== segment) return undefined;
  }
  return params;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
