import type { IncomingMessage, ServerResponse } from 'node:http';

export type ServedRequest = IncomingMessage;
export type ServedResponse = ServerResponse;

export type Serve = (request: ServedRequest, response: ServedResponse) => Promise<void>;
