import { Socket } from 'node:net';
import { createExpressApp, messageClassesOf } from './index.js';

describe('messageClassesOf', () => {
  it('creates requests and responses with the prototypes of Express', () => {
    const app = createExpressApp();
    const { IncomingMessage: AppRequest, ServerResponse: AppResponse } = messageClassesOf(app);

    const request = new AppRequest(new Socket());
    const response = new AppResponse(request);

    expect(Object.getPrototypeOf(request)).toBe(app.request);
    expect(Object.getPrototypeOf(response)).toBe(app.response);
    expect(request).toHaveProperty('app', app);
    expect(response).toHaveProperty('app', app);
  });

  it('creates classes for one app', () => {
    const [one, other] = [createExpressApp(), createExpressApp()];
    messageClassesOf(one);
    messageClassesOf(other);
    expect(one.request).toHaveProperty('app', one);
    expect(other.request).toHaveProperty('app', other);
  });
});
