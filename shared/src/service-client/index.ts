export * from './service-client.js';
export * from './service-url-setting.js';
