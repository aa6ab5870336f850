import { z } from 'zod';
import { eventually } from '@holdfast/testing/eventually';
import { startWebhookReceiver } from '../testing/webhook-receiver.js';
import { pasteCommands } from './readme.js';
import type { WholePlatform } from './platform.js';

const event = z.object({ eventId: z.string(), eventType: z.string(), metadata: z.looseObject({ test: z.boolean().optional() }) });

/** The guide that a developer of a marketplace reads first. */
export function describeWebhooksGuide(platform: () => WholePlatform): void {
  describe('the guide to webhooks', () => {
    it('has a walk-through in which a test event arrives, then what a replay brings', async () => {
      const received: z.output<typeof event>[] = [];
      const receiver = await startWebhookReceiver({
        take: async (body) => void received.push(await event.parseAsync(JSON.parse(body))),
      });
      const output = pasteCommands(platform(), 'docs/guides/webhooks.md', /## Your first event\n[^]*/, {
        'localhost:3000': `localhost:${receiver.port}`,
      });
      expect(output).toMatch(/^WEBHOOK_SECRET=whsec_[A-Za-z0-9+/]{43}=$/m);
      expect(output).toMatch(/"deliveries":\d+/);
      expect(output).toContain('"status":"DISABLED"');
      expect(output).not.toMatch(/"error":\{/);
      await eventually(() => {
        expect(received).toContainEqual(expect.objectContaining({ metadata: expect.objectContaining({ test: true }) }));
        expect(received.some(({ metadata }) => metadata.test === undefined)).toBe(true);
      });
      const [endpointId = ''] = /whk_[A-Za-z0-9]+/.exec(output) ?? [];
      await platform().api.delete(`/webhook-endpoints/${endpointId}`);
      receiver.stop();
    });
  });
}
