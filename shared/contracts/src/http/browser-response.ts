import { z } from 'zod';

/** The response of a route for browsers: an HTML page, and optionally a URL to redirect to. */
export const browserResponse = z.object({
  redirectTo: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .meta({ description: 'Sent as 302 with a Location header', example: null }),
  html: z.string().meta({ example: '<!doctype html><title>Thank you</title><p>The payment is on its way.</p>' }),
});
export type BrowserResponse = z.infer<typeof browserResponse>;
