import type { HttpMethod } from '../contracts/http/index.js';

/** Declared paths are relative to this. */
export const apiPrefix = '/api/v1';

type Entry<T> = { readonly method: HttpMethod; readonly path: string; readonly target: T };

export type RouteMatch<T> =
  | { readonly kind: 'found'; readonly target: T; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'other-method'; readonly allowedMethods: readonly string[] }
  | { readonly kind: 'unknown' };

/** Finds the entry for a method such as GET and a path below the prefix, without its query. */
export type RouteTable<T> = (method: string, path: string) => RouteMatch<T>;

type Leaf<T> = { readonly target: T; readonly names: readonly string[] };
type Node<T> = { readonly fixed: Map<string, Node<T>>; readonly leaves: Map<string, Leaf<T>>; variable: Node<T> | undefined };

/** Fixed segments win over placeholders: `/orders/export` is not the order called export. */
export function createRouteTable<T>(entries: readonly Entry<T>[]): RouteTable<T> {
  const root = emptyNode<T>();
  for (const entry of entries) plant(root, entry);
  const unknown = { kind: 'unknown' } as const;
  return (method, path) => {
    if (!path.startsWith(apiPrefix)) return unknown;
    const segments = path.slice(apiPrefix.length).split('/');
    const values: string[] = [];
    const node = segments[0] === '' ? descend(root, segments, 1, values) : undefined;
    if (node === undefined) return unknown;
    const leaf = node.leaves.get(method);
    if (leaf === undefined) return { kind: 'other-method', allowedMethods: [...node.leaves.keys()] };
    return { kind: 'found', target: leaf.target, params: namedValues(leaf.names, values) };
  };
}

function emptyNode<T>(): Node<T> {
  return { fixed: new Map(), leaves: new Map(), variable: undefined };
}

function plant<T>(root: Node<T>, { method, path, target }: Entry<T>): void {
  let node = root;
  const names: string[] = [];
  for (const segment of path.split('/').slice(1)) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) {
      const next = node.fixed.get(segment) ?? emptyNode<T>();
      node.fixed.set(segment, next);
      node = next;
    } else {
      names.push(name);
      node = node.variable ??= emptyNode<T>();
    }
  }
  const verb = method.toUpperCase();
  if (node.leaves.has(verb)) throw new Error(`two routes are declared for ${verb} ${path}`);
  node.leaves.set(verb, { target, names });
}

function descend<T>(node: Node<T>, segments: readonly string[], index: number, values: string[]): Node<T> | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.leaves.size > 0 ? node : undefined;
  const fixed = node.fixed.get(segment);
  const found = fixed === undefined ? undefined : descend(fixed, segments, index + 1, values);
  if (found !== undefined || node.variable === undefined || segment === '') return found;
  values.push(segment);
  const variable = descend(node.variable, segments, index + 1, values);
  if (variable === undefined) values.pop();
  return variable;
}

function namedValues(names: readonly string[], values: readonly string[]): Readonly<Record<string, string>> {
  const params: Record<string, string> = {};
  names.forEach((name, index) => (params[name] = decode(values[index] ?? '')));
  return params;
}

/** Broken escapes stay as they are: no id looks like that, so the route's own 404 follows. */
function decode(value: string): string {
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
