import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/**
 * What every answer carries, names and values in turn. They never change, so helmet is asked once and not on every request.
 * This is an interface for programs: nothing of it may be framed, run or kept.
 */
export const securityHeaders: readonly string[] = [...headersByHelmet(), 'Cache-Control', 'no-store'];

function headersByHelmet(): readonly string[] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const apply = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    xFrameOptions: { action: 'deny' },
  });
  apply(request, response, () => undefined);
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
}
