import { z } from 'zod';
import type { RouteResponse } from '../web/route.js';
import { faultsOf } from '../web/shapes.js';

/** The error codes of JSON-RPC 2.0. */
export const rpcErrorCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
} as const;

export class RpcError extends Error {
  readonly code: number;

  constructor(kind: keyof typeof rpcErrorCodes, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = rpcErrorCodes[kind];
  }
}

type RequestId = string | number | null;

export type RpcRequest = { readonly id: RequestId; readonly method: string; readonly params: unknown };

const requestShape = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]),
  method: z.string(),
  params: z.unknown().optional(),
});

/** Batches and notifications are refused: no client of the platform sends them. */
export function parseRequest(body: Buffer): RpcRequest {
  const parsed = requestShape.safeParse(parseJson(body));
  if (!parsed.success) throw new RpcError('invalidRequest', 'the body must be one request of JSON-RPC 2.0 with an id');
  const { id, method, params } = parsed.data;
  return { id, method, params: params ?? {} };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new RpcError('parseError', error instanceof Error ? error.message : 'the body is not JSON');
  }
}

export function parseParams<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new RpcError('invalidParams', faultsOf(parsed.error));
}

export function resultResponse(id: RequestId, result: unknown): RouteResponse {
  return { status: 200, json: { jsonrpc: '2.0', id, result } };
}

/** Errors of JSON-RPC have the HTTP status 200. */
export function errorResponse(id: RequestId, { code, message }: RpcError): RouteResponse {
  return { status: 200, isRefusal: true, json: { jsonrpc: '2.0', id, error: { code, message } } };
}
