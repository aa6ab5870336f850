/** How a service runs in a test: on any free port, and it often looks for what another process has left. */
export const testProcess = { host: '127.0.0.1', port: 0, lookEveryMsMax: 250 } as const;
