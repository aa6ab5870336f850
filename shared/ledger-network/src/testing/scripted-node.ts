import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** The result of a method, or a JSON-RPC error. */
export type Scripted = (
  params: unknown,
) => { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

export type ScriptedNode = {
  readonly url: string;
  readonly calls: readonly string[];
  readonly close: () => Promise<void>;
};

/** An RPC node with scripted responses, for states that the sandbox's network never has, such as a pruned history. */
export async function startScriptedNode(methods: Readonly<Record<string, Scripted>>): Promise<ScriptedNode> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const respond = (body: unknown): void => {
      const { id, method, params } = body as { readonly id: number; readonly method: string; readonly params: unknown };
      calls.push(method);
      const scripted = methods[method] ?? (() => ({ error: { code: -32601, message: 'method not found' } }));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...scripted(params) }));
    };
    json(request).then(respond, (error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/rpc`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
